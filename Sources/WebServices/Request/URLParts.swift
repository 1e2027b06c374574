import Foundation

/// The parts of a target, checked as far as they can be without the whole, and not encoded yet. A service's base URL is
/// taken apart once, and each request's path appended to the parts.
struct URLParts: Sendable {
  /// Scheme and authority, `https://api.example.com`.
  private(set) var origin: String
  private(set) var path: String
  private(set) var query: String

  /// Takes an absolute `http` or `https` URL apart.
  init(absolute target: String) throws(RequestURL.Failure) {
    try Self.checkControls(target)
    guard let colon = Self.endOfScheme(target) else { throw RequestURL.Failure(reason: "it has no scheme") }
    let scheme = target[..<colon].lowercased()
    guard scheme == "http" || scheme == "https" else {
      throw RequestURL.Failure(reason: "its scheme is neither http nor https")
    }
    let afterSlashes = target[target.utf8.index(colon, offsetBy: 3)...]
    let end = afterSlashes.utf8.firstIndex { $0.endsURLAuthority } ?? afterSlashes.endIndex
    let authority = afterSlashes[..<end]
    try Self.check(authority)
    origin = "\(scheme)://\(authority)"
    (path, query) = Self.split(afterSlashes[end...])
    if path.isEmpty { path = "/" }
    guard URL(string: origin)?.host?.isEmpty == false else { throw RequestURL.Failure(reason: "it has no valid host") }
  }

  /// The parts with a path and perhaps a query behind them, whatever slashes the two have where they meet.
  func appending(_ target: String) throws(RequestURL.Failure) -> URLParts {
    try Self.checkControls(target)
    guard !target.utf8.starts(with: "//".utf8) else { throw RequestURL.Failure(reason: "it has a host but no scheme") }
    var parts = self
    let (targetPath, targetQuery) = Self.split(Substring(target))
    if !targetPath.isEmpty {
      while parts.path.utf8.last == UInt8(ascii: "/") { parts.path.removeLast() }
      if targetPath.utf8.first != UInt8(ascii: "/") { parts.path += "/" }
      parts.path += targetPath
    }
    parts.query = query.isEmpty ? targetQuery : targetQuery.isEmpty ? query : "\(query)&\(targetQuery)"
    return parts
  }

  /// Where the scheme of an absolute URL ends: letters, digits, `+`, `-` and `.` before `://` (RFC 3986, section 3.1).
  static func endOfScheme(_ target: String) -> String.Index? {
    let bytes = target.utf8
    guard let first = bytes.first, first.asciiLowercased >= UInt8(ascii: "a"),
      first.asciiLowercased <= UInt8(ascii: "z"),
      let end = bytes.firstIndex(where: { !$0.isSchemeByte }), bytes[end...].starts(with: "://".utf8)
    else { return nil }
    return end
  }

  private static func checkControls(_ target: String) throws(RequestURL.Failure) {
    guard !target.utf8.contains(PathSegment.refusal) else {
      throw RequestURL.Failure(
        reason: "a parameter of its path is empty, \".\" or \"..\", or a path with such a segment")
    }
    guard !target.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw RequestURL.Failure(reason: "it holds a control character")
    }
  }

  private static func check(_ authority: Substring) throws(RequestURL.Failure) {
    guard !authority.isEmpty else { throw RequestURL.Failure(reason: "it has no host") }
    guard !authority.utf8.contains(UInt8(ascii: "@")) else {
      throw RequestURL.Failure(reason: "user info in a URL isn't sent; use an authorization of type basic")
    }
    guard authority.utf8.allSatisfy({ $0 >= 0x80 || PercentEncoding.authority.allows($0) }) else {
      throw RequestURL.Failure(reason: "its host has a character that isn't allowed there")
    }
    guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else { return }
    let port = authority[authority.index(after: colon)...]
    guard port.isEmpty || UInt16(port) != nil else { throw RequestURL.Failure(reason: "its port is not one") }
  }

  /// Path and query; a fragment is for the one who asks, not for the server.
  private static func split(_ target: Substring) -> (path: String, query: String) {
    let bytes = target.utf8
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
    guard let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) else { return (String(target[..<end]), "") }
    return (String(target[..<mark]), String(target[bytes.index(after: mark)..<end]))
  }
}

extension UInt8 {
  /// Whether it is the first byte behind a URL's host and port.
  var endsURLAuthority: Bool {
    self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
  }

  fileprivate var isSchemeByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default:
      false
    }
  }
}
