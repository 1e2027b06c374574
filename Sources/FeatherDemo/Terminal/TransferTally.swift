/// Adds up the bytes of a file over several transfers, because a resumed download counts from zero again.
struct TransferTally: Equatable, Sendable {
  private var before: Int64 = 0
  private var current: Int64 = 0
  private var expected: Int64?
  /// The size of the whole file; `nil` until a server sends it.
  private(set) var total: Int64?

  /// The number of bytes received so far.
  var bytes: Int64 { before + current }

  /// Records the progress of the current transfer.
  mutating func update(bytes: Int64, expected: Int64?) {
    if bytes < current || (self.expected != nil && expected != nil && expected != self.expected) { begin(expected) }
    current = max(0, bytes)
    self.expected = expected ?? self.expected
    if total == nil, before == 0 { total = self.expected }
  }

  private mutating func begin(_ expected: Int64?) {
    before += current
    current = 0
    // The server sent the whole file again, so the bytes received before don't count.
    if let expected, expected == total { before = 0 }
    self.expected = nil
  }
}
