package import Foundation

/// The key of a stored response: the URL of the request, the virtual host that the request names, and who asked.
public struct CacheKey: Hashable, Sendable {
  /// The URL without its fragment and user info, with scheme and host in lower case, and without the scheme's own port (RFC
  /// 9110, section 4.2.3). Two ways to escape a path are two keys.
  public let url: String
  /// The host of a `Host` field that the caller set, in lower case; `nil` where it is the host of the URL. One server
  /// gives other responses for other hosts.
  package let host: String?
  /// The identity whose credentials the request has; `nil` for a request without credentials.
  package let identity: CacheIdentity?

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - url: the URL of the request.
  ///   - host: the value of the request's `Host` field; `nil` where the caller set none.
  ///   - identity: who asked; `nil` is nobody.
  package init(url: URL, host: String? = nil, identity: CacheIdentity?) {
    self.init(.foundation(url), host: host, identity: identity)
  }

  init(_ request: TransportRequest, identity: CacheIdentity?) {
    let host = request.headers["Host"] == nil ? nil : request.headers.values(for: "Host").joined(separator: ",")
    self.init(request.urlForm, host: host, identity: identity)
  }

  private init(_ url: URLForm, host: String?, identity: CacheIdentity?) {
    self.url = url.normalizedText
    self.host = host.flatMap { Self.virtualHost($0.trimmingFieldWhitespace, of: url.parsed?.origin) }
    self.identity = identity
  }

  /// The host that a `Host` field names; `nil` where it is that of the URL.
  private static func virtualHost(_ field: String, of origin: URLOrigin?) -> String? {
    let named = (try? URLOrigin(field[...], isSecure: origin?.isSecure ?? true).hostAndPort) ?? field.lowercased()
    return named == origin?.hostAndPort ? nil : named
  }
}

extension CacheKey: DescriptionOnly {
  /// The URL without the values of secret query items, the virtual host, and the identity.
  public var description: String {
    let host = host.map { " at \($0)" } ?? ""
    return "\(Redaction.standard.url(url))\(host) (\(identity?.description ?? "nobody"))"
  }
}
