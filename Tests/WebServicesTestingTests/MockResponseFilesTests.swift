@testable import WebServicesTestSupport

@Suite struct MockResponseFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, to name: String) throws -> URL {
    let url = folder.url.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url
  }

  private func received(_ response: MockResponse) async throws -> WebServiceResponse {
    let session = MockURLSession()
    session.script(.get, "/a", response)
    let service = JsonWebService(session: session, reachability: FakeReachability())
    struct Request: WebServiceRequestData { var path: String { "https://h/a" } }
    return try await service.sendRequest(
      Request(), parser: .response.mapping([404], with: .response))
  }

  @Test(
    arguments: [
      ("Cities.json", "application/json"), ("notes.TXT", "text/plain; charset=utf-8"), ("photo.jpeg", "image/jpeg"),
      ("unknown", "application/octet-stream"),
    ])
  func fileContentIsTheBodyAndExtensionSetsTheType(name: String, type: String) async throws {
    let response = try await received(.file(try write("content", to: name)))
    expectEqual(response.statusCode, 200)
    expectEqual(response.body, Data("content".utf8))
    expectEqual(response.headers["Content-Type"], type)
  }

  @Test func statusAndHeadersCanBeGivenForAFile() async throws {
    let url = try write("{}", to: "Error.json")
    let response = try await received(
      .file(url, status: 404, headers: ["content-type": "application/problem+json", "X-Id": "7"]))
    expectEqual(response.statusCode, 404)
    expectEqual(response.headers.values(for: "Content-Type"), ["application/problem+json"])
    expectEqual(response.headers["X-Id"], "7")
  }

  @Test func missingFileIsAFailureThatNamesIt() async throws {
    let error = await #expect(throws: WebServiceError.self) {
      try await received(.file(folder.url.appendingPathComponent("Nowhere.json")))
    }
    expectEqual(error?.kind, .file)
    expectEqual(error?.underlying(as: TransportError.self)?.message.contains("Nowhere.json"), true)
  }

  @Test func resourceIsFoundInItsBundle() async throws {
    _ = try write(#"{"name": "Bath"}"#, to: "City.json")
    let bundle = try #require(Bundle(path: folder.url.path))
    let response = try await received(.resource(named: "City", extension: "json", in: bundle))
    expectEqual(response.body, Data(#"{"name": "Bath"}"#.utf8))
    expectEqual(response.headers["Content-Type"], "application/json")
    expectEqual(try await received(.resource(named: "City.json", in: bundle, status: 404)).statusCode, 404)
    let error = await #expect(throws: WebServiceError.self) {
      try await received(.resource(named: "Town", extension: "json", in: bundle))
    }
    expectEqual(error?.underlying(as: TransportError.self)?.message.contains("Town.json"), true)
  }
}
