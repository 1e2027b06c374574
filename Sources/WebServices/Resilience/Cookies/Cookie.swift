public import Foundation

extension CookieJar {
  /// A cookie of a jar. Read cookies with ``CookieJar/cookies(for:)``.
  public struct Cookie: DescriptionOnly, Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value as the server wrote it, quotes included. It counts as a credential.
    public let value: String
    /// The host that set the cookie, or the domain whose hosts get it.
    public let domain: String
    /// The path that a request's path has to begin with.
    public let path: String
    /// When the cookie ends; `nil` means with the jar.
    public let expires: Date?
    /// Whether only the host that set the cookie gets it, and no host below.
    public let isHostOnly: Bool
    /// Whether the cookie is sent over https alone.
    public let isSecure: Bool
    /// Whether the server wants to hide the cookie from scripts. Show it to no script of a web view.
    public let isHTTPOnly: Bool

    /// Whether a request for a URL is sent with the cookie (RFC 6265, section 5.4).
    func matches(_ target: HTTPURL) -> Bool {
      guard !isSecure || target.origin.isSecure else { return false }
      let host = target.origin.host
      // The dot keeps `badexample.com` from the cookies of `example.com`.
      guard host == domain || (!isHostOnly && host.hasSuffix("." + domain)) else { return false }
      return isAbove(String(target.path))
    }

    /// Whether both are one cookie, so that the later replaces the earlier (RFC 6265, section 5.3).
    func isSame(as other: Self) -> Bool {
      name == other.name && domain == other.domain && path == other.path && isHostOnly == other.isHostOnly
    }

    /// Whether a response over http must not set the other cookie, because it would replace or hide this one, which is
    /// sent over https alone (draft RFC 6265bis, section 5.7). Otherwise somebody on the network could plant a cookie.
    func isShielded(from other: Self) -> Bool {
      guard isSecure, name == other.name, isAbove(other.path) else { return false }
      // Also for a host below: the other's domain includes that host.
      return domain == other.domain || domain.hasSuffix("." + other.domain) || other.domain.hasSuffix("." + domain)
    }

    // MARK: Paths (RFC 6265, section 5.1.4)

    /// The path of a cookie that names none: the request's path before its last slash.
    static func standardPath(for target: HTTPURL) -> String {
      let path = target.path
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
      return String(path[..<slash])
    }

    /// Whether a path is that of the cookie or below it: `/a/b` is below `/a`, and `/ab` isn't.
    private func isAbove(_ other: String) -> Bool {
      guard other.utf8.starts(with: path.utf8) else { return false }
      let rest = other.utf8.dropFirst(path.utf8.count)
      return rest.isEmpty || path.utf8.last == UInt8(ascii: "/") || rest.first == UInt8(ascii: "/")
    }

    func hasEnded(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// The name and the scope of the cookie, without its value.
    public var description: String {
      "\(name)=\(Redaction.placeholder) for \(isHostOnly ? "" : ".")\(domain)\(path)\(isSecure ? " over https" : "")"
    }
  }
}
