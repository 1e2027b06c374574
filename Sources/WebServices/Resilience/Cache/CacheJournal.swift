import Foundation

/// What happened while answers were on their way: changes that make them obsolete, and refreshes that are under way.
/// Its size is bounded, whatever is asked.
struct CacheJournal: Sendable {
  /// Counts changes.
  private(set) var sequence: UInt64 = 0
  /// The last change of each URL.
  private var changes: [String: UInt64] = [:]
  /// What was asked before this is outdated, whatever its URL.
  private var floor: UInt64 = 0
  private var refreshes: [CacheKey: Date] = [:]

  static let changeLimit = 256
  static let refreshLimit = 1024
  /// A refresh that nobody told the end of is taken for lost after this, in seconds.
  static let refreshTimeout: TimeInterval = 60

  mutating func noteChange(of url: String) {
    sequence += 1
    if changes.count >= Self.changeLimit, changes[url] == nil {
      changes = [:]
      floor = sequence
    }
    changes[url] = sequence
  }

  mutating func noteRemovalOfAll() {
    sequence += 1
    changes = [:]
    floor = sequence
  }

  /// Whether nothing changed since.
  func isCurrent(_ url: String, since: UInt64) -> Bool {
    since >= floor && since >= changes[url] ?? 0
  }

  /// Whether the caller is to ask the server; somebody else does already, where not.
  mutating func beginRefresh(of key: CacheKey, at now: Date) -> Bool {
    if let begun = refreshes[key], abs(now.timeIntervalSince(begun)) < Self.refreshTimeout { return false }
    if refreshes.count >= Self.refreshLimit {
      refreshes = refreshes.filter { abs(now.timeIntervalSince($0.value)) < Self.refreshTimeout }
      guard refreshes.count < Self.refreshLimit else { return false }
    }
    refreshes[key] = now
    return true
  }

  mutating func endRefresh(of key: CacheKey) {
    refreshes[key] = nil
  }
}
