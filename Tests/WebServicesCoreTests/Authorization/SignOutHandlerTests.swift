@testable import WebServicesTestSupport

@Suite struct SignOutHandlerTests {
  /// Renews tokens, and says that a 400 means the end of the session.
  private struct StrictSource: TokenSource {
    var grantsFirstToken = false
    var needsRefreshToken = false

    func requestToken(
      replacing former: AuthenticationInfo?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) {
      sender.send(TestRequest(path: "token", method: .post), completion: completion)
    }

    func endsSession(_ error: any Error) -> Bool { (error as? WebServiceError)?.kind == .statusCode(400) }
  }

  private let clock = VirtualClock(now: 1000)
  private let backend = HeldService()
  private let queue = DispatchQueue(label: "sign-out")
  private let reasons = Collector<WebServiceError.Kind?>()

  private func manager(
    _ source: any TokenSource, storage: any TokenStorage = InMemoryTokenStorage()
  ) -> BasicAuthManager {
    let manager = BasicAuthManager(storage: storage, clock: clock, source: source)
    manager.attach(to: backend)
    manager.onSignOut(callbackQueue: queue) { [reasons] in reasons.append(($0 as? WebServiceError)?.kind) }
    return manager
  }

  @Test func signOutByAppHasNoReason() {
    let manager = manager(StrictSource())
    manager.clear()
    manager.update(AuthenticationInfo(apiToken: "a", secondsRemaining: 600, refreshToken: "r"))
    expectEqual(manager.authenticationInfo, AuthenticationInfo(apiToken: "a", secondsRemaining: 600, refreshToken: "r"))
    manager.clear()
    manager.clear()
    queue.sync {}
    expectEqual(reasons.elements, [nil])
    expectEqual(manager.authenticationInfo, nil)
  }

  @Test func rejectedRenewalSignsOut() {
    let storage = InMemoryTokenStorage()
    let manager = manager(StrictSource(), storage: storage)
    manager.update(apiToken: "a", secondsRemaining: 0)
    let waiting = (0..<3).map { _ in manager.requestToken() }
    let response = URL(string: "https://api.example.com/token").map {
      WebServiceResponse(statusCode: 400, url: $0, body: Data("expired".utf8))
    }
    backend.fail(WebServiceError(.statusCode(400), response: response))
    queue.sync {}
    expectEqual(waiting.map(\.elements), Array(repeating: [.failed(.statusCode(400))], count: 3))
    expectEqual(reasons.elements, [.statusCode(400)])
    expectEqual(backend.signOutCount, 1)
    expectEqual(manager.apiToken, nil)
    expectEqual(storage.load(), nil)
    expectEqual((manager.renewalError as? WebServiceError)?.response?.body, Data("expired".utf8))
    expectEqual(manager.requestToken().elements, [.refused(.notSignedIn)])
    expectEqual(backend.sent.count, 1)
    manager.update(apiToken: "b", secondsRemaining: 600)
    #expect(manager.renewalError == nil)
    expectEqual(manager.requestToken().elements, [.token("b", generation: 2)])
  }

  @Test func failedRenewalKeepsUser() {
    let manager = manager(StrictSource())
    manager.update(apiToken: "a", secondsRemaining: 0)
    let outcomes = manager.requestToken()
    backend.fail()
    queue.sync {}
    expectEqual(outcomes.elements, [.failed(.statusCode(503))])
    #expect(reasons.elements.isEmpty)
    expectEqual((manager.renewalError as? WebServiceError)?.kind, .statusCode(503))
    clock.advance(by: 1)
    let later = manager.requestToken()
    backend.renew(to: "b")
    expectEqual(later.elements, [.token("b", generation: 2)])
    #expect(manager.renewalError == nil)
  }

  @Test func lateRejectionKeepsNextUser() {
    let manager = manager(StrictSource())
    manager.update(apiToken: "a", secondsRemaining: 0)
    _ = manager.requestToken()
    manager.clear()
    manager.update(apiToken: "b", secondsRemaining: 600)
    backend.fail(.statusCode(400))
    queue.sync {}
    expectEqual(manager.apiToken, "b")
    expectEqual(reasons.elements, [nil])
  }

  @Test func rejectionPausesFirstTokenRequests() {
    let manager = manager(StrictSource(grantsFirstToken: true))
    manager.update(apiToken: "a", secondsRemaining: 0)
    _ = manager.requestToken()
    backend.fail(.statusCode(400))
    expectEqual(manager.requestToken().elements, [.failed(.statusCode(400))])
    expectEqual(backend.sent.count, 1)
    clock.advance(by: 1)
    let outcomes = manager.requestToken()
    backend.fail(.statusCode(400))
    queue.sync {}
    expectEqual(outcomes.elements, [.failed(.statusCode(400))])
    expectEqual(reasons.elements, [.statusCode(400)])
    clock.advance(by: 1)
    expectEqual(manager.requestToken().elements, [.failed(.statusCode(400))])
    expectEqual(backend.sent.count, 2)
  }

  @Test func tokenWithoutRefreshTokenIsUsedUntilExpiry() {
    let manager = manager(StrictSource(needsRefreshToken: true))
    manager.update(apiToken: "a", secondsRemaining: 10)
    expectEqual(manager.requestToken().elements, [.token("a", generation: 1)])
    clock.advance(by: 10)
    expectEqual(manager.requestToken().elements, [.refused(.expired)])
    #expect(backend.sent.isEmpty)
    manager.update(AuthenticationInfo(apiToken: "b", secondsRemaining: 10, refreshToken: "r"))
    let outcomes = manager.requestToken()
    backend.renew(to: "c")
    expectEqual(outcomes.elements, [.token("c", generation: 3)])
  }

  @Test
  @MainActor
  func mainQueueClosureRunsOnTheMainActor() async {
    let manager = manager(StrictSource())
    manager.update(apiToken: "a", secondsRemaining: 600)
    await withCheckedContinuation { continuation in
      manager.onSignOut { _ in
        MainActor.assertIsolated()
        continuation.resume()
      }
      manager.clear()
    }
  }
}
