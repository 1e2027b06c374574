/// What a request wants of the cache. The directives of a `Cache-Control` field of the request's own count besides.
public enum CachePolicy: Hashable, Sendable {
  /// What RFC 9111 allows: a stored answer while it is fresh, else the server, with the stored answer's validators.
  case useCache
  /// The server's answer, whatever is stored; it is stored then. Caches on the way are asked to do the same.
  case reload
  /// The server is asked whether the stored answer is still right. One that was declared immutable is used while it is
  /// fresh all the same (RFC 8246).
  case revalidate
  /// A stored answer or none: what isn't there, or may not be used as it is, is a 504 (RFC 9111, section 5.2.1.7).
  /// Nothing is sent. With `Cache-Control: max-stale` in the request a stale one will do.
  case onlyIfCached
  /// The server's answer, and nothing of it is stored.
  case noStore
}

private enum CachePolicyKey: RequestOptionKey {
  static var defaultValue: CachePolicy? { nil }
}

extension RequestOptions {
  /// How the request uses the cache; `nil` means the configuration's policy.
  public var cachePolicy: CachePolicy? {
    get { self[CachePolicyKey.self] }
    set { self[CachePolicyKey.self] = newValue }
  }
}
