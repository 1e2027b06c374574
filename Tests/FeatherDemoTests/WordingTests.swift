@testable import WebServicesTestSupport

@testable import FeatherDemo

@Suite struct WordingTests {
  @Test func durationsAndCountsArePluralized() {
    let cases = [(0, "0 seconds"), (1, "1 second"), (60, "1 minute"), (90, "90 seconds"), (600, "10 minutes")]
    for (seconds, words) in cases { #expect(Wording.duration(seconds) == words) }
  }

  @Test func sizesUseStepsOfAThousand() {
    let cases: [(Int64, String)] = [
      (-1, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
      (.max, "9.2 EB"),
    ]
    for (bytes, words) in cases { #expect(Wording.bytes(bytes) == words) }
  }

  @Test func controlCharactersAndChangesOfDirectionDoNotReachTheTerminal() {
    #expect(
      Wording.printable("a\u{1B}[31mb\u{7}\r\u{9B}c\n\td ü 日本") == "a\u{FFFD}[31mb\u{FFFD}\u{FFFD}\u{FFFD}c\n\td ü 日本")
    expectEqual(Wording.printable("a\u{202E}b\u{2066}c\u{200F}"), "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
    expectEqual(Wording.printable("👩‍🚀 می‌خواهم"), "👩‍🚀 می‌خواهم")
  }

  @Test func jsonForProgramsHasNoControlCharacters() throws {
    let text = "a\u{1B}[31m\u{7F}\u{9B}\u{202E}\n\tü"
    let json = try JSONText.of([text])
    expectEqual(json, #"["a\u001b[31m\u007f\u009b\u202e\n\tü"]"#)
    expectEqual(try JSONDecoder().decode([String].self, from: Data(json.utf8)), [text])
  }

  @Test func onlyACompleteTransferShows100Percent() {
    var progress = TransportRequest.Progress(sent: 0, expectedToSend: nil, received: 0, expectedToReceive: nil)
    expectEqual(ProgressText.line("downloading", nil), "downloading")
    progress.received = 999_999
    expectEqual(ProgressText.line("downloading", progress), "downloading: 1.0 MB")
    progress.expectedToReceive = 1_000_000
    expectEqual(ProgressText.line("downloading", progress), "downloading: 99%, 1.0 MB of 1.0 MB")
    progress.received = 2_000_000
    #expect(ProgressText.line("downloading", progress).hasPrefix("downloading: 100%"))
  }
}
