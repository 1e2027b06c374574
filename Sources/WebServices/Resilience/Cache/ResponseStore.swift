public import Foundation

/// Stores the responses of a cache. Implement this protocol to keep responses in a place of your own.
///
/// The calls come from any thread, several at once, and may block. They don't throw: a store that can't read or write a
/// response treats it as missing.
public protocol ResponseStore: Sendable {
  /// Random bytes that stay the same as long as the stored responses do. Secrets are stored as digests made with them.
  var salt: Data { get }

  /// Whether every call returns at once. The library may call such a store on a transport's thread. It calls any other
  /// store on its own queue.
  var isImmediate: Bool { get }

  /// The responses that are stored under a key, one for each variant; empty when there is none.
  func lookup(_ key: CacheKey) -> [CachedResponse]

  /// Stores a response in place of the stored one that the same requests match; see
  /// ``CachedResponse/variants(_:adding:)``.
  func store(_ response: CachedResponse, for key: CacheKey)

  /// Removes the responses that are stored under a key.
  func remove(_ key: CacheKey)

  /// Removes the responses for a URL, as ``CacheKey/url`` has it, of all identities.
  func removeAll(ofURL url: String)

  /// Removes all responses.
  func removeAll()
}

extension ResponseStore {
  /// `false`
  public var isImmediate: Bool { false }
}
