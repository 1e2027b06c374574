import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore
@testable import WebServicesResilience

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The objects that a service retains only while requests are in progress.
@Suite struct LettingGoTests {
  private enum Ending: String, CaseIterable {
    case answer, failure, retry, redirect, token, cancel, cancelInQueue, timeout, deadline, shutDown
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
        maximumConcurrentRequestsPerHost: 1, rate: RateLimit(requestsPerSecond: 10, burst: 1))
      configuration.layers += [.circuitBreaker(.standard), .limits(limits)]
    }
  }

  private func end(_ bench: HeldBench, _ ending: Ending, _ task: WebServiceTask, _ queued: WebServiceTask) async {
    let exchange = bench.session.open.first
    switch ending {
    case .answer: exchange?.answer()
    case .failure: exchange?.answer(404)
    case .retry: exchange?.answer(503)
    case .redirect: exchange?.answer(302, ["Location": "/b"])
    case .token: exchange?.answer(401)
    case .cancel: task.cancel()
    case .cancelInQueue: queued.cancel()
    case .timeout: bench.clock.advance(by: 20)
    case .deadline: bench.clock.advance(by: 30)
    case .shutDown: bench.service.invalidateAndCancel()
    }
    for _ in 0..<10 {
      bench.clock.advance(by: 1)
      await bench.passAppCode()
      bench.session.open.first?.answer()
    }
    await bench.settle()
  }

  /// Sends two requests, lets them end, and releases the service.
  private func lifetime(_ ending: Ending, _ policy: Policy) async -> () -> Engine? {
    let bench = HeldBench(tokenManager: ReplacingTokenManager()) { configure(&$0, policy) }
    let (task, results) = bench.send("a", authorization: .bearer)
    let (queued, queuedResults) = bench.send("c", authorization: .bearer)
    await end(bench, ending, task, queued)
    #expect(results.elements.count == 1 && queuedResults.elements.count == 1)
    bench.expectNothingLeft()
    let engine = bench.service.engine
    return { [weak engine] in engine }
  }

  @Test(
    arguments: Ending.allCases.map(\.rawValue), Policy.allCases.map(\.rawValue))
  func serviceIsReleasedWithItsLastRequest(ending: String, policy: String) async throws {
    let engine = await lifetime(try #require(Ending(rawValue: ending)), try #require(Policy(rawValue: policy)))
    #expect(engine() == nil)
  }
}
