import Testing

@testable import FeatherDemo

@Suite struct TransferTallyTests {
  private func tally(_ updates: [(Int64, Int64?)]) -> TransferTally {
    updates.reduce(into: TransferTally()) { $0.update(bytes: $1.0, expected: $1.1) }
  }

  @Test func receivedBytesAreCounted() {
    let tally = tally([(0, nil), (0, 100), (40, 100)])
    #expect(tally.bytes == 40 && tally.total == 100)
  }

  @Test func resumedTransferAddsToReceivedBytes() {
    let tally = tally([(40, 100), (0, 60), (10, 60), (10, nil)])
    #expect(tally.bytes == 50 && tally.total == 100)
  }

  @Test func restartedTransferIsNotCountedTwice() {
    let tally = tally([(40, 100), (5, 100)])
    #expect(tally.bytes == 5 && tally.total == 100)
  }

  @Test func anUnknownLengthStaysUnknown() {
    let tally = tally([(10, nil), (20, nil)])
    #expect(tally.bytes == 20 && tally.total == nil)
  }
}
