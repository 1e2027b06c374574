import Foundation

/// Searches a request's body for the members that a `Redaction` names. The initializer searches, and `holdsSecret`,
/// `isComplete` and `values` are the result.
///
/// The search reads whole documents of the kinds that `BodyKind` lists, in one pass. For a piece of an unknown format
/// there is `FieldRedactor`.
struct BodySearch {
  let redaction: Redaction
  /// The values of secret members.
  private(set) var values: [String] = []
  /// Whether a secret member was found, also one whose value is empty or `true`.
  private(set) var holdsSecret = false
  /// Whether every document with named members was read to its end. The content of any other document is unknown.
  private(set) var isComplete = true
  /// The result for each name, because the same few names repeat in a list.
  private var namesSeen: [String: Bool] = [:]
  /// The number of documents around the document that is being read.
  private var depth = 0

  /// How many bytes of one body are searched; a larger one can't be searched to its end. The limit bounds for how
  /// long a redirect or an error keeps a thread.
  static let limit = 16 * 1024 * 1024
  /// How many documents may be nested in each other's strings. A deeper one isn't searched.
  private static let maximumDepth = 4

  /// Searches the body of a request.
  init(_ request: TransportRequest, redaction: Redaction) {
    self.redaction = redaction
    search(request.body, in: Context(request.headers))
  }

  /// The facts about a body that its header fields tell.
  struct Context {
    /// The media type; `nil` if no field names a readable one.
    let type: MediaType?
    /// The content codings of the bytes, the last one last.
    var codings: [String]

    init(_ headers: HTTPHeaders) {
      type = headers.contentType
      let members = headers.values(for: "Content-Encoding").flatMap { $0.split(separator: ",") }
      codings = members.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }.filter { $0 != "identity" }
    }

    /// The kind that is declared.
    var kind: BodyKind? { type.flatMap(BodyKind.init) }
  }

  mutating func search(_ body: TransportBody, in context: Context) {
    switch body {
    case .none: break
    case .data(let data): search(data, in: context)
    case .stream(let stream as any DisclosingBodyStream): search(stream.disclosure, in: context)
    // A file or a stream isn't read here, because reading may block.
    case .file, .stream: if context.kind != nil { isComplete = false }
    }
  }

  private mutating func search(_ disclosure: BodyDisclosure, in context: Context) {
    switch disclosure {
    case .original(let body):
      // The original is the content before the last coding.
      var context = context
      _ = context.codings.popLast()
      search(body, in: context)
    case .parts(let parts):
      for part in parts { searchPart(named: [part.name], headers: part.headers, body: part.content) }
    }
  }

  /// Searches a part of a multipart body.
  mutating func searchPart(named names: [String], headers: HTTPHeaders, body: TransportBody) {
    for field in headers where redaction.hides(header: field.name) { addSecret(field.value) }
    guard names.contains(where: { hides($0) }) else { return search(body, in: Context(headers)) }
    holdsSecret = true
    if case .data(let data) = body { addSecret(bytes: data) }
  }

  private mutating func search(_ data: Data, in context: Context) {
    guard !data.isEmpty else { return }
    let declared = context.kind
    guard context.codings.isEmpty else {
      if declared != nil { isComplete = false }
      return
    }
    var bytes = Array(data.prefix(Self.limit))
    guard let kind = declared ?? BodyKind(sniffing: bytes) else { return }
    var isWhole = bytes.count == data.count
    if let text = Self.readable(bytes, kind: kind, charset: context.type?.charset) {
      bytes = text
      isWhole = search(bytes, as: kind) && isWhole
    } else {
      isWhole = false
    }
    // Text of another declared type that only looks like one of these kinds needn't be well-formed.
    if !isWhole, declared != nil || context.type == nil { isComplete = false }
  }

  /// The bytes in a charset whose ASCII characters are single bytes; `nil` if they can't be read.
  private static func readable(_ bytes: [UInt8], kind: BodyKind, charset label: String?) -> [UInt8]? {
    let label = label?.trimmingCharacters(in: .whitespaces) ?? ""
    let data = Data(bytes)
    let named = label.isEmpty ? Charset.utf8 : Charset(label: label)
    if Charset.byteOrderMark(of: data, preferring: named).map({ $0.charset == .utf8 }) ?? true {
      switch (kind, named) {
      // A multipart has no charset of its own: its parts have one each, and its delimiters are ASCII.
      case (.multipart, _), (_, .utf8): return bytes
      // Names in a form are percent-encoded, so that raw bytes beyond ASCII are only values.
      case (.form, .ascii), (.form, .latin1), (.form, .windows1252): return bytes
      default: break
      }
    }
    return (try? TextDecoding.string(from: data, charset: label)).map { Array($0.utf8) }
  }

  /// Searches one document, which may be nested in another one.
  ///
  /// - Returns: whether the document was read to its end.
  private mutating func search(_ bytes: [UInt8], as kind: BodyKind) -> Bool {
    guard depth < Self.maximumDepth else { return false }
    depth += 1
    defer { depth -= 1 }
    switch kind {
    case .json: return searchJSON(bytes)
    case .form: return searchForm(bytes)
    case .multipart(let boundary):
      guard let boundary = boundary ?? BodyKind.boundary(openingLineOf: bytes) else { return false }
      return searchMultipart(bytes, boundary: boundary)
    case .xml: return searchXML(bytes)
    }
  }

  /// Searches a value that may be a nested document, such as the form field `payload={"token":…}`. Searching an
  /// ordinary value is harmless.
  mutating func searchNested(_ value: [UInt8]) {
    switch BodyKind(sniffing: value) {
    case .json?: _ = search(value, as: .json)
    case .xml?: _ = search(value, as: .xml)
    case .form?, .multipart?, nil: break
    }
  }

  // MARK: Called by the search of each kind

  /// Whether a member of this name is secret.
  mutating func hides(_ name: String) -> Bool {
    if let known = namesSeen[name] { return known }
    let isHidden = redaction.hides(path: name)
    namesSeen[name] = isHidden
    return isHidden
  }

  /// Notes a secret member whose value can't be hidden, because it is a common word: `true`.
  mutating func noteSecret() { holdsSecret = true }

  /// Notes the value of a secret member.
  mutating func addSecret(_ value: String) {
    holdsSecret = true
    values.append(value)
  }

  /// Notes a value whose charset may be unknown. It is noted as UTF-8 and as Latin-1.
  mutating func addSecret(bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    addSecret(text)
    if !text.utf8.elementsEqual(bytes), let latin1 = String(data: Data(bytes), encoding: .isoLatin1) {
      addSecret(latin1)
    }
  }
}
