@testable import WebServicesTestSupport

@Suite struct MockResponseFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, to name: String) throws -> URL {
    let url = folder.url.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url
  }

  private func result(of response: MockResponse) async throws -> Result<WebServiceResponse, TransportError> {
    await MockURLSession { _ in response }.send(TransportRequest(url: try #require(URL(string: "https://h/a"))))
  }

  @Test func fileContentIsTheBodyAndExtensionSetsTheType() async throws {
    let other: HTTPHeaders = ["content-type": "application/problem+json", "X-Id": "7"]
    let cases: [(String, Int, HTTPHeaders, String)] = [
      ("Cities.json", 200, [:], "application/json"), ("notes.TXT", 200, [:], "text/plain; charset=utf-8"),
      ("photo.jpeg", 200, [:], "image/jpeg"), ("unknown", 200, [:], "application/octet-stream"),
      ("Error.json", 404, other, "application/problem+json"),
    ]
    for (name, status, headers, type) in cases {
      let file = try write("content", to: name)
      let response = try await result(of: .file(file, status: status, headers: headers)).get()
      expectEqual(response.statusCode, status)
      expectEqual(response.body, Data("content".utf8))
      expectEqual(response.headers.values(for: "Content-Type"), [type])
      expectEqual(response.headers["X-Id"], headers["X-Id"])
    }
  }

  @Test func resourceIsFoundInItsBundle() async throws {
    _ = try write(#"{"name": "Bath"}"#, to: "City.json")
    let bundle = try #require(Bundle(path: folder.url.path))
    let response = try await result(of: .resource(named: "City", extension: "json", in: bundle)).get()
    expectEqual(response.body, Data(#"{"name": "Bath"}"#.utf8))
    expectEqual(response.headers["Content-Type"], "application/json")
    expectEqual(try await result(of: .resource(named: "City.json", in: bundle, status: 404)).get().statusCode, 404)
  }

  @Test func missingFileIsAFailureThatNamesIt() async throws {
    let bundle = try #require(Bundle(path: folder.url.path))
    let missing = [
      MockResponse.file(folder.url.appendingPathComponent("Town.json")),
      .resource(named: "Town", extension: "json", in: bundle),
    ]
    for response in missing {
      let error = try await result(of: response).error
      expectEqual(error?.kind, .file)
      expectEqual(error?.message.contains("Town.json"), true)
    }
  }
}
