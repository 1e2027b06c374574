import Foundation
import Testing

import WebServices
@testable import WebServicesJSON

@Suite struct JSONTokenTests {
  private func problem(_ bytes: some Sequence<UInt8>) -> (JSONReader.Problem?, Int) {
    let outline = JSONOutline(Array(bytes))
    return (outline.problem, outline.position)
  }

  @Test(
    arguments: [
      "{}", " [ ] ", "null", "\"\\u00e9\\n\\/\"", "-0.5E+10", "[1,[2,{\"a\":[]}],true,false]", "\u{FEFF}1", "0",
      "\"🌍\"",
    ])
  func wellFormedDocumentIsReadToItsEnd(json: String) {
    #expect(problem(json.utf8).0 == nil)
  }

  @Test(
    arguments: [
      ("", .end, 0), ("  ", .end, 2), ("{", .end, 1), ("[1", .end, 2), ("\"abc", .end, 4), ("tru", .end, 3),
      ("{\"a\"", .end, 4), ("1.", .end, 2), ("-", .end, 1), ("\"\\", .end, 2), ("\"\\u12", .end, 5),
      ("{,}", .unexpectedByte, 1), ("{\"a\" 1}", .unexpectedByte, 5),
      ("[1 2]", .unexpectedByte, 3), ("1 2", .unexpectedByte, 2),
      ("[}", .unexpectedByte, 1), ("[1}", .unexpectedByte, 2), ("trux", .unexpectedByte, 3),
      ("{a:1}", .unexpectedByte, 1),
      ("'a'", .unexpectedByte, 0), ("<html>", .unexpectedByte, 0),
      ("\"\\x\"", .string, 1), ("\"\\u12g4\"", .string, 1),
      ("\"\\n\\ud800\"", .string, 3), ("\"a\nb\"", .string, 2),
      ("01", .number, 0), ("1.x", .number, 0), ("1e+", .end, 3), ("-a", .number, 0),
    ] as [(String, JSONReader.Problem, Int)])
  func malformedDocumentIsReadToItsFault(json: String, expected: JSONReader.Problem, position: Int) {
    let (found, place) = problem(json.utf8)
    #expect(found == expected)
    #expect(place == position)
  }

  @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3, 0x22]])
  func invalidUTF8IsTheFault(bytes: [UInt8]) {
    #expect(problem([0x22, 0x5C, 0x6E, 0x61] + bytes + [0x22]) == (.string, 4))
  }

  @Test func randomBytesAreJudgedAsInFoundation() {
    var generator = JSONRandom(seed: 52)
    let pieces = ["{", "}", "[", "]", ",", ":", "\"a\"", "1", "-2.5e1", "true", "null", " ", "\"\\n\"", "01", "x"]
    for _ in 0..<3000 {
      let json = (0..<Int.random(in: 1...7, using: &generator)).map { _ in
        pieces[Int.random(in: pieces.indices, using: &generator)]
      }.joined()
      let isJSON = (try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))) != nil
      #expect((problem(json.utf8).0 == nil) == isJSON, "\(json)")
    }
  }
}
