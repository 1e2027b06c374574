import Foundation

/// Remembers what happened while transfers were in progress: which URLs have changed, and which keys are being
/// refreshed. `ResponseCache` asks the journal before it stores a response, and before it starts a refresh.
///
/// The size is bounded. The lock of `ResponseCache` guards the journal.
struct CacheJournal: Sendable {
  /// Counts changes.
  private(set) var sequence: UInt64 = 0
  /// The number of the last change of each URL.
  private var changes: [String: UInt64] = [:]
  /// The number of the last change that made the responses of all URLs outdated.
  private var floor: UInt64 = 0
  /// When the refresh of each key began.
  private var refreshes: [CacheKey: Date] = [:]

  /// The most URLs whose changes are remembered. One more change makes every transfer in progress outdated.
  static let changeLimit = 256
  /// The most refreshes at a time. Without a free place a stale response is delivered and not refreshed.
  static let refreshLimit = 1024
  /// The seconds after which an unfinished refresh counts as lost.
  static let refreshTimeout: TimeInterval = 60

  /// Marks all earlier responses of this URL as outdated.
  mutating func noteChange(of url: String) {
    if changes.count >= Self.changeLimit, changes[url] == nil { noteRemovalOfAll() } else { sequence += 1 }
    changes[url] = sequence
  }

  /// Marks the responses of all transfers in progress as outdated.
  mutating func noteRemovalOfAll() {
    sequence += 1
    changes = [:]
    floor = sequence
  }

  /// Whether the URL has not changed since the change of this number.
  func isCurrent(_ url: String, since: UInt64) -> Bool {
    since >= floor && since >= changes[url] ?? 0
  }

  /// Begins a refresh. Returns `false` if another caller is already refreshing the key.
  mutating func beginRefresh(of key: CacheKey, at now: Date) -> Bool {
    // Somebody may set the wall clock back. Without `abs` the refresh would then block all later refreshes of the key.
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
