/// A URL that shows itself only without its secrets. The work of hiding them is done when it is read, not before.
public struct RedactedURL: Sendable {
  private let raw: String
  private let redaction: Redaction

  /// Keeps a URL, or what was given for one.
  public init(_ url: String, redaction: Redaction = .standard) {
    raw = url
    self.redaction = redaction
  }

  /// Host and port as they were written, `api.example.com:8443`, without user info; empty where there are none.
  public var authority: Substring {
    let bytes = raw.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      return ""
    }
    let rest = bytes[bytes.index(colon, offsetBy: 3)...]
    let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    let authority = rest[..<(end ?? rest.endIndex)]
    let start = authority.lastIndex(of: UInt8(ascii: "@")).map { authority.index(after: $0) }
    return Substring(authority[(start ?? authority.startIndex)...])
  }
}

extension RedactedURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The URL with its secrets hidden.
  public var description: String { redaction.url(raw) }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Shows the description alone.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
