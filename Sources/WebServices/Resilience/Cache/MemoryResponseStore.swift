public import Foundation

/// Stores responses in memory, up to a number of bytes. The least recently used responses are removed first. The store
/// ends with the process.
public final class MemoryResponseStore: ResponseStore {
  /// The responses of one key.
  private struct Entry {
    let responses: [CachedResponse]
    let cost: Int
    /// The number of the last use.
    var lastUse: UInt64
  }

  private struct State {
    /// By URL and identity, so that `removeAll(ofURL:)` doesn't look at every key.
    var entries: [String: [CacheIdentity?: Entry]] = [:]
    var cost = 0
    /// Counts uses.
    var lastUse: UInt64 = 0

    mutating func remove(_ key: CacheKey) {
      guard let former = entries[key.url]?.removeValue(forKey: key.identity) else { return }
      cost -= former.cost
      if entries[key.url]?.isEmpty ?? false { entries[key.url] = nil }
    }

    /// Removes the least recently used entries until a tenth of the limit is free. The free tenth makes sorting rare.
    mutating func makeRoom(limit: Int) {
      let uses = entries.flatMap { url, entries in
        entries.map { (key: CacheKey(url, identity: $0.key), lastUse: $0.value.lastUse) }
      }
      for use in uses.sorted(by: { $0.lastUse < $1.lastUse }) {
        guard cost > limit - limit / 10 else { break }
        remove(use.key)
      }
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
  package var cost: Int { state.withLock { $0.cost } }

  /// The responses that are stored under a key. The key then counts as used last.
  public func lookup(_ key: CacheKey) -> [CachedResponse] {
    state.withLock { state in
      // An empty dictionary would hash the URL all the same.
      guard !state.entries.isEmpty, let url = state.entries.index(forKey: key.url),
        let place = state.entries.values[url].index(forKey: key.identity)
      else { return [] }
      state.lastUse += 1
      state.entries.values[url].values[place].lastUse = state.lastUse
      return state.entries.values[url].values[place].responses
    }
  }

  /// Stores a response. If the limit is exceeded, the responses whose last use is the longest ago are removed until a
  /// tenth of it is free.
  ///
  /// - Parameters:
  ///   - response: the response to store. If it takes more than an eighth of the limit, it isn't stored, and the key's
  ///     former responses are removed.
  ///   - key: the key of the response's request.
  public func store(_ response: CachedResponse, for key: CacheKey) {
    guard response.cost <= limit / 8 else { return remove(key) }
    state.withLock { state in
      let stored = state.entries[key.url]?[key.identity]?.responses ?? []
      let variants = CachedResponse.variants(stored, adding: response, costLimit: limit / 8)
      let cost = variants.reduce(0) { $0 + $1.cost }
      state.remove(key)
      state.lastUse += 1
      state.cost += cost
      state.entries[key.url, default: [:]][key.identity] = Entry(
        responses: variants, cost: cost, lastUse: state.lastUse)
      if state.cost > limit { state.makeRoom(limit: limit) }
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
      state.entries.removeValue(forKey: url)?.values.forEach { state.cost -= $0.cost }
    }
  }

  /// Removes all responses.
  public func removeAll() {
    state.withLock { $0 = State() }
  }
}

/// Makes the random bytes of a store's `salt`.
enum RandomSalt {
  static let length = 32

  static func make() -> Data {
    var generator = SystemRandomNumberGenerator()
    return Data((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}
