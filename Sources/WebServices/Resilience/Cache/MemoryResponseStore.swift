public import Foundation

/// Stores responses in memory, up to a number of bytes. The least recently used responses are removed first. The store
/// ends with the process.
public final class MemoryResponseStore: ResponseStore {
  private struct State {
    var responses = RecencyOrder<CacheKey, [CachedResponse]>()
    /// The keys of each URL, so that `removeAll(ofURL:)` doesn't look at every response.
    var keysOfURL: [String: Set<CacheKey>] = [:]

    mutating func remove(_ key: CacheKey) {
      guard responses.remove(key) != nil else { return }
      keysOfURL[key.url]?.remove(key)
      if keysOfURL[key.url]?.isEmpty ?? false { keysOfURL[key.url] = nil }
    }
  }

  /// Random bytes, different in every store.
  public let salt: Data
  /// The most bytes that the responses take together, by `CachedResponse.cost`.
  package let limit: Int
  /// Guards the responses. Every call holds the lock for a short time only, which is why `isImmediate` is `true`.
  private let state = Locked(State())

  /// `true`
  public var isImmediate: Bool { true }

  /// Creates an empty store.
  ///
  /// - Parameter limit: bytes; the responses of one URL may take an eighth of it.
  public init(limit: Int = 16 * 1024 * 1024) {
    self.limit = max(0, limit)
    salt = RandomSalt.make()
  }

  /// The bytes that the responses take now.
  package var cost: Int { state.withLock { $0.responses.totalCost } }

  /// The responses that are stored under a key. The key then counts as used last.
  public func lookup(_ key: CacheKey) -> [CachedResponse] {
    state.withLock { $0.responses.use(key) ?? [] }
  }

  /// Stores a response. Removes the responses whose last use is the longest ago until there is room for it.
  ///
  /// - Parameters:
  ///   - response: the response to store. If it takes more than an eighth of the limit, it isn't stored, and the key's
  ///     former responses are removed.
  ///   - key: the key of the response's request.
  public func store(_ response: CachedResponse, for key: CacheKey) {
    state.withLock { state in
      var variants = CachedResponse.variants(state.responses.peek(key) ?? [], adding: response)
      while variants.count > 1, variants.cost > limit / 8 { variants.removeLast() }
      guard variants.cost <= limit / 8 else { return state.remove(key) }
      state.responses.insert(variants, for: key, cost: variants.cost)
      state.keysOfURL[key.url, default: []].insert(key)
      while state.responses.totalCost > limit, let oldest = state.responses.leastRecent { state.remove(oldest) }
    }
  }

  /// Removes the responses that are stored under a key.
  public func remove(_ key: CacheKey) {
    state.withLock { $0.remove(key) }
  }

  /// Removes the responses for a URL, of all identities.
  ///
  /// - Parameter url: the URL as ``CacheKey/url`` has it.
  public func removeAll(ofURL url: String) {
    state.withLock { state in
      for key in state.keysOfURL[url] ?? [] { state.remove(key) }
    }
  }

  /// Removes all responses.
  public func removeAll() {
    state.withLock { $0 = State() }
  }
}

extension [CachedResponse] {
  fileprivate var cost: Int { reduce(0) { $0 + $1.cost } }
}

/// Makes the random bytes of a store's `salt`.
enum RandomSalt {
  static let length = 32

  static func make() -> Data {
    var generator = SystemRandomNumberGenerator()
    return Data((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}
