@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesHTTP

/// A deadline that passes in each phase of a request.
@Suite(.leavesNothing) struct DeadlineInPhasesTests {
  /// A harness whose requests have a deadline of ten seconds.
  private func harness(
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(), clock: VirtualClock = VirtualClock(now: 1000),
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> VirtualHarness<HeldSession> {
    VirtualHarness.held(tokenManager: tokenManager, clock: clock) { configuration in
      configuration.deadline = 10
      configuration.timeout = 100
      configuration.retry = RetryPolicy(attemptLimit: 9, backoff: RetryPolicy.Backoff(base: 6, factor: 1))
      configure(&configuration)
    }
  }

  private func error(_ harness: VirtualHarness<HeldSession>, _ results: Collector<WebServiceResult<City>>) async
    -> WebServiceError?
  {
    await harness.settle()
    #expect(results.elements.isEmpty)
    harness.clock.advance(by: 0.1)
    await harness.settle()
    expectEqual(results.elements.map(\.error?.kind), [.timedOut])
    return results.elements.first?.error
  }

  @Test func deadlineEndsARenewalAndNamesTheRefusal() async {
    let manager = HeldTokenManager()
    let harness = harness(tokenManager: manager)
    let (_, results) = harness.send(authorization: .bearer)
    manager.respondToAll("old")
    harness.session.open.first?.respond(401)
    harness.clock.advance(by: 9.95)
    let error = await error(harness, results)
    expectEqual(error?.phase, .authorize)
    expectEqual(error?.message.contains("statusCode(401)"), true)
    manager.respondToAll("late")
  }

  @Test(arguments: ["sent", "redirected"])
  func deadlineEndsALaterAttemptAndNamesTheFirstFailure(place: String) async {
    let harness = harness()
    let (_, results) = harness.send()
    harness.session.open.first?.fail(URLError(.cannotConnectToHost))
    harness.clock.advance(by: 6)
    if place == "redirected" { harness.session.open.first?.respond(302, ["Location": "/b"]) }
    harness.clock.advance(by: 3.95)
    let error = await error(harness, results)
    expectEqual(error?.phase, .send)
    expectEqual(error?.attemptCount, 2)
    expectEqual(error?.underlying(as: TransportError.self)?.kind, .cannotConnect)
  }

  @Test func deadlineEndsARetryDelay() async {
    let harness = harness()
    let (_, results) = harness.send()
    harness.clock.advance(by: 3)
    harness.session.open.first?.respond(503)
    // The delay would end after nine seconds.
    expectEqual(harness.story().last, "waiting(retryDelay)")
    harness.service.cancelAuthorizedRequests()
    harness.clock.advance(by: 6)
    expectEqual(harness.session.transfers.count, 2)
    harness.clock.advance(by: 0.95)
    let error = await error(harness, results)
    expectEqual(error?.message.contains("statusCode(503)"), true)
    expectEqual(error?.response?.statusCode, 503)
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

  func respondToAll(_ token: String) {
    takeAll().forEach { $0(.success(AccessToken(value: token))) }
  }
}
