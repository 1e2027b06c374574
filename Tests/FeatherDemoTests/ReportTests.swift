import Testing

@testable import FeatherDemo

@Suite struct ReportTests {
  private func joke(_ text: String) -> Joke { Joke(id: 1, joke: text, categories: []) }

  @Test func signInIsReportedInOneLine() {
    let report = Report(user: "ann", secondsRemaining: 600)
    #expect(report.lines == ["Signed in as ann for 10 minutes."])
    #expect(Report(user: "a\nb", secondsRemaining: 1).lines == ["Signed in as a b for 1 second."])
  }

  @Test func anExpiredTokenIsNoted() {
    let report = Report(user: "ann", secondsRemaining: 0)
    #expect(report.lines == ["Signed in as ann, but the token has expired already."])
  }

  @Test func jokesAreNumberedOneALine() {
    let report = Report(jokes: (1...10).map { joke("Joke\r\n\($0)\n") })
    #expect(report.lines.first == " 1. Joke 1")
    #expect(report.lines.last == "10. Joke 10")
  }

  @Test func emptyJokeListIsReportedInWords() {
    #expect(Report(jokes: []).lines == ["The service has no jokes today."])
  }

  @Test func jsonOfAReportOmitsAbsentMembers() throws {
    #expect(
      try JSONText.of(Report(user: "a/b", secondsRemaining: 1)) == #"{"secondsRemaining":1,"user":"a/b"}"#)
    #expect(try JSONText.of(Report(jokes: [])) == #"{"jokes":[]}"#)
  }
}
