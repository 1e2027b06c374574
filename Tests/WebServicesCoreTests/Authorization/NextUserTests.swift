@testable import WebServicesTestSupport
@testable import WebServicesCore

/// The next user signs in from the first completion that a sign-out causes.
@Suite(.timeLimit(.minutes(1)), .leavesNothing) struct NextUserTests {
  private let manager = BasicAuthManager(clock: VirtualClock())

  init() {
    manager.renewTokens(through: nil) { RequestDataForRenewToken(apiToken: $0) }
    manager.update(apiToken: "first", secondsRemaining: 10_000)
  }

  /// Signs the first user out. The first completion that the sign-out causes signs the second user in, and runs
  /// `meanwhile`.
  private func changeUser(meanwhile: @escaping @Sendable () -> Void) {
    let (manager, backend) = (manager, HeldService())
    manager.replaceRefusedToken(AccessToken(value: "first", generation: 1), ofType: .bearer, through: backend) { _ in
      manager.update(apiToken: "second", secondsRemaining: 10_000)
      meanwhile()
    }
    manager.clear()
  }

  private func tokens(_ harness: VirtualHarness<HeldSession>) -> [String?] {
    harness.session.transfers.map { $0.request.headers["Authorization"] }
  }

  @Test func firstRequestsOfNextUserContinue() {
    let harnesses = (0..<2).map { _ in VirtualHarness.held(tokenManager: manager) }
    let results = Collector<Collector<WebServiceResult<City>>>()
    changeUser { for harness in harnesses { results.append(harness.send(authorization: .bearer).results) } }
    for harness in harnesses {
      expectEqual(tokens(harness), ["Bearer second"])
      harness.session.respondToAll()
      harness.queue.sync {}
    }
    expectEqual(results.elements.map { $0.elements.map(\.error?.kind) }, [[nil], [nil]])
  }

  @Test func requestInRetryPauseIsNotSentAsNextUser() {
    let gate = GatedManager(manager)
    let harness = VirtualHarness.held(tokenManager: gate) { $0.retry = .standard }
    let (_, results) = harness.send(authorization: .bearer)
    gate.close()
    harness.session.open.first?.respond(503)
    harness.clock.advance(by: 60)
    gate.waitForRequest()
    changeUser { gate.pass() }
    harness.queue.sync {}
    expectEqual(tokens(harness), ["Bearer first"])
    expectEqual(results.elements.map(\.error?.kind), [.cancelled])
  }

  @Test func responseOfFormerUserIsNoSuccess() {
    let harness = VirtualHarness.held(tokenManager: manager)
    let (_, results) = harness.send(authorization: .bearer)
    harness.queue.suspend()
    harness.session.respondToAll()
    changeUser {
      harness.queue.resume()
      harness.queue.sync {}
    }
    expectEqual(results.elements.map(\.error?.kind), [.cancelled])
  }

  @Test func streamOfFormerUserDeliversNoElement() {
    let harness = VirtualHarness.held(tokenManager: manager)
    let log = Collector<String>()
    harness.queue.suspend()
    harness.service.stream(
      TestRequest(authorization: .bearer), as: .jsonLines(City.self), callbackQueue: harness.queue
    ) { city in
      log.append(city.name)
    } completion: { result in
      log.append(result.failure.map { "\($0.kind)" } ?? "success")
    }
    harness.session.open.first?.respond(body: #"{"name": "Bath"}"#)
    changeUser {
      harness.queue.resume()
      // Each part of the response takes one block of the queue.
      for _ in 0..<5 { harness.queue.sync {} }
    }
    expectEqual(log.elements, ["cancelled"])
  }

  @Test func queuedRequestOfFormerUserIsNotSent() {
    let harness = VirtualHarness.held(tokenManager: manager) {
      $0.layers = [.limits(RequestLimits(concurrentRequestsPerHost: 1))]
    }
    let results = ["a", "b"].map { harness.send($0, authorization: .bearer).results }
    changeUser { harness.session.open.first?.respond() }
    harness.queue.sync {}
    expectEqual(harness.session.paths, ["/a"])
    expectEqual(results.map { $0.elements.map(\.error?.kind) }, [[.cancelled], [.cancelled]])
  }
}

/// Passes everything on to a manager. Once it is closed, requests for a token wait until the test lets them pass.
private final class GatedManager: WebServiceTokenManageable {
  private let manager: BasicAuthManager
  private let isClosed = Locked(false)
  private let (asked, opened) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

  init(_ manager: BasicAuthManager) { self.manager = manager }

  func close() { isClosed.withLock { $0 = true } }
  func waitForRequest() { asked.wait() }

  /// Lets the request for a token pass, and waits until its request has continued.
  func pass() {
    opened.signal()
    // A retried request asks for its token on this queue, and goes on there once the call has returned.
    UserCallbackQueue.shared.sync(flags: .barrier) {}
  }

  func ensureValidToken(
    ofType type: WebServiceAuthorizationType, completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    guard isClosed.withLock({ $0 }) else { return manager.ensureValidToken(ofType: type, completion: completion) }
    asked.signal()
    opened.wait()
    manager.ensureValidToken(ofType: type, completion: completion)
  }

  func attach(to service: JsonWebService) { manager.attach(to: service) }
}
