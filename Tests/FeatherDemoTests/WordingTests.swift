import Testing

@testable import FeatherDemo

@Suite struct WordingTests {
  @Test(arguments: [
    (-5, "0 seconds"), (0, "0 seconds"), (1, "1 second"), (59, "59 seconds"), (60, "1 minute"),
    (61, "1 minute and 1 second"), (600, "10 minutes"), (3_600, "1 hour"), (3_900, "1 hour and 5 minutes"),
    (3_601, "1 hour"), (90_000, "1 day and 1 hour"), (172_800, "2 days"),
    (Int.max, "106751991167300 days and 15 hours"),
  ])
  func durations(_ seconds: Int, _ words: String) {
    #expect(Wording.duration(seconds) == words)
  }

  @Test func plurals() {
    #expect(Wording.count(0, "byte") == "0 bytes")
    #expect(Wording.count(1, "byte") == "1 byte")
    #expect(Wording.count(2, "byte") == "2 bytes")
  }

  @Test func milliseconds() {
    #expect(Wording.milliseconds(0.003_25) == "3.2 ms")
    #expect(Wording.milliseconds(1.5) == "1500.0 ms")
    #expect(Wording.milliseconds(-1) == "0.0 ms")
    #expect(Wording.milliseconds(.infinity) == "1000000000000.0 ms")
  }

  @Test func controlCharactersDoNotReachTheTerminal() {
    #expect(
      Wording.printable("a\u{1B}[31mb\u{7}\r\u{9B}c\nd ü 日本")
        == "a\u{FFFD}[31mb\u{FFFD}\u{FFFD}\u{FFFD}c\nd ü 日本")
  }

  @Test func valuesAreHiddenUnlessTheyAreVeryShort() {
    #expect(Wording.hide(["hunter2", nil, "a"], in: "a hunter2 hunter2") == "a <redacted> <redacted>")
  }
}
