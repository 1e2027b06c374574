@testable import WebServicesTestSupport
@testable import WebServicesJSON

@Suite struct JSONOutlineTests {
  private static let json = #"""
    {"value": [ {"id":1,"joke":"a\"b"}, {"id":2, "j\u006fke" : {"x":[null,-1.5e3]}} ], "e":{}, "":"}"}
    """#

  private func path(_ steps: String) -> [JSONKey] {
    steps.split(separator: "/").map { step in Int(step).map(JSONKey.init(element:)) ?? JSONKey(stringValue: "\(step)") }
  }

  @Test(arguments: [
    ("", 0, "{"), ("value/0/joke", 3, #"a"b"#), ("value/1/joke/x/0", 5, "null"), ("value/1/joke/x/1", 5, "-1.5e3"),
    ("e", 1, "{"), ("value/1/nope", 2, "{"), ("value/7", 1, "["), ("e/x/y", 1, "{"), ("value/0/id/x", 3, "1"),
    ("value/x", 1, "["), ("0", 0, "{"), ("VAL_UE/0/id", 3, "1"), ("val-ue/0/id", 3, "1"),
  ])
  func valueIsFoundByPath(steps: String, count: Int, text: String) throws {
    let outline = JSONOutline(Array(Self.json.utf8))
    let found = try #require(outline.locate(path(steps)))
    expectEqual(found.stepCount, count)
    expectEqual(outline.text(in: outline.range(of: found.index)), text)
    expectEqual(outline.names(in: 0), ["value", "e", ""])
  }

  @Test func firstOfTheExactNamesIsFound() throws {
    let outline = JSONOutline(Array(#"{"first_name":1,"firstName":2,"firstName":3}"#.utf8))
    expectEqual(outline.text(in: outline.range(of: try #require(outline.locate(path("firstName"))).index)), "2")
    expectEqual(JSONOutline(Array(#"{"A":{"y":1},"a":{}}"#.utf8)).locate(path("a/x"))?.index, 12)
    expectEqual(JSONOutline(Array("{\"a\"".utf8)).locate(path("a"))?.stepCount, 0)
    #expect(JSONOutline(Array(" ".utf8)).locate(path("a")) == nil)
  }

  @Test func namesAreBounded() {
    let large = JSONOutline(Array("{\((0..<50).map { "\"k\($0)\":{\"x\":1}" }.joined(separator: ","))}".utf8))
    expectEqual(large.node(0).length, 50)
    expectEqual(JSONOutline(Array("[1,[2".utf8)).node(0).length, 2)
    expectEqual(large.names(in: 0).count, 20)
    for count in 255...257 {
      let long = JSONOutline(Array("{\"\(String(repeating: "n", count: count))\":1}".utf8))
      expectEqual(long.names(around: 300).count, count > 256 ? 0 : 1)
    }
  }

  @Test func randomBytesNeverTrap() {
    var generator = JSONRandom(seed: 51)
    let alphabet = Array("{}[]:,\"\\u0aetrul-1.9 ".utf8) + [0xC3, 0xFF]
    let json = Array(Self.json.utf8)
    let random = (0..<3000).map { _ in (0..<generator.below(40)).map { _ in alphabet[generator.below(alphabet.count)] }
    }
    for bytes in random + json.indices.map({ Array(json[..<$0]) }) {
      let outline = JSONOutline(bytes)
      for path in [[JSONKey(intValue: 0)], path("value/-1"), path("value/\(Int.max)"), path("value/1/joke/x/1")] {
        #expect(outline.locate(path).map { outline.range(of: $0.index).upperBound <= bytes.count } ?? true)
      }
      #expect(outline.names(around: generator.below(41)).count <= 40)
    }
  }

  @Test func deepDocumentDoesNotOverflowTheStack() {
    let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    let path = [JSONKey](repeating: JSONKey(intValue: 0), count: 2000)
    expectEqual(JSONOutline(bytes).locate(path)?.stepCount, JSONReader.maximumDepth - 1)
  }

  // MARK: Problems

  private func problem(_ bytes: some Sequence<UInt8>) -> (JSONReader.Problem?, Int) {
    let outline = JSONOutline(Array(bytes))
    return (outline.problem, outline.position)
  }

  @Test(arguments: [
    "{}", " [ ] ", "null", "\"\\u00e9\\n\\/\"", "-0.5E+10", "[1,[2,{\"a\":[]}],true,false]", "\u{FEFF}1", "0",
    "\"🌍\"",
  ])
  func wellFormedDocumentIsReadToItsEnd(json: String) { #expect(problem(json.utf8).0 == nil) }

  @Test(
    arguments: [
      ("", .end, 0), ("  ", .end, 2), ("{", .end, 1), ("[1", .end, 2), ("\"abc", .end, 4), ("tru", .end, 3),
      ("{\"a\"", .end, 4), ("1.", .end, 2), ("-", .end, 1), ("\"\\", .end, 2), ("\"\\u12", .end, 5),
      ("{,}", .unexpectedByte, 1), ("{\"a\" 1}", .unexpectedByte, 5), ("[1 2]", .unexpectedByte, 3),
      ("1 2", .unexpectedByte, 2), ("[}", .unexpectedByte, 1), ("[1}", .unexpectedByte, 2),
      ("trux", .unexpectedByte, 3), ("{a:1}", .unexpectedByte, 1), ("'a'", .unexpectedByte, 0),
      ("<html>", .unexpectedByte, 0), ("\"\\x\"", .string, 1), ("{\"\\x\":1}", .string, 2), ("\"\\u12g4\"", .string, 1),
      ("\"\\n\\ud800\"", .string, 3), ("\"a\nb\"", .string, 2), ("01", .number, 0), ("1.x", .number, 0),
      ("1e+", .end, 3), ("-a", .number, 0), ("[\"\\u12\",1]", .string, 2),
    ] as [(String, JSONReader.Problem, Int)])
  func malformedDocumentIsReadToItsFault(json: String, expected: JSONReader.Problem, position: Int) {
    let (found, place) = problem(json.utf8)
    expectEqual(found, expected)
    expectEqual(place, position)
  }

  @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3, 0x22]])
  func invalidUTF8IsTheFault(bytes: [UInt8]) {
    #expect(problem([0x22, 0x5C, 0x6E, 0x61] + bytes + [0x22]) == (.string, 4))
  }

  @Test func randomBytesAreJudgedAsInFoundation() {
    let pieces = ["{", "}", "[", "]", ",", ":", "\"a\"", "1", "-2.5e1", "true", "null", " ", "\"\\n\"", "01", "x"]
    for json in randomTexts(3000, seed: 52, of: pieces, lengths: 1...7) {
      let isJSON = (try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))) != nil
      #expect((problem(json.utf8).0 == nil) == isJSON, "\(json)")
    }
  }
}
