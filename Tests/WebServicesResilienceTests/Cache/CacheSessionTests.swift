@testable import WebServicesTestSupport
@testable import WebServicesHTTP
@testable import WebServicesCore

/// The cache as a layer, without an engine. `CachingTests` checks a whole service.
@Suite(.leavesNothing) struct CacheSessionTests {
  private let wall: WallClock
  private let harness: VirtualHarness<HeldSession>

  init() {
    let (cache, wall) = cacheOnWallClock()
    self.wall = wall
    harness = VirtualHarness.held { $0.layers = [.cache(cache)] }
  }

  private func store(_ control: String) {
    harness.transfer()
    harness.session.open.last?.respond(200, headers(control), body: "old")
    wall.advance(by: 61)
  }

  private func headers(_ control: String) -> HTTPHeaders {
    ["Cache-Control": control, "ETag": "\"1\"", "Date": HTTPDate.string(from: wall.now)]
  }

  @Test func responseSourceIsCacheAfterRevalidation() {
    store("max-age=60")
    let confirmed = harness.transfer()
    harness.session.open.first?.respond(304, headers("max-age=60"))
    expectEqual(confirmed.outcomes, ["200"])
    expectEqual(confirmed.response?.source, .earlierTransfer)
    expectEqual(confirmed.notes, ["starts", "sent", "received(304)", "cached(revalidated)"])
    let reloaded = harness.transfer { $0.options.cachePolicy = .reload }
    harness.session.open.first?.respond(200, headers("max-age=60"), body: "new")
    expectEqual(reloaded.response?.source, .network)
  }

  @Test func cancelledCallerGetsNoStoredResponse() {
    store("max-age=60, stale-if-error=600")
    let cancelled = harness.transfer()
    cancelled.task.cancel()
    expectEqual(cancelled.outcomes, ["cancelled"])
    #expect(harness.session.open.isEmpty)
  }

  @Test func backgroundRefreshHasLowPriorityAndNoEvents() throws {
    store("max-age=60, stale-while-revalidate=600")
    let sent = harness.transfer { $0.options.timeout = 7 }
    expectEqual(sent.outcomes, ["200"])
    expectEqual(sent.notes, ["cached(hit)"])
    let refresh = try #require(harness.session.open.first)
    expectEqual(refresh.request.options.priority, .low)
    expectEqual(refresh.request.options.coalesces, false)
    expectEqual(refresh.request.timeouts.whole, 7)
    harness.service.engine.shutDown(invalidatingInjectedSession: false)
    #expect(harness.session.open.isEmpty)
    harness.transfer()
    #expect(harness.session.open.isEmpty)
  }
}
