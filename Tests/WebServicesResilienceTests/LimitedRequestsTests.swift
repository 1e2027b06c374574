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

  @Test func shutDownEmptiesTheQueue() async {
    let harness = harness()
    let results = (0..<5).map { harness.send("\($0)").results }
    harness.service.engine.shutDown(invalidatingInjectedSession: false)
    await harness.settle()
    for result in results { expectEqual(result.elements.map(\.error?.kind), [.cancelled]) }
    expectEqual(harness.session.transfers.count, 1)
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

  @Test(arguments: [true, false])
  func renewalBypassesAFullLimiter(isRefused: Bool) async {
    let clock = VirtualClock(now: 1000)
    let manager = BasicAuthManager(clock: clock)
    manager.renewTokens { _ in TestRequest(path: "https://api.example.com/renew", method: .post) }
    manager.update(apiToken: "old", secondsRemaining: isRefused ? 600 : 0)
    let harness = VirtualHarness.held(
      layers: [.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))], tokenManager: manager, clock: clock)
    // A request without a token holds the only permit all the time.
    if !isRefused { harness.send("long", options: RequestOptions { $0.timeout = 1000 }) }
    let results = (0..<5).map { harness.send("\($0)", authorization: .bearer).results }
    if isRefused { harness.session.transfers[0].respond(401) }
    await harness.session.waitForTransfers(2)
    if isRefused {
      // The next request takes the permit of the refused one and is refused too.
      while let next = harness.session.open.first(where: { $0.path != "/renew" }) { next.respond(401) }
      await harness.settleUserCallbacks()
    }
    let renewal = harness.session.transfers.first { $0.path == "/renew" }
    expectEqual(renewal?.isComplete, false)
    renewal?.respond(body: #"{"apiToken": "new", "secondsRemaining": 600}"#)
    await clock.waitForTimers(1)
    if !isRefused { harness.session.transfers[0].respond() }
    for count in 1...5 {
      await harness.session.waitForTransfers((isRefused ? 6 : 2) + count)
      expectEqual(harness.session.open.count, 1)
      harness.session.open.first?.respond()
    }
    for result in results { await result.waitForElements(1) }
    await harness.settle()
    for result in results { expectEqual(result.elements.map(\.model), [City(name: "Bath")]) }
    expectEqual(harness.session.transfers.filter { $0.path == "/renew" }.count, 1)
    manager.clear()
  }
}
