@testable import WebServicesTestSupport

/// A service that takes nothing new and lets the requests in progress end.
@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct ServiceShutdownTests {
  /// Begins a shutdown, which waits for at most five seconds.
  private func shutDown(_ harness: VirtualHarness<HeldSession>) async -> Task<Void, Never> {
    let shutdown = Task { await harness.service.shutDown(within: 5) }
    await harness.clock.waitForTimer(after: 5)
    return shutdown
  }

  @Test func requestInProgressEndsAndNewOnesAreRefused() async throws {
    let harness = VirtualHarness.held()
    let (_, inProgress) = harness.send()
    let shutdown = await shutDown(harness)
    let (_, refused) = harness.send("b")
    // Requests that others wait for, such as a renewal, and redirects are sent.
    let (_, renewal) = harness.send("token", options: RequestOptions { $0.bypassesLimits = true })
    harness.session.open.first?.respond(302, ["Location": "/c"])
    let error = try #require(await refused.elements(1).first?.error)
    #expect(error.kind == .sessionFailure && error.attemptCount == 0)
    expectEqual(error.underlying(as: TransportError.self)?.kind, .invalidated)
    expectEqual(error.message, "the service is shutting down and takes no new requests")
    harness.session.respondToAll()
    await shutdown.value
    await inProgress.waitForElements(1)
    await renewal.waitForElements(1)
    expectEqual(inProgress.elements + renewal.elements, [.success(City(name: "Bath")), .success(City(name: "Bath"))])
    expectEqual(harness.session.paths, ["/a", "/token", "/c"])
    expectEqual(harness.session.invalidationCount, 0)
    for options in [RequestOptions(), RequestOptions { $0.bypassesLimits = true }] {
      expectEqual(await harness.result(of: TestRequest(options: options)).error?.kind, .sessionFailure)
    }
  }

  @Test(arguments: ["limit", "cancel", "invalidation"])
  func limitCancelAndInvalidationEndTheWait(end: String) async {
    let harness = VirtualHarness.held()
    let (_, results) = harness.send()
    let shutdown = await shutDown(harness)
    switch end {
    case "limit": harness.clock.advance(by: 5)
    case "cancel": shutdown.cancel()
    default: harness.service.invalidateAndCancel()
    }
    await shutdown.value
    expectEqual(await results.elements(1).first?.error?.kind, .cancelled)
  }

  @Test func ownSessionEndsWithTheService() async throws {
    let server = try LoopbackServer.forTest()
    server.route(.get, "/a", .json(#"{"name": "Bath"}"#))
    let service = JsonWebService(
      tokenManager: FakeTokenManager(), configuration: WebServiceConfiguration(baseURL: server.baseURL))
    _ = try await service.sendRequest(TestRequest(path: "a"), as: City.self)
    await service.shutDown(within: 5)
    // The session would keep its connection for as long as somebody has the service.
    #expect(await server.waitForOpenConnections(count: 0))
    withExtendedLifetime(service) {}
  }
}
