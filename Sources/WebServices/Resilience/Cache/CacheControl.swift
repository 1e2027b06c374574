/// The directives of a `Cache-Control` field, in a request or a response (RFC 9111, section 5.2).
///
/// Unknown directives are kept and mean nothing. Arguments are taken with and without quotes, whatever the directive's
/// own syntax says. What is no directive is left out.
package struct CacheControl: Hashable, Sendable {
  /// One directive.
  package struct Directive: Hashable, Sendable {
    /// The name in lower case.
    package let name: String
    /// What stands behind the equals sign, without quotes; `nil` where there is none.
    package let argument: String?

    /// Creates a directive; the name is made lower case.
    package init(name: String, argument: String? = nil) {
      self.name = name.utf8.contains { $0 != $0.asciiLowercased || $0 >= 0x80 } ? name.lowercased() : name
      self.argument = argument
    }
  }

  /// The directives in their order, repeated ones included.
  package let directives: [Directive]

  /// Reads the value of a field; several lines of it are one value, joined by commas.
  package init(_ value: String) {
    guard !value.isEmpty else {
      directives = []
      return
    }
    var parser = CacheControlParser(bytes: Array(value.utf8))
    directives = parser.run()
  }

  /// Reads what all `Cache-Control` lines say together.
  package init(_ headers: HTTPHeaders) {
    // Most requests and many answers have none.
    guard let value = headers["Cache-Control"] else {
      self.init("")
      return
    }
    let values = headers.values(for: "Cache-Control")
    self.init(values.count == 1 ? value : values.joined(separator: ","))
  }

  /// Whether the directive is there, with or without an argument.
  package func contains(_ name: String) -> Bool {
    directives.contains { $0.name == name }
  }

  /// The first directive of the name.
  package func first(_ name: String) -> Directive? {
    directives.first { $0.name == name }
  }

  /// The most seconds that are told apart: 2³¹ − 1, the greatest whole number on every system. More is as much
  /// (RFC 9111, section 1.2.2).
  package static let secondsLimit = 2_147_483_647

  /// Reads `delta-seconds`: digits only, clamped to `secondsLimit`; `nil` for anything else.
  package static func seconds(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return min(Int(text) ?? secondsLimit, secondsLimit)
  }

  /// The seconds of the first directive of the name; `nil` where there is none, or where its argument is no number.
  package func seconds(of name: String) -> Int? {
    first(name)?.argument.flatMap(Self.seconds)
  }
}

extension CacheControl {
  /// `max-age` in seconds. One that can't be read counts as 0: what is unclear is stale (RFC 9111, section 4.2.1).
  var maxAge: Int? {
    contains("max-age") ? seconds(of: "max-age") ?? 0 : nil
  }

  /// How stale an answer a request takes; without an argument any (RFC 9111, section 5.2.1.2).
  var maxStale: Int? {
    guard let directive = first("max-stale") else { return nil }
    guard let argument = directive.argument else { return Self.secondsLimit }
    return Self.seconds(argument)
  }

  /// Whether nothing may be used without asking the server: `no-cache` without field names.
  var isNoCache: Bool {
    directives.contains { $0.name == "no-cache" && ($0.argument ?? "").isEmpty }
  }

  /// Whether nothing may be stored. Who demands to be understood says with `no-store` what others shall do (RFC 9111,
  /// section 5.2.2.3).
  var isNoStore: Bool { contains("no-store") && !contains("must-understand") }

  /// The fields that may not be used without asking the server: `no-cache="Set-Cookie"`.
  var noCacheFields: [String] {
    directives.filter { $0.name == "no-cache" }.flatMap { directive in
      (directive.argument ?? "").split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map(String.init)
    }
  }
}

/// Reads directives from left to right, in one pass.
private struct CacheControlParser {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func run() -> [CacheControl.Directive] {
    var directives: [CacheControl.Directive] = []
    while position < bytes.count {
      let name = take(until: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "=") })
      var argument: String?
      if current == UInt8(ascii: "=") {
        position += 1
        argument = takeArgument()
      }
      // A quoted string may have something behind it that belongs nowhere.
      _ = take(until: { $0 == UInt8(ascii: ",") })
      position += 1
      guard name.utf8.isHTTPToken else { continue }
      directives.append(CacheControl.Directive(name: name, argument: argument))
    }
    return directives
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func takeArgument() -> String {
    while current == 0x20 || current == 0x09 { position += 1 }
    guard current == UInt8(ascii: "\"") else { return take(until: { $0 == UInt8(ascii: ",") }) }
    position += 1
    var content: [UInt8] = []
    while let byte = current {
      position += 1
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\"), let escaped = current {
        content.append(escaped)
        position += 1
      } else {
        content.append(byte)
      }
    }
    return String(decoding: content, as: UTF8.self)
  }

  /// What comes before the end, without white space around it.
  private mutating func take(until isEnd: (UInt8) -> Bool) -> String {
    var start = position
    while let byte = current, !isEnd(byte) { position += 1 }
    var end = position
    while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
    while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
