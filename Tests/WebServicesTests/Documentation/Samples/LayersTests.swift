import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on layers.
@Suite struct LayersTests {
  // sample: signingLayer

  // sample: countingLayer

  // sample: failingLayer

  // sample: mirrorLayer

  @Test func mirrorIsAskedWhenTheHostIsDown() async throws {
    let session = MockURLSession { request in
      request.url?.host == "mirror.example.com" ? .json("{}") : .failure(URLError(.cannotConnectToHost))
    }
    var configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    configuration.layers = [MirrorLayer(host: "mirror.example.com")]
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    try await service.sendRequest(Request("cities"), parser: .nothing)
    #expect(session.requests.map(\.url?.host) == ["api.example.com", "mirror.example.com"])
    await #expect(throws: WebServiceError.self) {
      try await service.sendRequest(Request("cities", .post), parser: .nothing)
    }
    #expect(session.requests.count == 3)
  }

  @Test func cancelEndsTheTransferUnderWay() async throws {
    let session = MockURLSession { request in
      request.url?.host == "mirror.example.com" ? .never : .failure(URLError(.cannotConnectToHost))
    }
    var configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
    configuration.layers = [MirrorLayer(host: "mirror.example.com")]
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    let task = Task { try await service.sendRequest(Request("cities"), parser: .nothing) }
    await session.waitForRequests(2)
    task.cancel()
    let error = await #expect(throws: WebServiceError.self) { try await task.value }
    #expect(error?.kind == .cancelled)
    await session.waitUntilIdle()
    #expect(session.openTaskCount == 0)
  }

  @Test func layersHaveTheOrderOfTheArticle() async throws {
    let session = MockURLSession()
    session.script(.get, "/cities", .json("{}", headers: ["Cache-Control": "max-age=600"]))
    var configuration = WebServiceConfiguration()
    let cache = ResponseCache()
    let limits = RequestLimits(concurrentRequestsPerHost: 8)
    // sample: layers
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    for _ in 0..<2 { try await service.sendRequest(TestRequest(), parser: .nothing) }
    #expect(session.requests.count == 1)
  }

  @Test func appsOwnLayersSeeEveryTransfer() async throws {
    let session = MockURLSession()
    session.script(.get, "/cities", .status(204))
    var configuration = WebServiceConfiguration()
    let turns = Collector<Void>()
    let failures = Collector<Void>()
    let limits = RequestLimits(concurrentRequestsPerHost: 1)
    let sign: @Sendable (TransportRequest) -> String = { request in "signed \(request.method)" }
    let count: @Sendable (Result<WebServiceResponse, TransportError>) -> Void = { result in
      if case .failure = result { failures.append(()) }
    }
    let turn: @Sendable () -> Int = {
      turns.append(())
      return turns.elements.count
    }
    // sample: useLayers
    let service = JsonWebService(session: session, reachability: FakeReachability(), configuration: configuration)
    var kinds: [WebServiceError.Kind] = []
    for _ in 0..<20 {
      do {
        try await service.sendRequest(TestRequest(), parser: .nothing)
      } catch {
        kinds.append(error.kind)
      }
    }
    #expect(kinds == [.sessionFailure, .sessionFailure])
    #expect(failures.elements.count == 2)
    #expect(session.requests.count == 18)
    #expect(session.requests.allSatisfy { $0.value(forHTTPHeaderField: "X-Signature") == "signed GET" })
  }
}
