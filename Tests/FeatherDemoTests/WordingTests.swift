import Testing

@testable import FeatherDemo

@Suite struct WordingTests {
  @Test(arguments: [
    (-5, "0 seconds"), (0, "0 seconds"), (1, "1 second"), (59, "59 seconds"), (60, "1 minute"),
    (61, "1 minute and 1 second"), (600, "10 minutes"), (3_600, "1 hour"), (3_900, "1 hour and 5 minutes"),
    (3_601, "1 hour"), (90_000, "1 day and 1 hour"), (172_800, "2 days"),
    (Int.max, "106751991167300 days and 15 hours"),
  ])
  func durationsUseTheTwoLargestUnits(_ seconds: Int, _ words: String) {
    #expect(Wording.duration(seconds) == words)
  }

  @Test func countsArePluralized() {
    #expect(Wording.count(0, "byte") == "0 bytes")
    #expect(Wording.count(1, "byte") == "1 byte")
    #expect(Wording.count(2, "byte") == "2 bytes")
  }

  @Test func millisecondsHaveOneDecimal() {
    #expect(Wording.milliseconds(0.003_25) == "3.2 ms")
    #expect(Wording.milliseconds(1.5) == "1500.0 ms")
    #expect(Wording.milliseconds(-1) == "0.0 ms")
    #expect(Wording.milliseconds(.infinity) == "1000000000000.0 ms")
  }

  @Test(arguments: [
    (-1, "0 bytes"), (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (1_049, "1.0 kB"),
    (999_949, "999.9 kB"), (999_950, "1.0 MB"), (5_000_000, "5.0 MB"), (Int64.max, "9223.4 PB"),
  ])
  func sizesUseStepsOfAThousand(_ bytes: Int64, _ words: String) {
    #expect(Wording.bytes(bytes) == words)
  }

  @Test func ratesMayBeFractions() {
    #expect(Wording.bytes(0.4) == "0 bytes")
    #expect(Wording.bytes(999.4) == "999 bytes")
    #expect(Wording.bytes(999.6) == "1.0 kB")
    #expect(Wording.bytes(Double.nan) == "0 bytes")
    #expect(Wording.bytes(Double.infinity).hasSuffix(" PB"))
  }

  @Test func shortDurationsUseFewColumns() {
    #expect(
      [-1, 0, 59, 60, 3_599, 3_600, 7_320].map(Wording.shortDuration) == [
        "0 s", "0 s", "59 s", "1:00 min", "59:59 min", "1:00 h", "2:02 h",
      ])
  }

  @Test func aLongTextKeepsItsEnds() {
    #expect(Wording.shortened("abcdef", to: 6) == "abcdef")
    #expect(Wording.shortened("abcdefg", to: 6) == "abc ... efg")
    #expect(Wording.shortened("one two three four five", to: 14) == "one ... five")
  }

  @Test func controlCharactersDoNotReachTheTerminal() {
    #expect(
      Wording.printable("a\u{1B}[31mb\u{7}\r\u{9B}c\n\td ü 日本")
        == "a\u{FFFD}[31mb\u{FFFD}\u{FFFD}\u{FFFD}c\n\td ü 日本")
  }

  @Test func valuesAreHiddenUnlessTheyAreVeryShort() {
    #expect(Wording.hide(["hunter2", nil, "a"], in: "a hunter2 hunter2") == "a <redacted> <redacted>")
  }
}
