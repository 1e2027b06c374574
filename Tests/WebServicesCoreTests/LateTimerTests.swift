@testable import WebServicesTestSupport
@testable import WebServicesCore

/// Timers that fire while the thread that set them is delayed, or after the request has gone on.
@Suite(.leavesNothing) struct LateTimerTests {
  /// Runs actions at moments that a delayed thread can cause.
  private final class RacingClock: WebServiceClock {
    let base = VirtualClock(now: 1000)
    /// The delays whose next timer fires before `schedule` returns.
    let firesInside = Locked<[TimeInterval]>([])
    /// All actions. A test calls one late, as a clock does whose thread had begun when the timer was cancelled.
    let actions = Collector<@Sendable () -> Void>()

    var now: TimeInterval { base.now }

    func schedule(after delay: TimeInterval, _ action: @escaping @Sendable () -> Void) -> any WebServiceTimer {
      actions.append(action)
      let index = firesInside.withLock { delays in
        delays.firstIndex(of: delay).map { delays.remove(at: $0) }
      }
      guard index != nil else { return base.schedule(after: delay, action) }
      action()
      return base.schedule(after: 0) {}
    }
  }

  private let clock = RacingClock()

  private func harness(
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(), layers: [any SessionLayer] = []
  ) -> VirtualHarness<HeldSession> {
    VirtualHarness.held(layers: layers, tokenManager: tokenManager, clock: clock.base) { [clock] configuration in
      configuration.clock = clock
      configuration.retry = RetryPolicy(attemptLimit: 5, backoff: RetryPolicy.Backoff(base: 1, factor: 2))
      configuration.connectivity = .wait(upTo: 100, interval: 0.5)
      configuration.timeout = 30
    }
  }

  @Test func pauseThatEndsBeforeItsTimerIsKeptLeavesTheNextPause() async {
    let session = HeldSession { request in
      .success(WebServiceResponse(statusCode: 503, url: request.url))
    }
    let harness = VirtualHarness.held(session, clock: clock.base) { [clock] configuration in
      configuration.clock = clock
      configuration.retry = RetryPolicy(attemptLimit: 3, backoff: RetryPolicy.Backoff(base: 1, factor: 2))
    }
    clock.firesInside.withLock { $0 = [1] }
    let (_, results) = harness.send()
    expectEqual(harness.session.transfers.count, 2)
    clock.base.advance(by: 2)
    await harness.settle()
    expectEqual(results.elements.map { $0.error?.attemptCount }, [3])
  }

  @Test func waitForTheNetworkThatEndsBeforeItsTimerIsKeptLeavesTheNextPause() async {
    let reachability = Flapping()
    let session = HeldSession { request in
      .success(WebServiceResponse(statusCode: 503, url: request.url))
    }
    var configuration = WebServiceConfiguration(clock: clock)
    configuration.random = .fixed(1)
    configuration.retry = RetryPolicy(attemptLimit: 2, backoff: RetryPolicy.Backoff(base: 1, factor: 2))
    configuration.retryBudget = .unlimited
    configuration.connectivity = .wait(upTo: 100, interval: 0.5)
    let service = JsonWebService(
      session: session, tokenManager: FakeTokenManager(), reachability: reachability, configuration: configuration)
    // The first wait ends inside `schedule`, and so does the pause after it. The second wait has to last.
    clock.firesInside.withLock { $0 = [0.5, 1] }
    let results = Collector<WebServiceResult<City>>()
    let queue = DispatchQueue(label: "completions")
    service.sendRequest(TestRequest(), callbackQueue: queue) { results.append($0) }
    expectEqual(session.transfers.count, 1)
    reachability.isOnline.withLock { $0 = true }
    clock.base.advance(by: 0.5)
    expectEqual(session.transfers.count, 2)
    queue.sync {}
    service.invalidateAndCancel()
    await results.waitForElements(1)
    expectEqual(results.elements.map { $0.error?.kind }, [.statusCode(503)])
    session.releaseTransfers()
  }

  /// Is online at the second question only, until the test says so.
  private final class Flapping: ReachabilityCheckable {
    let isOnline = Locked(false)
    private let count = Locked(0)

    func isConnected() -> Bool {
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == 2 || isOnline.withLock { $0 }
    }
  }

  /// Redirects `/a` to `/b` without the next session, as a cache does.
  private struct StoredRedirect: SessionLayer {
    func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
      Session(next: next)
    }

    private struct Session: WrappingSession {
      let next: any URLSessionProtocol

      func transferTask(
        with request: TransportRequest, completion: @escaping HeldTask.Completion
      ) -> any URLSessionTaskProtocol {
        guard request.url.path == "/a" else { return next.transferTask(with: request, completion: completion) }
        let response = WebServiceResponse(statusCode: 301, headers: ["Location": "/b"], url: request.url)
        return finishedTask(with: .success(response), completion: completion)
      }
    }
  }

  @Test func storedRedirectToASilentHostTimesOut() async {
    let harness = harness(layers: [StoredRedirect()])
    let (_, results) = harness.send(options: RequestOptions { $0.retry = RetryPolicy.none })
    expectEqual(harness.session.paths, ["/b"])
    clock.base.advance(by: 30)
    await harness.settle()
    expectEqual(results.elements.map { $0.error?.kind }, [.timedOut])
    harness.session.releaseTransfers()
  }
}
