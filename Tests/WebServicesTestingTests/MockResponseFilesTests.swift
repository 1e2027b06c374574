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
    let session = MockURLSession { _ in response }
    let service = JsonWebService(session: session, reachability: FakeReachability())
    return try await service.sendRequest(Request("https://h/a"), parser: .response.mapping([404], with: .response))
  }

  @Test func fileContentIsTheBodyAndExtensionSetsTheType() async throws {
    let other: HTTPHeaders = ["content-type": "application/problem+json", "X-Id": "7"]
    let cases: [(String, Int, HTTPHeaders, String)] = [
      ("Cities.json", 200, [:], "application/json"), ("notes.TXT", 200, [:], "text/plain; charset=utf-8"),
      ("photo.jpeg", 200, [:], "image/jpeg"), ("unknown", 200, [:], "application/octet-stream"),
      ("Error.json", 404, other, "application/problem+json"),
    ]
    for (name, status, headers, type) in cases {
      let response = try await received(.file(try write("content", to: name), status: status, headers: headers))
      expectEqual(response.statusCode, status)
      expectEqual(response.body, Data("content".utf8))
      expectEqual(response.headers.values(for: "Content-Type"), [type])
      expectEqual(response.headers["X-Id"], headers["X-Id"])
    }
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
