import Foundation
import Testing
import WebServices

@testable import FeatherDemo

@Suite struct PhotoTests {
  private func json(_ change: (inout [String: JSONValue]) -> Void = { _ in }) throws -> JSONValue {
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(Photo.cannedResponse.utf8))
    guard case .object(var members) = value else { return value }
    change(&members)
    return .object(members)
  }

  @Test(arguments: ["id", "albumId", "title", "url", "thumbnailUrl"])
  func missingOrMistypedMemberThrowsParseError(_ name: String) throws {
    for value in [nil, .null, .bool(true), .integer(70_000), .array([])] as [JSONValue?] {
      #expect(throws: PhotoError.parse) { try Photo(with: json { $0[name] = value }) }
    }
  }

  @Test func valueThatIsNotAnObjectThrowsParseError() {
    for json in [nil, .null, "photo", [1, 2]] as [JSONValue?] {
      #expect(throws: PhotoError.parse) { try Photo(with: json) }
    }
  }

  @Test func backendPhotosHaveEveryMember() throws {
    for id in 1...DemoBackend.photoCount {
      #expect(try Photo(with: DemoBackend.photo(id, at: "http://localhost")).id == id)
    }
  }
}
