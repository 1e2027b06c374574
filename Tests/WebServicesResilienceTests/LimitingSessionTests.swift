@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesResilience

/// Limits as a layer, without an engine. `LimitedRequestsTests` checks a whole service.
@Suite(.leavesNothing) struct LimitingSessionTests {
  private let harness = VirtualHarness.held {
    $0.layers = [.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))]
  }

  private var limiter: RequestLimiter? { (harness.layered as? LimitingSession)?.limiter }

  @Test func freedPermitSkipsRequestsThatEnd() {
    let first = harness.transfer("first")
    let doomed = (0..<3).map { harness.transfer("\($0)") }
    let last = harness.transfer("last")
    for request in doomed { request.observer.mayBeSent.withLock { $0 = false } }
    first.task.cancel()
    expectEqual(harness.session.paths, ["/first", "/last"])
    expectEqual(doomed.map(\.outcomes), Array(repeating: ["cancelled"], count: 3))
    harness.session.open.first?.respond()
    expectEqual(last.outcomes, ["200"])
  }

  @Test func withdrawnRequestReportsItsWait() {
    harness.transfer("first")
    let second = harness.transfer("second")
    expectEqual(second.task.withdrawIfUnsent(), .turn(host: "api.example.com", limit: 1))
    expectEqual(second.outcomes, ["cancelled"])
    harness.session.open.first?.respond()
    expectEqual(harness.session.paths, ["/first"])
  }

  @Test func cancelBeforeResumeTakesNoPermit() {
    for _ in 0..<3 { harness.transfer(resumes: false).task.cancel() }
    expectEqual(limiter?.inFlightCount, 0)
    harness.transfer("last")
    expectEqual(harness.session.paths, ["/last"])
    harness.session.respondToAll()
  }

  @Test func bypassingRequestSkipsTheQueue() {
    harness.transfer("first")
    harness.transfer("second")
    let third = harness.transfer("third") { $0.options.bypassesLimits = true }
    expectEqual(harness.session.paths, ["/first", "/third"])
    expectEqual(third.notes, ["starts", "sent"])
    harness.session.respondToAll()
  }
}
