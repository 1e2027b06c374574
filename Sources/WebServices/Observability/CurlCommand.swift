import Foundation

/// Writes a request as a cURL command line that can be pasted into a POSIX shell.
///
/// Its ``description`` has secrets hidden and is fit for a log. A comment above the command names each part that was
/// left out. Such parts are streams (also in a multipart body) and bodies that are too large. With secrets hidden, a
/// body that isn't text is left out too.
///
/// The article <doc:SeeingWhatHappens> has samples.
public struct CurlCommand: DescriptionOnly, Sendable {
  private var request: TransportRequest
  private let redaction: Redaction

  /// The most bytes of a body in a command line.
  package static let bodyLimit = 64 * 1024

  /// Creates a command line for a request.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - redaction: the names whose values ``description`` hides wherever they occur. The credentials of the engine are
  ///     hidden too. Any other credential in a header with an unknown name stays visible.
  public init(_ request: TransportRequest, redaction: Redaction = .standard) {
    self.request = request
    self.redaction = redaction
    // With these methods a transport sends `Content-Length: 0`, and without data cURL wouldn't.
    if case .none = request.body, [.post, .put, .patch].contains(request.method) { self.request.body = .data(Data()) }
  }

  /// The command line with all secrets, so that it sends the same request.
  ///
  /// - Warning: It contains passwords, tokens and cookies in plain text. Don't log it and don't send it to anybody. A
  ///   shell keeps pasted lines in its history.
  public func revealingSecrets() -> String { Composer(request: request, redaction: nil).compose() }

  /// Composes a command line, with one option per line. Call `compose()` once.
  fileprivate struct Composer {
    let request: TransportRequest
    /// `nil` hides nothing.
    let redaction: Redaction?
    /// The lines above the command.
    var comments: [String] = []
    /// The format of a `printf` whose output is piped into the command.
    var input: String?
    var options: [String] = []

    consuming func compose() -> String {
      addMethod()
      addHeaders()
      addBody()
      addURL()
      let command = (["curl"] + options).joined(separator: " \\\n  ")
      let pipe = input.map { "printf \($0) | " } ?? ""
      return comments.map { "# \($0)\n" }.joined() + pipe + command
    }

    private mutating func addMethod() {
      switch (request.method, request.body) {
      case (.get, .none): break
      // With `--request HEAD` cURL would wait for content.
      case (.head, .none): options.append("--head")
      case (let method, _) where method.isValid: add("--request", method.rawValue)
      default: comments.append("The method is invalid and left out.")
      }
    }

    private mutating func addHeaders() {
      // cURL would send a length that a transport ignores, and the server would wait for the rest.
      let fields = request.headers.filter { !$0.isFraming }
      let valid = fields.filter { HTTPHeaders([$0]).firstInvalidField == nil }
      if valid.count < fields.count { comments.append("An invalid header field is left out.") }
      for field in valid { add("--header", line(for: field)) }
      if request.headers["Accept-Encoding"] != nil { options.append("--compressed") }
    }

    private func line(for field: HTTPHeaders.Field) -> String {
      let value = field.value.trimmingWhitespace
      // cURL sends an empty value for `Name;`, and leaves the field out for `Name:`.
      if value.isEmpty { return "\(field.name);" }
      return "\(field.name): \(redaction?.hides(header: field.name) == true ? Redaction.placeholder : hidden(value))"
    }

    /// The text without secrets, and otherwise unchanged.
    private func hidden(_ text: String) -> String {
      redaction.map { String(decoding: $0.content(Data(text.utf8)), as: UTF8.self) } ?? text
    }

    private mutating func addBody() {
      switch request.body {
      case .none: return
      case .data(let data): add(data)
      case .file(let url): add("--data-binary", "@" + hidden(url.path))
      case .stream: comments.append("The body is a stream, which is left out.")
      }
      // Otherwise cURL would declare the body a form.
      if request.headers["Content-Type"] == nil { add("--header", "Content-Type:") }
    }

    private mutating func add(_ body: Data) {
      guard body.count <= CurlCommand.bodyLimit
      else { return comments.append("The body of \(body.count) bytes is too large and left out.") }
      // Decoding may drop a byte order mark, and the command has to send the same bytes.
      var text = String(data: body, encoding: .utf8).flatMap { $0.utf8.elementsEqual(body) ? $0 : nil }
      if redaction != nil {
        // No names can be found in a compressed body.
        guard let plain = text, !request.headers.isCompressed, !plain.unicodeScalars.contains("\0") else {
          return comments.append(
            "The body of \(body.count) bytes is no text and left out, because it may contain a secret.")
        }
        text = hidden(plain)
      }
      // Readable text is an argument. Other bytes are piped.
      if let text, text.isPasteable { return add("--data-raw", text) }
      input = (text.map { Data($0.utf8) } ?? body).printfFormat
      add("--data-binary", "@-")
    }

    private mutating func addURL() {
      let url = request.address
      // Otherwise cURL would read brackets and braces as a set of URLs, and would remove dot segments.
      if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { options.append("--globoff") }
      if url.contains("/.") { options.append("--path-as-is") }
      add("--url", redaction?.url(url) ?? url)
    }

    private mutating func add(_ option: String, _ value: String) { options.append("\(option) \(value.shellQuoted)") }
  }

  /// The command line with secrets hidden.
  public var description: String {
    Composer(request: request, redaction: redaction.hiding(secretsOf: request)).compose()
  }
}

// MARK: Words of a POSIX shell (Shell Command Language, section 2.2)

extension String {
  private static let plainInShell = ByteSet.alphanumeric.union("-_./:")

  /// The text as one literal word of a shell: in apostrophes, which protect everything but an apostrophe. The shell
  /// makes control characters itself, so that the word can be printed.
  fileprivate var shellQuoted: String {
    if !isEmpty, utf8.allSatisfy(Self.plainInShell.contains) { return self }
    guard isPasteable else { return "\"$(printf \(Data(utf8).printfFormat))\"" }
    // By scalars, because an apostrophe and a combining mark make one `Character`.
    return "'" + unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }

  /// Whether the text can be pasted into a terminal: it has no control character other than a line feed.
  fileprivate var isPasteable: Bool { unicodeScalars.allSatisfy { $0 == "\n" || !$0.isControl } }
}

extension Data {
  /// A format of `printf` that gives these bytes, as a quoted word of printable ASCII.
  fileprivate var printfFormat: String {
    var output = "'"
    for byte in self {
      // `printf` would read a leading hyphen as an option, and some shells expand `!` here. Three octal digits, because
      // `\x` isn't in POSIX.
      let isPlain = (0x20...0x7E).contains(byte) && !"'%\\!".utf8.contains(byte) && (byte != 0x2D || output != "'")
      output += isPlain ? "\(Unicode.Scalar(byte))" : "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)"
    }
    return output + "'"
  }
}
