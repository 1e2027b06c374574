@testable import WebServicesTestSupport

/// The samples of the article on layers.
@Suite(.leavesNothing) struct LayersTests {
  // sample: signingLayer

  // sample: countingLayer

  // sample: failingLayer

  // sample: mirrorLayer

  /// A service whose host is down, and whose mirror gives this response.
  private func mirrored(_ response: MockResponse) -> (session: MockURLSession, service: JsonWebService) {
    let session = MockURLSession { request in
      request.url?.host == "mirror.example.com" ? response : .failure(URLError(.cannotConnectToHost))
    }
    var configuration = WebServiceConfiguration.sample
    configuration.layers = [MirrorLayer(host: "mirror.example.com")]
    return (session, JsonWebService(over: session, configuration))
  }

  @Test func mirrorIsAskedWhenTheHostIsDown() async throws {
    let (session, service) = mirrored(.json("{}"))
    try await service.sendRequest(Request("cities"), parser: .nothing)
    expectEqual(session.requests.map(\.url?.host), ["api.example.com", "mirror.example.com"])
    await thrown { try await service.sendRequest(Request("cities", .post), parser: .nothing) }
    expectEqual(session.requests.count, 3)
  }

  @Test func cancelEndsTheTransferUnderWay() async throws {
    let (session, service) = mirrored(.never)
    let task = Task { try await service.sendRequest(Request("cities"), parser: .nothing) }
    await session.waitForRequests(2)
    task.cancel()
    let error = await thrown { try await task.value }
    expectEqual(error?.kind, .cancelled)
    await session.waitUntilIdle()
    expectEqual(session.openTaskCount, 0)
  }

  @Test func mirrorKeepsNoEndedTransfer() async {
    let harness = VirtualHarness.scripted(.status(204)) { $0.layers = [MirrorLayer(host: "mirror.example.com")] }
    let request = TransportRequest(method: .get, url: testURL("https://api.example.com/cities"))
    weak var task: TwoTransfers?
    do {
      let transfer = harness.layered.transferTask(with: request) { _ in }
      task = transfer as? TwoTransfers
      #expect(task != nil)
      transfer.resume()
    }
    await harness.session.waitUntilIdle()
    #expect(task == nil)
  }

  @Test func layersHaveTheOrderOfTheArticle() async throws {
    let session = MockURLSession(["GET /cities": .json("{}", headers: ["Cache-Control": "max-age=600"])])
    var configuration = WebServiceConfiguration()
    let cache = ResponseCache()
    let limits = RequestLimits(concurrentRequestsPerHost: 8)
    // sample: layers
    let service = JsonWebService(over: session, configuration)
    for _ in 0..<2 { try await service.sendRequest(TestRequest(), parser: .nothing) }
    expectEqual(session.requests.count, 1)
  }

  @Test func appsOwnLayersSeeEveryTransfer() async throws {
    let session = MockURLSession(["GET /cities": .status(204)])
    var configuration = WebServiceConfiguration()
    let (turns, failures) = (Collector<Void>(), Collector<Void>())
    let limits = RequestLimits(concurrentRequestsPerHost: 1)
    let sign: @Sendable (TransportRequest) -> String = { request in "signed \(request.method)" }
    let count: @Sendable (Result<WebServiceResponse, TransportError>) -> Void = { result in
      if case .failure = result { failures.add() }
    }
    let turn: @Sendable () -> Int = {
      turns.add()
      return turns.count
    }
    // sample: useLayers
    let service = JsonWebService(over: session, configuration)
    for _ in 0..<20 { try? await service.sendRequest(TestRequest(), parser: .nothing) }
    expectEqual(failures.count, 2)
    expectEqual(session.requests.count, 18)
    #expect(session.requests.allSatisfy { $0.value(forHTTPHeaderField: "X-Signature") == "signed GET" })
  }
}
