/// Stores responses in memory, up to a number of bytes.
package final class MemoryResponseStore: ResponseStore {
  /// The responses of one key.
  private struct Entry {
    let responses: [CachedResponse]
    /// The number of the last use.
    var lastUse: UInt64

    var cost: Int { responses.reduce(0) { $0 + $1.cost } }
  }

  private struct State {
    /// By URL and identity, so that `removeAll(ofURL:)` doesn't look at every key.
    var entries: [String: [String?: Entry]] = [:]
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
        entries.map { (key: CacheKey(url: url, identity: $0.key), lastUse: $0.value.lastUse) }
      }
      for use in uses.sorted(by: { $0.lastUse < $1.lastUse }) {
        guard cost > limit - limit / 10 else { break }
        remove(use.key)
      }
    }
  }

  /// The most bytes that the responses take together.
  private let limit: Int
  /// Guards the responses. Every call holds the lock for a short time only, which is why `isImmediate` is `true`.
  private let state = Locked(State())

  package init(limit: Int = 16 * 1024 * 1024) { self.limit = limit }

  package var isImmediate: Bool { true }

  /// The bytes that the responses take now.
  package var cost: Int { state.withLock { $0.cost } }

  package func lookup(_ key: CacheKey) -> [CachedResponse] {
    state.withLock { state in
      // An empty dictionary would hash the URL all the same.
      guard !state.entries.isEmpty, let url = state.entries.index(forKey: key.url),
        let place = state.entries.values[url].index(forKey: key.identity)
      else { return [] }
      state.entries.values[url].values[place].lastUse = state.lastUse.increment()
      return state.entries.values[url].values[place].responses
    }
  }

  package func store(_ response: CachedResponse, for key: CacheKey) {
    state.withLock { state in
      let stored = state.entries[key.url]?[key.identity]?.responses ?? []
      let variants = CachedResponse.variants(stored, adding: response, costLimit: limit / 8)
      state.remove(key)
      guard !variants.isEmpty else { return }
      let entry = Entry(responses: variants, lastUse: state.lastUse.increment())
      state.cost += entry.cost
      state.entries[key.url, default: [:]][key.identity] = entry
      if state.cost > limit { state.makeRoom(limit: limit) }
    }
  }

  package func remove(_ key: CacheKey) { state.withLock { $0.remove(key) } }

  package func removeAll(ofURL url: String) {
    state.withLock { state in state.entries.removeValue(forKey: url)?.values.forEach { state.cost -= $0.cost } }
  }

  package func removeAll() { state.withLock { $0 = State() } }
}
