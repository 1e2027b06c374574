/// Stores the responses of a cache.
///
/// The calls come from any thread, several at once, and may block. They don't throw: a store that can't read or write a
/// response treats it as missing.
package protocol ResponseStore: Sendable {
  /// Whether every call returns at once, so that it may be made on a transport's thread. Any other store is called on a
  /// queue of the cache.
  var isImmediate: Bool { get }

  /// The responses that are stored under a key, one for each variant; empty when there is none. The key then counts as
  /// used last.
  func lookup(_ key: CacheKey) -> [CachedResponse]

  /// Stores a response in place of the stored one that the same requests match. Removes the least recently used
  /// responses until a tenth of the limit is free, if the limit is exceeded. A response that takes more than an eighth
  /// of the limit isn't stored, and removes the key's former responses.
  func store(_ response: CachedResponse, for key: CacheKey)

  /// Removes the responses that are stored under a key.
  func remove(_ key: CacheKey)

  /// Removes the responses for a URL, as `CacheKey.url` has it, of all identities.
  func removeAll(ofURL url: String)

  /// Removes all responses.
  func removeAll()
}
