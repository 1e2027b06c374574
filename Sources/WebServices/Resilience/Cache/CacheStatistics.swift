/// What a cache has done since it was made.
public struct CacheStatistics: Hashable, Sendable {
  /// Answers from the store that were fresh, or stale as the request allowed.
  public var hits = 0
  /// Stale answers from the store that were handed out while the server was asked.
  public var staleHits = 0
  /// Requests for which nothing that is stored helped, and that may use what is.
  public var misses = 0
  /// Stored answers that the server confirmed.
  public var revalidations = 0
  /// Stored answers that stood in for a server that failed.
  public var staleOnError = 0
  /// Answers that were put into the store, confirmed ones included.
  public var stores = 0
  /// URLs whose answers a request that changes something made obsolete.
  public var invalidations = 0

  /// Creates statistics of nothing.
  package init() {}
}
