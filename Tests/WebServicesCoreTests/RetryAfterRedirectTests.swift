@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesHTTP

@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct RetryAfterRedirectTests {
  private static let city = City(name: "Bath")

  private func harness(
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(), retry: RetryPolicy = .none
  ) -> VirtualHarness<HeldSession> {
    VirtualHarness.held(tokenManager: tokenManager) {
      $0.retry = retry
      $0.redirects = RedirectPolicy(limit: 2)
    }
  }

  private func post(_ authorization: WebServiceAuthorizationType = .none) -> TestRequest {
    TestRequest(
      path: "https://api.example.com/orders", method: .post, body: ["name": "Bath"], authorization: authorization)
  }

  /// The method and the path of each transfer.
  private func steps(_ harness: VirtualHarness<HeldSession>) -> [String] {
    harness.session.transfers.map { "\($0.request.method) \($0.path)" }
  }

  private func credentials(_ harness: VirtualHarness<HeldSession>) -> [String?] {
    harness.session.transfers.map { $0.request.headers["Authorization"] }
  }

  private func redirect(_ harness: VirtualHarness<HeldSession>, to location: String = "/orders/1") async {
    harness.session.open.first?.respond(303, ["Location": location])
    await harness.settleUserCallbacks()
  }

  private func fail(_ harness: VirtualHarness<HeldSession>, _ status: Int = 503, seconds: TimeInterval = 1) async {
    harness.session.open.first?.respond(status)
    harness.clock.advance(by: seconds)
    await harness.settleUserCallbacks()
  }

  @Test func otherOriginGetsNoCredentials() async {
    let manager = FakeTokenManager()
    let harness = harness(tokenManager: manager, retry: .standard)
    let (_, results) = harness.send(post(.bearer))
    await redirect(harness, to: "https://files.example.com/1")
    await fail(harness)
    // A redirect back to the first origin changes nothing.
    await redirect(harness, to: "https://api.example.com/2")
    await fail(harness)
    expectEqual(steps(harness), ["POST /orders", "GET /1", "GET /1", "GET /2", "GET /2"])
    expectEqual(harness.session.transfers.map { $0.request.url.host?.first }, ["a", "f", "f", "a", "a"])
    expectEqual(credentials(harness), ["Bearer fake-token", nil, nil, nil, nil])
    expectEqual(manager.requestedTypes, [.bearer])
    await harness.expectCity(results)
  }

  @Test func signaturesAreMadeForTheStep() async {
    let harness = harness(retry: .standard)
    let signer = RequestSigner(named: "test", needsToken: false) { request, _ in
      expectEqual(request.headers["Authorization"], nil)
      return ["Authorization": "\(request.method) \(request.url.path)"]
    }
    let (_, results) = harness.send(post(.custom(signer)))
    await redirect(harness)
    await fail(harness)
    expectEqual(credentials(harness), ["POST /orders", "GET /orders/1", "GET /orders/1"])
    await harness.expectCity(results)
  }

  @Test func redirectsAreCountedAcrossRetries() async {
    let harness = harness(retry: RetryPolicy(attemptLimit: 9))
    let (_, results) = harness.send("0")
    for step in 1...3 {
      await fail(harness, seconds: 30)
      await redirect(harness, to: "/\(step)")
    }
    await harness.settle()
    let error = results.elements.first?.error?.underlying(as: RedirectPolicy.Refusal.self)
    expectEqual(error?.reason, .tooMany)
    expectEqual(error?.chain.map(\.path), ["/0", "/1", "/2"])
    expectEqual(harness.session.transfers.map(\.path), ["/0", "/0", "/1", "/1", "/2", "/2"])
  }

  @Test func monitorsSeeTheStep() async {
    let harness = harness(retry: RetryPolicy(attemptLimit: 2))
    var request = TestRequest(path: "https://api.example.com/0?token=s3cr3t-query", authorization: .bearer)
    request.headers["Cookie"] = "session=s3cr3t-cookie"
    let (_, results) = harness.send(request)
    await redirect(harness, to: "https://other.example.com/1?a=s3cr3t-query&b=fake-token&c=s3cr3t-cookie")
    await fail(harness)
    harness.session.open.first?.respond(500)
    await harness.settle()
    let last = harness.events.elements.drop { $0.kind.word != "redirected" }.dropFirst()
    expectEqual(last.map(\.kind.word).filter { $0 == "retried" }, ["retried"])
    #expect(last.allSatisfy { "\($0.url)".hasPrefix("https://other.example.com/1") })
    let texts = harness.events.elements.map { "\($0)" } + results.elements.map { "\($0)" }
    #expect(!texts.contains { $0.contains("s3cr3t") || $0.contains("fake-token") })
  }

  @Test(arguments: [303, 302])
  func postArrivesOnceAfterAClosedRedirect(status: Int) async throws {
    let harness = try SocketHarness(TransportKind.own[0])
    let redirect = LoopbackServer.Response.redirect(to: "/orders/1", status: status)
    harness.server.route(.post, "/orders", redirect.thenSwallowingNextRequest().then(.close))
    harness.server.route(.get, "/orders/1", .json(#"{"name": "Bath"}"#))
    let request = TestRequest(path: "orders", method: .post, body: ["name": "Bath"])
    expectEqual(try await harness.service.sendRequest(request), Self.city)
    expectEqual(harness.server.requests.map(\.path), ["/orders", "/orders/1", "/orders/1"])
    expectEqual(harness.server.requests(.post).count, 1)
  }
}
