/// A URL that shows itself only without its secrets. The work of hiding them is done when it is read, not before.
public struct RedactedURL: Sendable {
  /// One object for both: every event of a request has the same.
  private final class Content: Sendable {
    let raw: String
    let redaction: Redaction

    init(raw: String, redaction: Redaction) {
      self.raw = raw
      self.redaction = redaction
    }
  }

  private let content: Content

  /// Keeps a URL, or what was given for one.
  public init(_ url: String, redaction: Redaction = .standard) {
    content = Content(raw: url, redaction: redaction)
  }

  /// Host and port as they were written, `api.example.com:8443`, without user info; empty where there are none.
  public var authority: String { withAuthority { String(decoding: $0, as: UTF8.self) } }

  /// The same without a copy, since it is looked at for every request that is counted.
  func withAuthority<Output>(_ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Output) -> Output {
    let bytes = content.raw.utf8
    return bytes.withContiguousStorageIfAvailable { body(Self.authority(of: $0)) }
      ?? Array(bytes).withUnsafeBufferPointer { body(Self.authority(of: $0)) }
  }

  private static func authority(of bytes: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
    let slash = UInt8(ascii: "/")
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 2 < bytes.count, bytes[colon + 1] == slash,
      bytes[colon + 2] == slash
    else { return bytes[0..<0] }
    var start = colon + 3
    var end = start
    while end < bytes.count, bytes[end] != slash, bytes[end] != UInt8(ascii: "?"), bytes[end] != UInt8(ascii: "#") {
      if bytes[end] == UInt8(ascii: "@") { start = end + 1 }
      end += 1
    }
    return bytes[start..<end]
  }
}

extension RedactedURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The URL with its secrets hidden.
  public var description: String { content.redaction.url(content.raw) }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Shows the description alone.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
