@testable import WebServicesTestSupport

@testable import FeatherDemo

@Suite struct PhotoTests {
  private static let members = DemoBackend.photo(5, at: "http://localhost").object ?? [:]

  @Test(arguments: members.keys)
  func missingOrMistypedMemberThrowsParseError(_ name: String) {
    for value in [nil, .null, .bool(true), .integer(70_000), .array([])] as [JSONValue?] {
      var members = Self.members
      members[name] = value
      #expect(throws: PhotoError.parse) { try Photo(with: .object(members)) }
    }
    for json in [nil, .null, "photo", [1, 2]] as [JSONValue?] {
      #expect(throws: PhotoError.parse) { try Photo(with: json) }
    }
  }

  @Test func photosOfTheBackendAreRead() throws {
    for id in 1...DemoBackend.photoCount {
      expectEqual(try Photo(with: DemoBackend.photo(id, at: "http://localhost")).id, id)
    }
    let photo = try Photo(with: .object(Self.members))
    expectEqual(
      "\(photo.albumId) \(photo.title) \(photo.url)", "1 Feather number 5 http://localhost/files/600k?photo=5")
    let base = try #require(URL(string: "http://localhost/v1/"))
    expectEqual(
      try Photo.single(by: 5, with: base).resource.path,
      .url(try #require(URL(string: "http://localhost/v1/photos/5"))))
  }
}
