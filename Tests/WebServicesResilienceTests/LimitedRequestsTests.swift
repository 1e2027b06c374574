@testable import WebServicesTestSupport
@testable import WebServicesHTTP
@testable import WebServicesCore

/// Limits in a whole service. `LimitingSessionTests` checks the layer alone.
@Suite(.leavesNothing) struct LimitedRequestsTests {
  private func harness(
    _ limits: RequestLimits = RequestLimits(maximumConcurrentRequestsPerHost: 1),
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> VirtualHarness<HeldSession> {
    VirtualHarness.held(layers: [.limits(limits)], configure: configure)
  }

  @Test func timeoutStartsWhenSentAndDeadlineWithTheCall() async {
    let harness = harness { $0.timeout = 10 }
    harness.send("first", options: RequestOptions { $0.timeout = 100 })
    let (_, patient) = harness.send("patient", authorization: .bearer)
    let (_, hurried) = harness.send("hurried", options: RequestOptions { $0.deadline = 15 })
    harness.clock.advance(by: 14.9)
    await harness.settle()
    #expect(patient.elements.isEmpty && hurried.elements.isEmpty)
    harness.clock.advance(by: 0.1)
    await harness.settle()
    expectEqual(hurried.elements.map(\.error?.kind), [.timedOut])
    harness.session.transfers[0].respond()
    expectEqual(harness.session.transfers.count, 2)
    harness.clock.advance(by: 9.9)
    await harness.settle()
    #expect(patient.elements.isEmpty)
    harness.clock.advance(by: 0.1)
    await harness.settle()
    expectEqual(patient.elements.map(\.error?.kind), [.timedOut])
  }

  @Test(arguments: [429, 503])
  func retryAfterPausesOneHost(status: Int) async {
    let harness = harness(RequestLimits(maximumConcurrentRequestsPerHost: 10))
    harness.send("first")
    harness.session.transfers[0].respond(status, ["Retry-After": "7"])
    harness.send("second")
    harness.send("other", host: "other.example.com")
    expectEqual(harness.session.transfers.map(\.path), ["/first", "/other"])
    harness.clock.advance(by: 6.9)
    expectEqual(harness.session.transfers.count, 2)
    harness.clock.advance(by: 0.2)
    expectEqual(harness.session.transfers.map(\.path), ["/first", "/other", "/second"])
    harness.session.open.forEach { $0.respond() }
    await harness.settle()
  }

  @Test func renewalBypassesAFullLimiter() async {
    let clock = VirtualClock(now: 1000)
    let manager = BasicAuthManager(clock: clock)
    manager.renewTokens { _ in TestRequest(path: "https://api.example.com/renew", method: .post) }
    manager.update(apiToken: "old", secondsRemaining: 0)
    let harness = VirtualHarness.held(
      layers: [.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))], tokenManager: manager, clock: clock)
    // A request without a token holds the only permit all the time.
    harness.send("long", options: RequestOptions { $0.timeout = 1000 })
    let (_, results) = harness.send("short", authorization: .bearer)
    await harness.session.waitForTransfers(2)
    expectEqual(harness.session.open.map(\.path), ["/long", "/renew"])
    harness.session.open.last?.respond(body: #"{"apiToken": "new", "secondsRemaining": 600}"#)
    harness.session.open.first?.respond()
    await harness.session.waitForTransfers(3)
    harness.session.open.first?.respond()
    await results.waitForElements(1)
    expectEqual(results.elements.map(\.model), [City(name: "Bath")])
    manager.clear()
  }
}
