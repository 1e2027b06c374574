import Foundation
import Testing

@testable import WebServicesJSON

@Suite struct JSONStepTests {
  /// Makes values of the tape seem to end behind the document. A search for the place of a later value would stop at
  /// them, and would grow with the number of values before that place.
  private static func hide(_ values: [Int], _ decoder: any Decoder) throws {
    let document = try #require(decoder as? JSONTapeDecoder).document
    for value in values {
      document.tape[value] = JSONNode(.array, at: 0, length: 0).bits
      document.tape[value + 1] = 1000
    }
  }

  private static func path(_ decode: () throws -> Void) -> [String] {
    do {
      try decode()
      return []
    } catch DecodingError.typeMismatch(_, let context) {
      return context.codingPath.map(\.stringValue)
    } catch {
      return ["\(error)"]
    }
  }

  private struct Elements: Decodable {
    var paths: [[String]] = []

    init(from decoder: any Decoder) throws {
      var elements = try decoder.unkeyedContainer()
      _ = try elements.decode(Int.self)
      _ = try elements.decode(Int.self)
      try hide([3], decoder)
      paths.append(path { _ = try elements.decode(Int.self) })
      let element = try elements.superDecoder()
      paths.append(path { _ = try element.singleValueContainer().decode(Int.self) })
      var inner = try elements.nestedUnkeyedContainer()
      paths.append(path { _ = try inner.decode(Bool.self) })
      paths.append(path { _ = try inner.decode([Bool].self) })
    }
  }

  @Test func placeOfAnElementIsKnownWithoutASearch() throws {
    let paths = try FeatherJSONDecoder().decode(Elements.self, from: Data(#"[1,2,"x",["y"]]"#.utf8)).paths
    #expect(paths == [["Index 2"], ["Index 2"], ["Index 3", "Index 0"], ["Index 3", "Index 0"]])
  }

  private struct Members: Decodable {
    var paths: [[String]] = []

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: JSONKey.self)
      let inner = try members.nestedContainer(keyedBy: JSONKey.self, forKey: JSONKey(stringValue: "d"))
      try hide([5], decoder)
      for name in ["c", "d"] {
        let key = JSONKey(stringValue: name)
        paths.append(path { _ = try members.decode(Int.self, forKey: key) })
        paths.append(path { _ = try members.superDecoder(forKey: key).singleValueContainer().decode(Int.self) })
        paths.append(path { _ = try inner.decode([Int].self, forKey: key) })
      }
    }
  }

  @Test func placeOfAMemberIsKnownWithoutASearch() throws {
    // The names of so many members are in a dictionary, so that finding a member reads no other one.
    let others = (0..<70).map { "\"n\($0)\":1," }.joined()
    let json = "{\(others)\"c\":\"x\",\"d\":{\"c\":[\"y\"],\"d\":true}}"
    let paths = try FeatherJSONDecoder().decode(Members.self, from: Data(json.utf8)).paths
    #expect(paths == [["c"], ["c"], ["d", "c", "Index 0"], ["d"], ["d"], ["d", "d"]])
  }
}
