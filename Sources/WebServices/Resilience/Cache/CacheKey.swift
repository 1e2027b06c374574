public import Foundation

/// The key of a stored response: the URL of the request, the virtual host that the request names, and who asked.
public struct CacheKey: Hashable, Sendable {
  /// The URL without its fragment; scheme and host in lower case, without the scheme's own port (RFC 9110, section
  /// 4.2.3). Nothing else is changed: two ways to escape a path are two keys.
  public let url: String
  /// The host of a `Host` field that the caller set, in lower case; `nil` where it is the host of the URL. One server
  /// gives other responses for other hosts.
  public let host: String?
  /// Who asked; `nil` is nobody.
  public let identity: CacheIdentity?

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - url: the URL of the request.
  ///   - host: the value of the request's `Host` field; `nil` where the caller set none.
  ///   - identity: who asked; `nil` is nobody.
  public init(url: URL, host: String? = nil, identity: CacheIdentity?) {
    self.init(url: Self.normalized(url.absoluteString), host: host, identity: identity)
  }

  init(_ request: TransportRequest, identity: CacheIdentity?) {
    let host = request.headers["Host"] == nil ? nil : request.headers.values(for: "Host").joined(separator: ",")
    self.init(url: Self.normalized(request.address), host: host, identity: identity)
  }

  init(url: String, host: String? = nil, identity: CacheIdentity?) {
    self.url = url
    self.host = host.flatMap { Self.virtualHost($0, of: url) }
    self.identity = identity
  }

  /// The host that a `Host` field names; `nil` where it is that of the URL.
  private static func virtualHost(_ host: String, of url: String) -> String? {
    guard let colon = URLParts.endOfScheme(url) else { return host }
    let named = normalized(Substring(host.trimmingFieldWhitespace), scheme: String(url[..<colon]))
    let authority = url[url.utf8.index(colon, offsetBy: 3)...].prefixBytes { $0 != UInt8(ascii: "/") }
    let userEnd = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority.utf8.index(after: $0) }
    return named == String(authority[(userEnd ?? authority.startIndex)...]) ? nil : named
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
  /// The URL without the values of secret query items, the virtual host, and the identity.
  public var description: String {
    let host = host.map { " at \($0)" } ?? ""
    return "\(Redaction.standard.url(url))\(host) (\(identity?.description ?? "nobody"))"
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
