import Foundation
import Testing
import WebServices
import WebServicesTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct MockResponseFilesTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("MockResponseFiles-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func write(_ text: String, to name: String) throws -> URL {
    let url = folder.appendingPathComponent(name)
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
    defer { try? FileManager.default.removeItem(at: folder) }
    let response = try await received(.file(try write("content", to: name)))
    #expect(response.statusCode == 200)
    #expect(response.body == Data("content".utf8))
    #expect(response.headers["Content-Type"] == type)
  }

  @Test func statusAndHeadersCanBeGivenForAFile() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = try write("{}", to: "Error.json")
    let response = try await received(
      .file(url, status: 404, headers: ["content-type": "application/problem+json", "X-Id": "7"]))
    #expect(response.statusCode == 404)
    #expect(response.headers.values(for: "Content-Type") == ["application/problem+json"])
    #expect(response.headers["X-Id"] == "7")
  }

  @Test func missingFileIsAFailureThatNamesIt() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let error = await #expect(throws: WebServiceError.self) {
      try await received(.file(folder.appendingPathComponent("Nowhere.json")))
    }
    #expect(error?.kind == .file)
    #expect(error?.underlying(as: TransportError.self)?.message.contains("Nowhere.json") == true)
  }

  @Test func resourceIsFoundInItsBundle() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try write(#"{"name": "Bath"}"#, to: "City.json")
    let bundle = try #require(Bundle(path: folder.path))
    let response = try await received(.resource(named: "City", extension: "json", in: bundle))
    #expect(response.body == Data(#"{"name": "Bath"}"#.utf8))
    #expect(response.headers["Content-Type"] == "application/json")
    #expect(try await received(.resource(named: "City.json", in: bundle, status: 404)).statusCode == 404)
    let error = await #expect(throws: WebServiceError.self) {
      try await received(.resource(named: "Town", extension: "json", in: bundle))
    }
    #expect(error?.underlying(as: TransportError.self)?.message.contains("Town.json") == true)
  }
}
