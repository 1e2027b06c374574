/// Remembers which URLs have changed while transfers were in progress. `ResponseCache` asks the journal before it stores
/// a response.
///
/// The size is bounded. The lock of `ResponseCache` guards the journal.
struct CacheJournal: Sendable {
  /// Counts changes.
  private(set) var sequence: UInt64 = 0
  /// The number of the last change of each URL, and of all URLs under the key "".
  private var changes: [String: UInt64] = [:]

  /// The most URLs whose changes are remembered. One more change makes every transfer in progress outdated.
  static let changeLimit = 256

  /// Marks all earlier responses of this URL as outdated.
  mutating func noteChange(of url: String) {
    if changes.count >= Self.changeLimit, changes[url] == nil { noteRemovalOfAll() } else { sequence += 1 }
    changes[url] = sequence
  }

  /// Marks the responses of all transfers in progress as outdated.
  mutating func noteRemovalOfAll() {
    sequence += 1
    changes = ["": sequence]
  }

  /// Whether the URL has not changed since the change of this number.
  func isCurrent(_ url: String, since: UInt64) -> Bool {
    since >= changes[""] ?? 0 && since >= changes[url] ?? 0
  }
}
