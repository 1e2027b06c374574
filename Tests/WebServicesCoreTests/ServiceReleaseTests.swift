@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesResilience

/// A service must be released with its last request, however the request ends and whichever policies are on.
@Suite(.leavesNothing) struct ServiceReleaseTests {
  private enum Ending: String, CaseIterable {
    case response, failure, retry, redirect, token, cancel, cancelInQueue, timeout, deadline, shutDown
  }

  private enum Policy: String, CaseIterable { case none, cache, sharing, cacheAndSharing, limits, all }

  private func configure(_ configuration: inout WebServiceConfiguration, _ policy: Policy) {
    configuration.timeout = 20
    configuration.deadline = 30
    configuration.retry = .standard
    if [.cache, .cacheAndSharing, .all].contains(policy) { configuration.layers.append(.cache(ResponseCache())) }
    if [.sharing, .cacheAndSharing, .all].contains(policy) { configuration.layers.append(.coalescing) }
    if [.limits, .all].contains(policy) {
      let limits = RequestLimits(
        concurrentRequestsPerHost: 1, rate: RequestLimits.Rate(requestsPerSecond: 10, burst: 1))
      configuration.layers += [.circuitBreaker(.standard), .limits(limits)]
    }
  }

  private func end(
    _ harness: VirtualHarness<HeldSession>, _ ending: Ending, _ task: WebServiceTask, _ queued: WebServiceTask
  ) async {
    let transfer = harness.session.open.first
    switch ending {
    case .response: transfer?.respond()
    case .failure: transfer?.respond(404)
    case .retry: transfer?.respond(503)
    case .redirect: transfer?.respond(302, ["Location": "/b"])
    case .token: transfer?.respond(401)
    case .cancel: task.cancel()
    case .cancelInQueue: queued.cancel()
    case .timeout: harness.clock.advance(by: 20)
    case .deadline: harness.clock.advance(by: 30)
    case .shutDown: harness.service.invalidateAndCancel()
    }
    for _ in 0..<10 {
      harness.clock.advance(by: 1)
      await harness.settleUserCallbacks()
      harness.session.open.first?.respond()
    }
    await harness.settle()
  }

  /// Sends two requests, lets them end, and releases the service.
  private func lifetime(_ ending: Ending, _ policy: Policy) async -> () -> Engine? {
    let harness = VirtualHarness.held(tokenManager: ReplacingTokenManager()) { configure(&$0, policy) }
    let (task, results) = harness.send("a", authorization: .bearer)
    let (queued, queuedResults) = harness.send("c", authorization: .bearer)
    await end(harness, ending, task, queued)
    #expect(results.elements.count == 1 && queuedResults.elements.count == 1)
    let engine = harness.service.engine
    harness.session.releaseTransfers()
    return { [weak engine] in engine }
  }

  @Test(
    arguments: Ending.allCases.map(\.rawValue), Policy.allCases.map(\.rawValue))
  func serviceIsReleasedWithItsLastRequest(ending: String, policy: String) async throws {
    let engine = await lifetime(try #require(Ending(rawValue: ending)), try #require(Policy(rawValue: policy)))
    #expect(engine() == nil)
  }
}
