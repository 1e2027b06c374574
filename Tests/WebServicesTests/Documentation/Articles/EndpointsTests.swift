import Foundation
import Testing
import WebServices
import WebServicesTesting

/// The samples of the article on endpoints.
@Suite struct EndpointsTests {
  // sample: endpoint
  enum PhotoError: Error {
    case url
    case parse
  }

  nonisolated struct Photo: Hashable, Sendable {
    var id: Int64
    var title: String

    init(with json: JSONValue) throws {
      guard let id = json["id"]?.integer, let title = json["title"]?.string else { throw PhotoError.parse }
      self.id = id
      self.title = title
    }

    static func single(by id: Int, with baseURL: URL) throws -> Endpoint<Photo> {
      guard let url = URL(string: "photos/\(id)", relativeTo: baseURL) else { throw PhotoError.url }
      return Endpoint(url: url, parse: { json in Result { try Photo(with: json) } })
    }
  }
  // end of sample

  @MainActor
  private func load(
    with networker: Networker, baseURL: URL, show: @escaping @MainActor (String) -> Void
  ) throws {
    // sample: load
    networker.load(try Photo.single(by: 5, with: baseURL)) { result in
      guard let photo = result.value else { return show(result.error?.friendlyDescription ?? "") }
      show(photo.title)
    }
    // end of sample
  }

  @Test
  @MainActor
  func endpointIsLoadedWithCompletionAndAwaited() async throws {
    let baseURL = try #require(URL(string: "https://photos.example.com"))
    // sample: mockedNetworker
    let session = MockURLSession()
    session.script(.get, "/photos/5", .json(#"{"id": 5, "title": "Lunch"}"#))
    let networker = Networker(session: session)
    // end of sample
    let service = JsonWebService(session: session, reachability: FakeReachability())
    let shown = try await withCheckedThrowingContinuation { continuation in
      do {
        try load(with: Networker(service: service), baseURL: baseURL) { continuation.resume(returning: $0) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
    #expect(shown == "Lunch")
    _ = networker
    let endpoint = Endpoint(
      url: try #require(URL(string: "https://photos.example.com/photos/5")), parser: .json([String: JSONValue].self))
    #expect(try await Networker(service: service).load(endpoint)["title"] == "Lunch")
  }
}
