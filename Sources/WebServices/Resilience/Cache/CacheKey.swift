public import Foundation

/// Under what an answer is stored: the URL that was asked, and who asked.
public struct CacheKey: Hashable, Sendable {
  /// The URL without its fragment; scheme and host in lower case, without the scheme's own port (RFC 9110, section
  /// 4.2.3). Nothing else is changed: two ways to escape a path are two keys.
  public let url: String
  /// Who asked; `nil` is nobody.
  public let identity: CacheIdentity?

  /// Creates a key.
  public init(url: URL, identity: CacheIdentity?) {
    self.init(url: Self.normalized(url.absoluteString), identity: identity)
  }

  init(url: String, identity: CacheIdentity?) {
    self.url = url
    self.identity = identity
  }

  static func normalized(_ text: String) -> String {
    // Nearly every URL is written so already.
    if text.utf8.withContiguousStorageIfAvailable(isNormal) == true { return text }
    let whole = Substring(text).prefixBytes { $0 != UInt8(ascii: "#") }
    guard let colon = URLParts.endOfScheme(text) else { return String(whole) }
    let scheme = text[..<colon].lowercased()
    let afterSlashes = whole[text.utf8.index(colon, offsetBy: 3)...]
    let authority = afterSlashes.prefixBytes { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    let rest = afterSlashes[authority.endIndex...]
    let needsSlash = rest.utf8.first != UInt8(ascii: "/")
    return "\(scheme)://\(normalized(authority, scheme: scheme))\(needsSlash ? "/" : "")\(rest)"
  }

  /// Whether it is sure that nothing of a URL would be changed; a port of its own makes it unsure. One look at each
  /// byte, since every request is asked.
  private static func isNormal(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    while position < bytes.count, bytes[position].isLowerCaseLetter { position += 1 }
    guard position + 3 < bytes.count, bytes[position] == UInt8(ascii: ":"), bytes[position + 1] == UInt8(ascii: "/"),
      bytes[position + 2] == UInt8(ascii: "/")
    else { return false }
    position += 3
    while position < bytes.count, bytes[position].isPlainInAuthority { position += 1 }
    guard position < bytes.count, bytes[position] == UInt8(ascii: "/") else { return false }
    guard let start = bytes.baseAddress else { return false }
    return memchr(start + position, Int32(UInt8(ascii: "#")), bytes.count - position) == nil
  }

  private static func normalized(_ authority: Substring, scheme: String) -> String {
    // What stands before the sign is somebody's name: its case matters.
    let hostStart = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority.utf8.index(after: $0) }
    let start = hostStart ?? authority.startIndex
    var host = authority[start...].lowercased()
    for suffix in [scheme == "https" ? ":443" : ":80", ":"] where host.hasSuffix(suffix) {
      host.removeLast(suffix.count)
      break
    }
    return authority[..<start] + host
  }
}

extension CacheKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The URL without the values of secret query items, and the identity.
  public var description: String {
    "\(Redaction.standard.url(url)) (\(identity?.description ?? "nobody"))"
  }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Nothing more than the description has.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Substring {
  fileprivate func prefixBytes(while isWanted: (UInt8) -> Bool) -> Substring {
    self[..<(utf8.firstIndex { !isWanted($0) } ?? endIndex)]
  }
}

extension UInt8 {
  fileprivate var isLowerCaseLetter: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }

  /// Whether it stands in hosts that are written as they are looked up, without a port.
  fileprivate var isPlainInAuthority: Bool {
    isLowerCaseLetter || isASCIIDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
  }
}
