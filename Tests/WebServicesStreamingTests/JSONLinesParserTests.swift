@testable import WebServicesTestSupport
@testable import WebServicesStreaming

@Suite struct JSONLinesParserTests {
  @Test(
    arguments: [
      ("", []), ("{}\n", ["{}"]), ("{}", ["{}"]), (" {\"a\": 1}\t\r\n\n\r\n[2]\n \n3", ["{\"a\": 1}", "[2]", "3"]),
      ("\u{FEFF}1\n2", ["1", "2"]), ("\"a\rb\"\n", ["\"a\rb\""]), ("\n\n\n", []), ("\u{FEFF}", []),
    ] as [(String, [String])])
  func jsonLinesAreTrimmed(text: String, documents: [String]) {
    expectElements(JSONLines(limit: 1 << 20) { $0 }, text.utf8, documents.map { Data($0.utf8) })
  }
}
