import Foundation
import Testing

import WebServices
@testable import WebServicesJSON

@Suite struct JSONOutlineTests {
  private let json = #"""
    {"value": [ {"id":1,"joke":"a\"b"}, {"id":2, "j\u006fke" : {"x":[null,-1.5e3]}} ], "e":{}, "":"}"}
    """#

  private func steps(_ path: [Any]) -> [JSONKey] {
    path.map { step in (step as? Int).map(JSONKey.init(element:)) ?? JSONKey(stringValue: step as? String ?? "") }
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
    #expect(locator.names(in: 0) == ["value", "e", ""])
    #expect(locator.count(of: try #require(locator.locate(steps(["value"]))).index) == 2)
    let members = (0..<50).map { "\"k\($0)\":{\"x\":1}" }.joined(separator: ",")
    let large = JSONOutline(Array("[{\(members)},{\"y\":1}]".utf8))
    let object = try #require(large.locate(steps([0]))).index
    #expect(large.count(of: object) == 50)
    #expect(large.names(in: object).count == 20)
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
      let location = locator.locate([JSONKey(intValue: 0)])
      #expect(location.map { locator.range(of: $0.index).upperBound <= random.count } ?? true)
      if let location { #expect(locator.names(in: location.index).count <= 40) }
      _ = locator.names(around: Int.random(in: 0...40, using: &generator))
    }
  }

  @Test func deepDocumentDoesNotOverflowTheStack() {
    let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    let path = [JSONKey](repeating: JSONKey(intValue: 0), count: 2000)
    #expect(JSONOutline(bytes).locate(path)?.stepCount == JSONReader.maximumDepth - 1)
  }
}
