import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore

@Suite struct DeadlineInPhasesTests {
  /// A bench whose requests have a deadline of ten seconds.
  private func bench(
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(), clock: VirtualClock = VirtualClock(now: 1000),
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> HeldBench {
    HeldBench(tokenManager: tokenManager, clock: clock) { configuration in
      configuration.deadline = 10
      configuration.timeout = 100
      configuration.retry = RetryPolicy(maximumAttempts: 9, backoff: Backoff(base: 6, factor: 1))
      configure(&configuration)
    }
  }

  private func error(_ bench: HeldBench, _ results: Collector<WebServiceResult<City>>) async -> WebServiceError? {
    await bench.settle()
    #expect(results.elements.isEmpty)
    bench.clock.advance(by: 0.1)
    await bench.settle()
    #expect(results.elements.count == 1)
    bench.expectNothingLeft()
    return results.elements.first?.error
  }

  @Test func deadlineEndsTheNetworkWait() async {
    let bench = bench { $0.connectivity = .wait(upTo: 60) }
    bench.reachability.set(isConnected: false)
    let (_, results) = bench.send()
    bench.clock.advance(by: 9.95)
    let error = await error(bench, results)
    #expect(error?.kind == .timedOut)
    #expect(error?.phase == .admit)
  }

  @Test func deadlineEndsTheTokenWait() async {
    let manager = HeldTokenManager()
    let bench = bench(tokenManager: manager)
    let (_, results) = bench.send(authorization: .bearer)
    bench.clock.advance(by: 9.95)
    let error = await error(bench, results)
    #expect(error?.kind == .timedOut)
    #expect(error?.phase == .authorize)
    manager.answerAll("late")
    #expect(bench.session.exchanges.isEmpty)
    #expect(bench.story().last == "failure(timedOut)")
  }

  @Test func deadlineEndsARenewalAndNamesTheRefusal() async {
    let manager = HeldTokenManager()
    let bench = bench(tokenManager: manager)
    let (_, results) = bench.send(authorization: .bearer)
    manager.answerAll("old")
    bench.session.open.first?.answer(401)
    bench.clock.advance(by: 9.95)
    let error = await error(bench, results)
    #expect(error?.kind == .timedOut)
    #expect(error?.phase == .authorize)
    #expect(error?.message.contains("statusCode(401)") == true)
    manager.answerAll("late")
  }

  @Test func deadlineEndsTheWaitForAPermit() async {
    let bench = bench { $0.layers = [.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))] }
    let (holder, _) = bench.send(options: RequestOptions { $0.deadline = 100 })
    let (_, results) = bench.send()
    bench.clock.advance(by: 9.95)
    await bench.settle()
    #expect(results.elements.isEmpty)
    bench.clock.advance(by: 0.1)
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [.timedOut])
    holder.cancel()
    await bench.settle()
    #expect(bench.session.exchanges.count == 1)
    bench.expectNothingLeft()
  }

  @Test(arguments: ["sent", "answering"])
  func deadlineEndsALaterAttemptAndNamesTheFirstFailure(place: String) async {
    let bench = bench()
    let (_, results) = bench.send()
    bench.session.open.first?.fail(URLError(.cannotConnectToHost))
    bench.clock.advance(by: 6)
    if place == "answering" { bench.session.open.first?.answer(302, ["Location": "/b"]) }
    bench.clock.advance(by: 3.95)
    let error = await error(bench, results)
    #expect(error?.kind == .timedOut)
    #expect(error?.phase == .send)
    #expect(error?.attemptCount == 2)
    #expect(error?.underlying(as: TransportError.self)?.kind == .cannotConnect)
  }

  @Test func deadlineEndsARetryDelay() async {
    let bench = bench()
    let (_, results) = bench.send()
    bench.clock.advance(by: 3)
    bench.session.open.first?.answer(503)
    // The delay would end after nine seconds.
    #expect(bench.story().last == "waiting(retryDelay)")
    bench.service.cancelAuthorizedRequests()
    bench.clock.advance(by: 6)
    #expect(bench.session.exchanges.count == 2)
    bench.clock.advance(by: 0.95)
    let error = await error(bench, results)
    #expect(error?.message.contains("statusCode(503)") == true)
    #expect(error?.response?.statusCode == 503)
  }

  @Test func attemptTimeoutIsRetriedButNotTheDeadline() async {
    let bench = bench { configuration in
      configuration.timeout = 2
      configuration.retry = RetryPolicy(maximumAttempts: 3, backoff: Backoff(base: 1, factor: 1))
    }
    let (_, results) = bench.send()
    let (_, post) = bench.send(TestRequest(path: "https://api.example.com/b", method: .post))
    bench.clock.advance(by: 2)
    bench.clock.advance(by: 1)
    #expect(bench.session.exchanges.map(\.path) == ["/a", "/b", "/a"])
    bench.clock.advance(by: 3)
    #expect(bench.session.open.count == 1)
    bench.clock.advance(by: 2)
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [.timedOut])
    #expect(results.elements.map(\.error?.attemptCount) == [3])
    #expect(post.elements.map(\.error?.attemptCount) == [1])
    bench.expectNothingLeft()
  }
}

/// Delivers tokens when the test says so.
final class HeldTokenManager: WebServiceTokenManageable {
  private typealias Completion = @Sendable (Result<AccessToken, any Error>) -> Void

  private let waiting = Watched<[Completion]>([])

  func ensureValidToken(
    ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    waiting.withLock { $0.append(completion) }
  }

  func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    waiting.withLock { $0.append(completion) }
  }

  private func takeAll() -> [Completion] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  func answerAll(_ token: String) {
    takeAll().forEach { $0(.success(AccessToken(value: token))) }
  }

  func failAll(_ error: any Error) {
    takeAll().forEach { $0(.failure(error)) }
  }
}
