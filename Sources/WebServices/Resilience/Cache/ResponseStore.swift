public import Foundation

/// Where a cache keeps its answers.
///
/// The calls come from any thread, several at once, and may block. None throws: a store that can't store forgets.
public protocol ResponseStore: Sendable {
  /// Random bytes that stay the same as long as what is stored does: digests of what must not be stored are made with
  /// them.
  var salt: Data { get }

  /// Whether every call returns at once. The engine calls such a store on a transport's thread too, any other on a queue
  /// of its own.
  var isImmediate: Bool { get }

  /// The answers that are stored under a key, one for each variant; empty where there is none.
  func lookup(_ key: CacheKey) -> [CachedResponse]

  /// Stores an answer, in place of the one that it stands for: see `CachedResponse.variants(_:adding:)`.
  func store(_ response: CachedResponse, for key: CacheKey)

  /// Forgets what is stored under a key.
  func remove(_ key: CacheKey)

  /// Forgets what is stored for a URL, as `CacheKey.url` has it, whoever asked and whatever virtual host was named.
  func removeAll(ofURL url: String)

  /// Forgets everything.
  func removeAll()
}

extension ResponseStore {
  /// `false`: nothing is known of it.
  public var isImmediate: Bool { false }
}
