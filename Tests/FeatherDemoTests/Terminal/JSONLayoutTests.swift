import Foundation
import Testing

@testable import FeatherDemo

@Suite struct JSONLayoutTests {
  private func pretty(_ text: String) -> String? { JSONLayout.pretty(Data(text.utf8)) }

  @Test func membersKeepTheirOrderAndNumbersTheirDigits() {
    let text = #"{"z":1.10,"a":[12345678901234567890123,-0,1E400 , {} ,[ ]],"z":{"b":"\u00e9\n","c":null}}"#
    #expect(
      pretty(text) == #"""
        {
          "z": 1.10,
          "a": [
            12345678901234567890123,
            -0,
            1E400,
            {},
            []
          ],
          "z": {
            "b": "\u00e9\n",
            "c": null
          }
        }
        """#)
  }

  @Test(arguments: ["1", " \"a\" ", "true", "\t[]\r\n", "{ }", "-1.5e-3", "\"\\\"\\\\\""])
  func scalarsAndEmptyContainersStayOnOneLine(_ text: String) {
    #expect(
      pretty(text) == text.trimmingCharacters(in: .whitespacesAndNewlines).replacingOccurrences(of: " ", with: ""))
  }

  @Test(arguments: [
    "", " ", "{", "}", "[1,]", "[,]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:2}", "[1 2]", "1 2", "[1}",
    "{]",
    "\"a", "\"\\\"", "\"\\x\"", "\"a\nb\"", "01", "1.", ".5", "1e", "+1", "-", "nul", "nulll", "NaN", "[1]]", "'a'",
    #""\u""#, #""\u12""#, #""\u123""#, #""\u12g4""#, #""\u12 4""#, #""\u+123""#, #""\u12"#,
    "{\"a\"::1}", "{\"a\":1 \"b\":2}", "// a\n1",
  ])
  func prettyReturnsNilForInvalidJSON(_ text: String) {
    #expect(pretty(text) == nil)
  }

  @Test func prettyReturnsNilForInvalidUTF8() {
    #expect(JSONLayout.pretty(Data([0x22, 0xFF, 0x22])) == nil)
  }

  @Test func prettyReturnsNilForTooDeepJSON() {
    let deepest = JSONLayout.maximumDepth
    let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(pretty(nested(deepest)) != nil)
    #expect(pretty(nested(deepest + 1)) == nil)
    #expect(pretty(String(repeating: "[", count: 1_000_000)) == nil)
  }

  @Test func prettyLeavesFormattedJSONUnchanged() throws {
    let once = try #require(pretty(#"[{"a":[1,{"b":"c d"}],"e":""},true]"#))
    #expect(pretty(once) == once)
  }

  @Test func truncatedDocumentIsRefused() {
    let text = #"{"a":[1,-2.5e3,"x\u00e9"],"b":{"c":null}}"#
    for length in 0..<text.utf8.count {
      #expect(JSONLayout.pretty(Data(text.utf8.prefix(length))) == nil)
    }
    #expect(pretty(text) != nil)
  }
}
