import Testing

@testable import FeatherDemo

@Suite struct ProgressLineTests {
  private let half = ProgressLine(bytes: 5_000_000, total: 10_000_000, rate: 1_000_000)

  @Test func wideLineShowsEveryPart() {
    #expect(
      half.text(width: 79) == "[================>               ]   50%  5.0 MB of 10.0 MB  1.0 MB/s  5 s left")
  }

  @Test func barIsFilledInProportion() {
    for (bytes, filled) in [(0, 0), (25, 10), (50, 20), (99, 39), (100, 40), (200, 40), (-5, 0)] {
      let line = ProgressLine(bytes: Int64(bytes), total: 100).text(width: 200)
      #expect(line.filter { $0 == "=" }.count == filled, "\(line)")
      #expect(line.prefix { $0 != "]" }.count == 41, "\(line)")
    }
  }

  @Test func incompleteTransferStaysBelow100Percent() {
    #expect(ProgressLine(bytes: 999_999, total: 1_000_000).text(width: 80).contains(" 99%"))
    #expect(ProgressLine(bytes: 1_000_000, total: 1_000_000).text(width: 80).contains("100%"))
    #expect(ProgressLine(bytes: 0, total: 0).text(width: 80).contains("100%"))
  }

  @Test(arguments: 0...120)
  func noLineIsWiderThanTheTerminal(_ width: Int) {
    for line in [
      half, ProgressLine(bytes: .max, total: .max, rate: 1e30), ProgressLine(bytes: 1, total: nil, rate: 5),
      ProgressLine(bytes: 0), ProgressLine(bytes: 5, total: 1_000_000_000_000, rate: 1),
    ] {
      #expect(line.text(width: width).count <= width)
    }
  }

  @Test func leastInformativePartIsOmittedFirst() {
    #expect(half.text(width: 40).contains("of 10.0 MB"))
    #expect(!half.text(width: 40).contains("left"))
    #expect(half.text(width: 30).hasSuffix("50%  5.0 MB of 10.0 MB"))
    #expect(half.text(width: 10) == "50%")
    #expect(half.text(width: -1) == "")
  }

  @Test func unknownLengthShowsNoBarAndNoRemainingTime() {
    #expect(ProgressLine(bytes: 1_500, total: nil, rate: 500).text(width: 80) == "1.5 kB  500 bytes/s")
    #expect(ProgressLine(bytes: 1_500).text(width: 80) == "1.5 kB")
  }

  @Test func stalledTransferShowsNoRemainingTime() {
    #expect(!ProgressLine(bytes: 1, total: 100, rate: 0).text(width: 80).contains("left"))
    #expect(!ProgressLine(bytes: 1, total: .max, rate: 0.001).text(width: 80).contains("left"))
    #expect(!ProgressLine(bytes: 100, total: 100, rate: 5).text(width: 80).contains("left"))
  }
}
