@testable import WebServicesTestSupport
@testable import WebServicesStreaming

@Suite struct JSONLinesParserTests {
  private func reader(limit: Int = 1 << 20) -> JSONLines<Data> { JSONLines(limit: limit) { $0 } }

  @Test(
    arguments: [
      ("", []), ("{}\n", ["{}"]), ("{}", ["{}"]), (" {\"a\": 1}\t\r\n\n\r\n[2]\n \n3", ["{\"a\": 1}", "[2]", "3"]),
      ("\u{FEFF}1\n2", ["1", "2"]), ("\"a\rb\"\n", ["\"a\rb\""]), ("\n\n\n", []), ("\u{FEFF}", []),
    ] as [(String, [String])])
  func jsonLinesAreTrimmed(text: String, documents: [String]) {
    expectElements(reader(), text.utf8, documents.map { Data($0.utf8) })
  }

  @Test func jsonLineLimitIsExact() {
    expectElements(reader(limit: 3), "123\n1234\n".utf8, [Data("123".utf8)], error: StreamLimitError(limit: 3))
  }

  @Test func randomCutsGiveTheSameJSONLines() {
    expectCutsDoNotMatter(reader(limit: 20), seed: 23, alphabet: Array("\r\n \u{FEFF}{}".utf8))
  }
}
