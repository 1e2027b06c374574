@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesObservability

/// The metrics of a service with a monitor, and the work that a service without a monitor saves.
@Suite(.leavesNothing) struct MonitoringCostTests {

  @Test func noMonitorMeansNoEvents() async {
    let clock = CountingClock()
    var configuration = WebServiceConfiguration(clock: clock)
    configuration.deadline = nil
    let session = HeldSession()
    defer { session.releaseTransfers() }
    let service = JsonWebService(
      session: session, tokenManager: FakeTokenManager(), reachability: FakeReachability(),
      configuration: configuration)
    let results = Collector<WebServiceResult<City>>()
    service.sendRequest(TestRequest(), callbackQueue: DispatchQueue(label: "test")) { results.append($0) }
    session.open.first?.respond()
    await results.waitForElements(1)
    // An event would read the clock.
    expectEqual(clock.questions.withLock { $0 }, 0)
  }
}

/// Counts how often the clock is read.
private final class CountingClock: WebServiceClock {
  let questions = Locked(0)
  private let clock = VirtualClock()

  var now: TimeInterval {
    questions.withLock { $0 += 1 }
    return clock.now
  }

  func schedule(after delay: TimeInterval, _ action: @escaping @Sendable () -> Void) -> any WebServiceTimer {
    clock.schedule(after: delay, action)
  }
}
