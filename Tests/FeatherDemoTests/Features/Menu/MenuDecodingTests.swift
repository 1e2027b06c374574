import Foundation
import Testing

@testable import FeatherDemo

@Suite struct MenuDecodingTests {
  private func decode<Model: Decodable>(_ type: Model.Type, _ json: String) throws -> Model {
    let decoder = try #require(RequestDataForResults(userId: "1").options.decoder)
    return try decoder.decode(type, from: Data(json.utf8))
  }

  @Test(arguments: [#"4711"#, #""4711""#])
  func idDecodesFromNumberOrString(_ id: String) throws {
    #expect(try decode(LoginResponse.self, #"{"userId": \#(id), "name": "Ann"}"#) == .fixture)
  }

  @Test func missingRequiredMembersFailDecoding() {
    #expect(throws: DecodingError.self) { try decode(LotoResult.self, #"{"draw": {"id": 1, "name": "x"}}"#) }
    #expect(throws: DecodingError.self) { try decode(LoginResponse.self, #"{"name": "Ann"}"#) }
  }

  @Test func backendsLotoResultsDecode() throws {
    let results = try decode([LotoResult].self, DemoBackend.lotoResults)
    #expect(results.map(\.draw.id) == ["1041", "1042-W"])
    #expect(results.map(\.extraNumber) == [9, nil])
    #expect(results.map(\.prizes?.count) == [2, nil])
  }
}
