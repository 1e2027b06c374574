import Foundation
import Testing

import WebServices
@testable import WebServicesJSON

@Suite struct JSONOutlineTests {
  private let json = #"""
    {"value": [ {"id":1,"joke":"a\"b"}, {"id":2, "j\u006fke" : {"x":[null,-1.5e3]}} ], "e":{}, "":"}"}
    """#

  private func steps(_ path: [Any]) -> [JSONOutline.Step] {
    path.map { step in
      (step as? Int).map { .init(name: "Index \($0)", index: $0) } ?? .init(name: step as? String ?? "", index: nil)
    }
  }

  private func text(_ path: Any..., in json: String? = nil) -> String? {
    let outline = JSONOutline(Array((json ?? self.json).utf8))
    return outline.locate(steps(path)).map { location in
      (location.stepCount == path.count ? "" : "\(location.stepCount): ")
        + text(at: outline.start(of: location.index), outline.bytes)
    }
  }

  /// The text of the value that begins at this offset.
  private func text(at start: Int, _ bytes: [UInt8]) -> String {
    var (end, depth, isInString) = (start, 0, false)
    repeat {
      switch bytes[end] {
      case UInt8(ascii: "\\"): end += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString: depth += 1
      case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString: depth -= 1
      default: break
      }
      end += 1
    } while end < bytes.count && (depth > 0 || isInString || !",}] \n".utf8.contains(bytes[end]))
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  @Test func valueIsFoundByPath() {
    #expect(text() == json)
    #expect(text("value", 0, "joke") == #""a\"b""#)
    #expect(text("value", 1, "joke", "x") == "[null,-1.5e3]")
    #expect(text("value", 1, "joke", "x", 0) == "null")
    #expect(text("value", 1, "joke", "x", 1) == "-1.5e3")
    #expect(text("e") == "{}")
    #expect(text("") == #""}""#)
    #expect(text("b", in: #"{"a":{"b":1},"b":2,"b":3}"#) == "2", "the first of a name counts")
  }

  @Test func missingValueIsTheLastFoundOnThePath() {
    #expect(text("value", 1, "nope") == #"2: {"id":2, "j\u006fke" : {"x":[null,-1.5e3]}}"#)
    #expect(text("value", 7)?.hasPrefix("1: [") == true)
    #expect(text("e", "x", "y") == "1: {}")
    #expect(text("value", 0, "id", "x") == "3: 1")
    #expect(text("value", "x")?.hasPrefix("1: [") == true)
    #expect(text(0)?.hasPrefix("0: {") == true)
    #expect(text(in: "") == nil)
    #expect(text("a", in: " ") == nil)
  }

  @Test func valueIsFoundDespiteChangedNames() {
    #expect(text("firstName", in: #"{"first_name":1}"#) == "1")
    #expect(text("firstName", in: #"{"first_name":1,"firstName":2}"#) == "2")
  }

  @Test func outlineHasOnlyNamesAndElements() throws {
    let locator = JSONOutline(Array(json.utf8))
    let root = try #require(locator.locate([]))
    #expect(locator.names(in: root).names == ["value", "e", ""])
    let array = try #require(locator.locate(steps(["value"])))
    #expect(locator.elementCount(in: array) == 2)
    let members = (0..<50).map { "\"k\($0)\":{\"x\":1}" }.joined(separator: ",")
    let large = JSONOutline(Array("[{\(members)},{\"y\":1}]".utf8))
    let object = try #require(large.locate(steps([0])))
    #expect(large.names(in: object).count == 50)
    #expect(large.names(in: object).names.count == 20)
  }

  @Test func randomPathsAndBytesNeverTrap() {
    let bytes = Array(json.utf8)
    let path = steps(["value", 1, "joke", "x", 1])
    for count in 0...bytes.count {
      let locator = JSONOutline(Array(bytes[..<count]))
      let location = locator.locate(path)
      #expect(location.map { locator.range(of: $0.index).upperBound <= count } ?? true)
    }
    var generator = JSONRandom(seed: 51)
    let alphabet = Array("{}[]:,\"\\u0aetrul-1.9 ".utf8) + [0xC3, 0xFF]
    for _ in 0..<3000 {
      let random = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        alphabet[Int.random(in: alphabet.indices, using: &generator)]
      }
      let locator = JSONOutline(random)
      let location = locator.locate([.init(name: "a", index: 0)])
      #expect(location.map { locator.range(of: $0.index).upperBound <= random.count } ?? true)
      if let location { #expect(locator.names(in: location).count + locator.elementCount(in: location) <= 40) }
    }
  }

  @Test func deepDocumentDoesNotOverflowTheStack() {
    let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    let path = [JSONOutline.Step](repeating: .init(name: "", index: 0), count: 2000)
    #expect(JSONOutline(bytes).locate(path)?.stepCount == JSONOutline.maximumDepth - 1)
  }
}

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
      ("[1,]", .unexpectedByte, 3), ("{,}", .unexpectedByte, 1), ("{\"a\" 1}", .unexpectedByte, 5),
      ("{\"a\":1,}", .unexpectedByte, 7), ("[1 2]", .unexpectedByte, 3), ("1 2", .unexpectedByte, 2),
      ("[}", .unexpectedByte, 1), ("[1}", .unexpectedByte, 2), ("trux", .unexpectedByte, 3),
      ("{a:1}", .unexpectedByte, 1),
      ("'a'", .unexpectedByte, 0), ("<html>", .unexpectedByte, 0), ("\"\\x\"", .escape, 1), ("\"\\u12g4\"", .escape, 1),
      ("\"a\nb\"", .controlCharacter, 2), ("01", .number, 1), ("1.x", .number, 2), ("1e+", .end, 3), ("-a", .number, 1),
    ] as [(String, JSONReader.Problem, Int)])
  func malformedDocumentIsReadToItsFault(json: String, expected: JSONReader.Problem, position: Int) {
    let (found, place) = problem(json.utf8)
    #expect(found == expected)
    #expect(place == position)
  }

  @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3, 0x22]])
  func invalidUTF8IsTheFault(bytes: [UInt8]) {
    #expect(problem([0x22] + bytes + [0x22]).0 == .encoding)
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
