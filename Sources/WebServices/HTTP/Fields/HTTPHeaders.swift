public import Foundation

/// The header fields of a request or a response, in the order in which they were added.
///
/// Names are compared without case; fields that repeat (`Set-Cookie`) are kept apart. A name that isn't a token or a
/// value with a control character other than the tab is refused before the request is sent.
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral, RandomAccessCollection, DescriptionOnly {
  /// One field line.
  public struct Field: Hashable, Sendable, DescriptionOnly {
    /// The name with its original case.
    public var name: String
    /// The value. A received one has no white space around it.
    public var value: String

    /// Creates a field line.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }

    /// Compares the bytes: Swift takes two forms of `é` for the same text, and a server may not.
    public static func == (left: Field, right: Field) -> Bool {
      left.name.hasSameBytes(as: right.name) && left.value.hasSameBytes(as: right.value)
    }

    /// The field as a line, without secrets (``Redaction/standard``).
    public var description: String { Redaction.standard.line(for: self) }
  }

  /// The fields in their order.
  public private(set) var fields: [Field]

  /// Creates headers without a field.
  public init() { fields = [] }

  /// Creates headers from fields, repeated ones included.
  public init(_ fields: [Field]) { self.fields = fields }

  /// Creates headers from a dictionary, in the order of the names.
  public init(_ fields: [String: String]) {
    self.fields = fields.sorted { $0.key < $1.key }.map { Field(name: $0.key, value: $0.value) }
  }

  /// The first value of the name, compared without case. Setting it replaces every field of that name; setting `nil`
  /// removes them.
  public subscript(name: String) -> String? {
    get { firstIndex(of: name).map { fields[$0].value } }
    set {
      guard let newValue else { return remove(name) }
      guard let index = firstIndex(of: name) else { return add(name: name, value: newValue) }
      fields[index].value = newValue
      fields[(index + 1)...].removeAll { $0.name.equalsIgnoringASCIICase(name) }
    }
  }

  private func firstIndex(of name: String) -> Int? {
    // By index, because iterating over the elements copies both strings of each.
    fields.indices.first { fields[$0].name.equalsIgnoringASCIICase(name) }
  }

  /// All values of the name, in order.
  ///
  /// - Parameter name: the name of the fields, compared without case.
  /// - Returns: the values; empty if there is no such field.
  public func values(for name: String) -> [String] {
    fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
  }

  /// Appends a field, even if there is one with the same name.
  public mutating func add(name: String, value: String) { fields.append(Field(name: name, value: value)) }

  /// Removes every field of the name.
  ///
  /// - Parameter name: the name of the fields, compared without case.
  public mutating func remove(_ name: String) { fields.removeAll { $0.name.equalsIgnoringASCIICase(name) } }

  /// Removes every field of these names. Many names are hashed, because a server may send any number in `Connection`.
  package mutating func remove(_ names: [String]) {
    if names.count <= 16 { return fields.removeAll { names.contains(where: $0.name.equalsIgnoringASCIICase) } }
    let names = Set(names.map(\.asciiLowercased))
    fields.removeAll { names.contains($0.name.asciiLowercased) }
  }

  /// Makes room, so that fields that are added one by one cost one allocation.
  package mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

  /// Adds the other headers' fields. They replace all fields with the same names.
  public mutating func merge(_ other: HTTPHeaders) {
    guard !other.fields.isEmpty else { return }
    if !fields.isEmpty { remove(other.fields.map(\.name)) }
    fields.append(contentsOf: other.fields)
  }

  /// Adds fields in place of all fields with the same names. Most credentials have one field.
  package mutating func attach(_ fields: [Field]) {
    guard let field = fields.first, fields.count == 1 else { return merge(HTTPHeaders(fields)) }
    self[field.name] = field.value
  }

  /// The first field that may not be sent, or `nil` where all may.
  package var firstInvalidField: Field? {
    // By index, because iterating over the elements copies both strings of each.
    let index = fields.indices.first { !fields[$0].name.utf8.isHTTPToken || !fields[$0].value.utf8.isHTTPFieldValue }
    return index.map { fields[$0] }
  }

  /// Creates headers from a literal; a name that is written twice is sent twice.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The position of the first field.
  public var startIndex: Int { fields.startIndex }
  /// The position after the last field.
  public var endIndex: Int { fields.endIndex }
  /// The field at a position.
  public subscript(position: Int) -> Field { fields[position] }

  /// The fields in one line, without secrets (``Redaction/standard``). Only the `redaction` of a configuration knows an
  /// app's own names: `redaction.headers(_:)` hides those values too.
  public var description: String { Redaction.standard.headers(self) }

  // MARK: Fields whose values aren't text. One that is missing or malformed is `nil`; setting `nil` removes the field.

  /// `Range`: the requested part of the content.
  public var range: HTTPHeaders.ByteRange? {
    get { self["Range"].flatMap(HTTPHeaders.ByteRange.init) }
    set { self["Range"] = newValue?.description }
  }

  /// `Content-Type`
  public var contentType: MediaType? {
    get { self["Content-Type"].flatMap { MediaType($0) } }
    set { self["Content-Type"] = newValue?.description }
  }

  /// `Content-Length` in bytes; also `nil` if repeated fields have different values. A transport ignores the field of a
  /// request, and counts the bytes.
  public var contentLength: Int64? {
    get { values(for: "Content-Length").joined(separator: ",").announcedLength }
    set { self["Content-Length"] = newValue.map { "\($0)" } }
  }

  /// The codings that `Content-Encoding` names, in lower case and without `identity`. A server may send any number of
  /// commas. The text after the eighth one is an unknown coding.
  package var contentCodings: [String] {
    values(for: "Content-Encoding").flatMap { $0.split(separator: ",", maxSplits: 8) }
      .map(\.trimmingFieldWhitespace.asciiLowercased).filter { !$0.isEmpty && $0 != "identity" }
  }

  /// Whether the content is coded, so that no name or secret can be found in it.
  package var isCompressed: Bool { !contentCodings.isEmpty }

  /// `Last-Modified`, to the second.
  public var lastModified: Date? {
    get { moment("Last-Modified") }
    set { self["Last-Modified"] = newValue.map(HTTPDate.string) }
  }

  /// `If-Modified-Since`, to the second.
  public var ifModifiedSince: Date? {
    get { moment("If-Modified-Since") }
    set { self["If-Modified-Since"] = newValue.map(HTTPDate.string) }
  }

  /// `Date`, to the second.
  public var date: Date? {
    get { moment("Date") }
    set { self["Date"] = newValue.map(HTTPDate.string) }
  }

  /// The `Location` of a response with this status, if it leads to another request.
  package func redirectLocation(status: Int) -> String? {
    [301, 302, 303, 307, 308].contains(status) ? self["Location"] : nil
  }

  private func moment(_ name: String) -> Date? { self[name].flatMap { HTTPDate.date(from: $0) } }
}
