import Foundation
import Testing

@testable import FeatherDemo

@Suite struct CitiesDecodingTests {
  private func decode(_ json: String) throws -> CitiesResponse {
    try JSONDecoder().decode(CitiesResponse.self, from: Data(json.utf8))
  }

  @Test func backendsResponseIsDecoded() throws {
    #expect(try decode(CitiesResponse.cannedResponse) == .fixture)
  }

  @Test func emptyCitiesAreDecoded() throws {
    #expect(try decode(#"{"cities": []}"#) == CitiesResponse(cities: []))
  }

  @Test(arguments: ["{}", #"{"cities": null}"#, #"{"cities": [{}]}"#, #"{"cities": [{"name": 1}]}"#])
  func missingCityMembersFailDecoding(_ json: String) {
    #expect(throws: DecodingError.self) { try decode(json) }
  }
}
