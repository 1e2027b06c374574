@testable import WebServicesTestSupport
@testable import WebServicesCore

/// Cookies through a whole service, over real sockets.
@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct CookiesThroughTheEngineTests {
  private let jar = CookieJar()

  private func harness(_ kind: TransportKind) throws -> SocketHarness {
    try SocketHarness(kind) { $0.layers = [.cookies(jar)] }
  }

  private func get(_ harness: SocketHarness, _ path: String) async throws {
    try await harness.service.sendRequest(TestRequest(path: path), parser: .nothing)
  }

  private func cookies(_ harness: SocketHarness) -> [String?] { harness.server.requests.map { $0.headers["Cookie"] } }

  @Test(arguments: TransportKind.own)
  func eachHopOfARedirectHasItsOwnCookiesAndAnotherHostGetsNone(_ kind: TransportKind) async throws {
    let harness = try harness(kind)
    let other = try LoopbackServer.forTest()
    other.route(.get, "/there", .status(204))
    harness.server.route(.get, "/a", .redirect(to: "/b", headers: ["Set-Cookie": "a=1; Path=/"]))
    harness.server.route(
      .get, "/b", .redirect(to: "http://localhost:\(other.port)/there", headers: ["Set-Cookie": "b=2"]))
    try await get(harness, "a")
    expectEqual(cookies(harness), [nil, "a=1"])
    expectEqual(other.requests.map { $0.headers["Cookie"] }, [nil])
    expectEqual(jar.count, 2)
    // A redirect to the same URL is followed if it sets a cookie.
    jar.removeAll()
    harness.server.script(.get, "/c", [.redirect(to: "/c", headers: ["Set-Cookie": "seen=1"]), .status(204)])
    try await get(harness, "c")
    expectEqual(cookies(harness).suffix(2), [nil, "seen=1"])
    harness.server.route(.get, "/loop", .redirect(to: "/loop"))
    await thrown { try await get(harness, "loop") }
  }

  /// A request may have any number of attempts, and a server may replace all cookies with each.
  @Test func secretsOfManyAttemptsTakeLimitedMemory() async throws {
    let clock = VirtualClock(now: 1000, skippingWaitsUpTo: 0)
    let harness = VirtualHarness.held(layers: [.cookies(jar)], clock: clock) { configuration in
      configuration.retry = RetryPolicy(attemptLimit: .max, backoff: RetryPolicy.Backoff(base: 0))
    }
    let (task, _) = harness.send()
    let run = try #require(harness.service.engine.state.withLock { $0.runs.values.first })
    for attempt in 1...20 {
      let cookies = (0..<180).map { HTTPHeaders.Field(name: "Set-Cookie", value: "n\($0)=\"\(attempt)-\($0)\"") }
      await harness.session.waitForTransfers(attempt)
      harness.session.open.first?.respond(503, HTTPHeaders(cookies))
    }
    let secrets = run.state.withLock { $0.layerSecrets }
    #expect(secrets.count <= 2000)
    // The cookies that are in use stay hidden.
    #expect(Set((0..<180).map { "20-\($0)" }).isSubset(of: secrets))
    task.cancel()
  }

  @Test func signOutAndEndOfAServiceEmptyTheJar() throws {
    let configuration = WebServiceConfiguration(layers: [.cookies(jar)])
    let former = JsonWebService(
      session: MockURLSession(), reachability: FakeReachability(), configuration: configuration)
    jar.store("sid=former", from: testURL("https://api.example.com/a"))
    let next = JsonWebService(session: MockURLSession(), reachability: FakeReachability(), configuration: configuration)
    former.invalidateAndCancel()
    expectEqual(jar.count, 0)
    jar.store("sid=next", from: testURL("https://api.example.com/a"))
    former.invalidateAndCancel()
    former.cancelAuthorizedRequests()
    expectEqual(jar.count, 1)
    for end in [next.cancelAuthorizedRequests, next.invalidateAndCancel] {
      jar.store("sid=next", from: testURL("https://api.example.com/a"))
      end()
      expectEqual(jar.count, 0)
    }
  }
}
