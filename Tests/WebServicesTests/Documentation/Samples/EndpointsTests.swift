@testable import WebServicesTestSupport

/// The samples of the article on endpoints.
@Suite struct EndpointsTests {
  // sample: endpoint

  @MainActor
  private func load(
    with networker: Networker, baseURL: URL, show: @escaping @MainActor (String) -> Void
  ) throws {
    // sample: load
  }

  @Test
  @MainActor
  func endpointIsLoadedWithCompletionAndAwaited() async throws {
    let baseURL = try #require(URL(string: "https://photos.example.com"))
    // sample: mockedNetworker
    let service = JsonWebService(over: session)
    let shown = try await withCheckedThrowingContinuation { continuation in
      do {
        try load(with: Networker(service: service), baseURL: baseURL) { continuation.resume(returning: $0) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
    expectEqual(shown, "Lunch")
    _ = networker
    let endpoint = Endpoint(
      url: try #require(URL(string: "https://photos.example.com/photos/5")), parser: .json([String: JSONValue].self))
    expectEqual(try await Networker(service: service).load(endpoint)["title"], "Lunch")
  }
}
