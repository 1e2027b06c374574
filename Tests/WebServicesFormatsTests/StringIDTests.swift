import Foundation
import Testing
import WebServices

@Suite struct StringIDTests {
  struct Place: Codable, Hashable, Sendable {
    @StringID var id: String
    @StringID var parent: String?
    var name: String?

    init(id: String, parent: String? = nil, name: String? = nil) {
      _id = StringID(wrappedValue: id)
      _parent = StringID(wrappedValue: parent)
      self.name = name
    }
  }

  private func decode(_ json: String) throws -> Place {
    try JSONDecoder().decode(Place.self, from: Data(json.utf8))
  }

  @Test(
    arguments: [
      ("\"abc\"", "abc"), ("\"\"", ""), ("\"007\"", "007"), ("1", "1"), ("0", "0"), ("-5", "-5"),
      ("9007199254740993", "9007199254740993"), ("9223372036854775807", "9223372036854775807"),
      ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775808", "9223372036854775808"),
      ("18446744073709551615", "18446744073709551615"), ("18446744073709551617", "18446744073709551617"),
      ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ])
  func stringsAndWholeNumbersAreDecoded(json: String, id: String) throws {
    #expect(try decode("{\"id\":\(json)}").id == id)
    #expect(try decode("{\"id\":1,\"parent\":\(json)}").parent == id)
  }

  @Test(
    arguments: [
      "true", "false", "1.5", "[]", "{}", "[1]", "1e400", "123456789012345678901234567890123456789012345",
      "99999999999999999999999999999999999999999999.5",
    ])
  func otherValuesAreRefused(json: String) {
    #expect(throws: DecodingError.self) { try decode("{\"id\":\(json)}") }
    #expect(throws: DecodingError.self) { try decode("{\"id\":1,\"parent\":\(json)}") }
  }

  @Test func missingOptionalIDIsNil() throws {
    #expect(try decode("{\"id\":1}").parent == nil)
    #expect(try decode("{\"id\":1,\"parent\":null}").parent == nil)
    #expect(throws: DecodingError.self) { try decode("{}") }
    #expect(throws: DecodingError.self) { try decode("{\"id\":null}") }
  }

  @Test func errorsNameTheKey() {
    func path(_ json: String) -> [String]? {
      do {
        _ = try decode(json)
        return nil
      } catch DecodingError.keyNotFound(let key, let context) {
        return context.codingPath.map(\.stringValue) + [key.stringValue, "missing"]
      } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
        return context.codingPath.map(\.stringValue)
      } catch {
        return nil
      }
    }
    #expect(path("{}") == ["id", "missing"])
    #expect(path("{\"id\":true}") == ["id"])
    #expect(path("{\"id\":null}") == ["id"])
    #expect(path("{\"id\":1,\"parent\":[]}") == ["parent"])
  }

  @Test func idIsEncodedAsStringOrOmitted() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    func json(_ place: Place) throws -> String { String(decoding: try encoder.encode(place), as: UTF8.self) }
    #expect(try json(Place(id: "1")) == #"{"id":"1"}"#)
    #expect(try json(Place(id: "1", parent: "2", name: "x")) == #"{"id":"1","name":"x","parent":"2"}"#)
    #expect(try decode(json(Place(id: "1", parent: "2"))) == Place(id: "1", parent: "2"))
  }

  @Test func arraysOfIDsAreDecoded() throws {
    let ids = try JSONDecoder().decode([StringID<String?>].self, from: Data(#"[1,"b",null]"#.utf8))
    #expect(ids.map(\.wrappedValue) == ["1", "b", nil])
    #expect(String(decoding: try JSONEncoder().encode(ids), as: UTF8.self) == #"["1","b",null]"#)
  }
}
