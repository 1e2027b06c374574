import Foundation

/// The events while responses were on their way: changes that make responses obsolete, and refreshes that are under way.
/// Its size is bounded.
struct CacheJournal: Sendable {
  /// Counts changes.
  private(set) var sequence: UInt64 = 0
  /// The last change of each URL.
  private var changes: [String: UInt64] = [:]
  /// Requests before this change are outdated, whatever their URL.
  private var floor: UInt64 = 0
  private var refreshes: [CacheKey: Date] = [:]

  static let changeLimit = 256
  static let refreshLimit = 1024
  /// The seconds after which an unfinished refresh counts as lost.
  static let refreshTimeout: TimeInterval = 60

  mutating func noteChange(of url: String) {
    if changes.count >= Self.changeLimit, changes[url] == nil { noteRemovalOfAll() } else { sequence += 1 }
    changes[url] = sequence
  }

  mutating func noteRemovalOfAll() {
    sequence += 1
    changes = [:]
    floor = sequence
  }

  /// Whether the URL has not changed since.
  func isCurrent(_ url: String, since: UInt64) -> Bool {
    since >= floor && since >= changes[url] ?? 0
  }

  /// Begins a refresh. Returns `false` if another caller is already refreshing the key.
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
