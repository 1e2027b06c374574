@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct RetryAfterRedirectTests {
  private func harness(attempts: Int) -> VirtualHarness<HeldSession> {
    VirtualHarness.held {
      $0.retry = RetryPolicy(attemptLimit: attempts)
      $0.redirects = RedirectPolicy(limit: 2)
    }
  }

  @Test func redirectsAreCountedAcrossRetries() async {
    let harness = harness(attempts: 9)
    let (_, results) = harness.send("0")
    for step in 1...3 {
      await harness.respond(503, thenPass: 30)
      await harness.respond(303, ["Location": "/\(step)"])
    }
    await harness.settle()
    let error = results.elements.first?.error?.underlying(as: RedirectPolicy.Refusal.self)
    expectEqual(error?.reason, .tooMany)
    expectEqual(error?.chain.map(\.path), ["/0", "/1", "/2"])
    expectEqual(harness.session.paths, ["/0", "/0", "/1", "/1", "/2", "/2"])
  }

  @Test func postArrivesOnceAfterAClosedRedirect() async throws {
    let harness = try SocketHarness(TransportKind.own[0])
    let redirect = LoopbackServer.Response.redirect(to: "/orders/1", status: 303)
    harness.server.route(.post, "/orders", redirect.thenSwallowingNextRequest().then(.close))
    harness.server.route(.get, "/orders/1", .json(#"{"name": "Bath"}"#))
    let request = TestRequest(path: "orders", method: .post, body: ["name": "Bath"])
    expectEqual(try await harness.service.sendRequest(request), City(name: "Bath"))
    expectEqual(harness.server.requests.map(\.path), ["/orders", "/orders/1", "/orders/1"])
    expectEqual(harness.server.requests(.post).count, 1)
  }
}
