import Foundation
import Testing
import WebServices
import WebServicesDoubles

@testable import FeatherDemo

@MainActor
@Suite struct PhotoEndpointTests {
  private let session = MockURLSession()
  private let networker: Networker
  private let baseURL: URL

  init() throws {
    // A request to this machine passes the reachability check without a network.
    networker = Networker(session: session)
    baseURL = try #require(URL(string: "http://localhost/v1/"))
  }

  private func load(_ id: Int16) async throws -> Result<Photo, WebServiceError> {
    let endpoint = try Photo.single(by: id, with: baseURL)
    return await withCheckedContinuation { continuation in
      networker.load(endpoint) { result in continuation.resume(returning: result) }
    }
  }

  @Test func networkerLoadsAPhoto() async throws {
    session.script(.get, "/v1/photos/5", .json(Photo.cannedResponse))
    #expect(try await load(5).value == .fixture())
    #expect(session.requests.map { $0.url?.absoluteString } == ["http://localhost/v1/photos/5"])
  }

  @Test func unparsablePhotoFailsWithUnderlyingPhotoError() async throws {
    session.script(.get, "/v1/photos/5", .json(#"{"id": 5}"#))
    let result = try await load(5)
    #expect(result.value == nil)
    #expect(result.error?.kind == .undecodableBody)
    #expect(result.error?.underlying(as: PhotoError.self) == .parse)
  }
}
