extension ResponseCache {
  /// Says how a request uses the cache: whether a stored response will do, and whether the server's response is stored.
  /// The directives in the request's own `Cache-Control` field count too.
  public enum Policy: Hashable, Sendable {
    /// Follows RFC 9111: uses a stored response while it is fresh, then asks the server with the response's validators.
    case useCache
    /// Asks the server even if a fresh response is stored, and stores the server's response. The request tells caches
    /// on the way to do the same.
    case reload
    /// Asks the server whether the stored response is still right. A response that was declared immutable is used
    /// without asking while it is fresh (RFC 8246).
    case revalidate
    /// Uses a stored response and sends nothing. Without a usable stored response the result is a 504 (RFC 9111,
    /// section 5.2.1.7), as it is for every stream and download. `Cache-Control: max-stale` in the request allows a
    /// stale response.
    case onlyIfCached
    /// Asks the server, and doesn't store the response.
    case noStore
  }
}

private enum CachePolicyKey: LibraryOptionKey { static var defaultValue: ResponseCache.Policy? { nil } }

extension RequestOptions {
  /// How the request uses the cache; `nil` means the configuration's policy.
  public var cachePolicy: ResponseCache.Policy? {
    get { self[CachePolicyKey.self] }
    set { self[CachePolicyKey.self] = newValue }
  }
}

extension WebServiceRequestData {
  /// A copy of the request with another cache policy.
  public func cachePolicy(_ policy: ResponseCache.Policy) -> Request { with { $0.options.cachePolicy = policy } }
}

extension WebServiceConfiguration {
  /// How requests use the cache. The default is `.useCache`. A request can have its own policy.
  public var cachePolicy: ResponseCache.Policy {
    get { layerOptions.cachePolicy ?? .useCache }
    set { layerOptions.cachePolicy = newValue }
  }
}
