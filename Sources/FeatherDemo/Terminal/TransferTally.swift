/// Adds up what several exchanges bring of one file: a download that was resumed begins to count anew.
struct TransferTally: Equatable, Sendable {
  private var before: Int64 = 0
  private var current: Int64 = 0
  private var expected: Int64?
  /// How long the whole file is, where a server said it.
  private(set) var total: Int64?

  /// What has come of the file.
  var bytes: Int64 { before + current }

  /// Takes how far the exchange has come that is under way.
  mutating func update(bytes: Int64, expected: Int64?) {
    if bytes < current || (self.expected != nil && expected != nil && expected != self.expected) { begin(expected) }
    current = max(0, bytes)
    self.expected = expected ?? self.expected
    if total == nil, before == 0 { total = self.expected }
  }

  private mutating func begin(_ expected: Int64?) {
    before += current
    current = 0
    // The server began again from the first byte.
    if let expected, expected == total { before = 0 }
    self.expected = nil
  }
}
