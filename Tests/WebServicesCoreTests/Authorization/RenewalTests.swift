@testable import WebServicesTestSupport

@Suite struct RenewalTests {
  @Test func tenThousandRequestsMakeOneRenewal() async {
    let (manager, backend, clock) = renewingManager()
    manager.update(apiToken: "old", secondsRemaining: 61)
    let outcomes = Collector<TokenOutcome>()
    await concurrently(10_000) { index in
      if index == 5000 { clock.advance(by: 2) }
      manager.ensureValidToken(ofType: .bearer) { outcomes.append(TokenOutcome($0)) }
      if index == 9000 { backend.renew(to: "new") }
    }
    if backend.openCount > 0 { backend.renew(to: "new") }
    await outcomes.waitForElements(10_000)
    expectEqual(outcomes.elements.count, 10_000)
    expectEqual(Set(outcomes.elements.map(\.value)), ["old", "new"])
    expectEqual(backend.sent.count, 1)
    expectEqual(clock.pendingTimerCount, 0)
  }

  /// An invalid timeout is replaced.
  @Test(arguments: [(5, 5), (0, 30), (-1, 30), (TimeInterval.nan, 30), (.infinity, 86_400)])
  func renewalEndsAfterItsTimeout(given: TimeInterval, meant: TimeInterval) {
    let (manager, backend, clock) = renewingManager(renewalTimeout: given)
    manager.update(apiToken: "old", secondsRemaining: 0)
    let outcomes = manager.requestToken()
    clock.advance(by: meant - 0.1)
    #expect(outcomes.elements.isEmpty)
    expectEqual(backend.openCount, 1)
    clock.advance(by: 0.1)
    expectEqual(outcomes.elements, [.refused(.renewalTimedOut)])
    expectEqual(backend.openCount, 0)
    expectEqual(clock.pendingTimerCount, 0)
    expectEqual(manager.requestToken().elements, [.refused(.renewalTimedOut)])
  }

  @Test func timeoutOfAFinishedRenewalIsCancelled() {
    let (manager, backend, clock) = renewingManager()
    manager.update(apiToken: "old", secondsRemaining: 0)
    let first = manager.requestToken()
    clock.advance(by: 20)
    backend.renew(to: "new", secondsRemaining: 1)
    clock.advance(by: 1)
    let second = manager.requestToken()
    clock.advance(by: 20)
    expectEqual(first.elements, [.token("new", generation: 2)])
    #expect(second.elements.isEmpty)
    backend.renew(to: "newer")
    expectEqual(second.elements, [.token("newer", generation: 3)])
  }

  @Test func emptyRefreshTokenKeepsTheFormer() {
    let storage = InMemoryTokenStorage()
    let (manager, backend, _) = renewingManager(storage: storage)
    manager.update(apiToken: "a", secondsRemaining: 0, refreshToken: "r1")
    _ = manager.requestToken()
    backend.renew(to: "b", refreshToken: "")
    expectEqual(manager.authenticationInfo?.refreshToken, "r1")
    expectEqual(storage.load()?.refreshToken, "r1")
  }

  @Test func storageRestoresRefreshToken() {
    let storage = InMemoryTokenStorage(
      StoredToken(apiToken: "a", expiresAt: Date(timeIntervalSinceNow: -1000), refreshToken: "r1"))
    let (manager, backend, _) = renewingManager(storage: storage)
    #expect(manager.isSessionExpired)
    let outcomes = manager.requestToken()
    backend.renew(to: "b")
    expectEqual(outcomes.elements, [.token("b", generation: 2)])
    expectEqual(backend.sent.map { $0["refresh"] }, ["r1"])
  }

  @Test(arguments: [0, -1])
  func lifetimeThatIsNotPositiveIsUnknown(seconds: Int) {
    let storage = InMemoryTokenStorage()
    let (manager, backend, _) = renewingManager(storage: storage)
    manager.update(apiToken: "old", secondsRemaining: 0, refreshToken: "r1")
    let outcomes = manager.requestToken()
    backend.renew(to: "new", secondsRemaining: seconds, refreshToken: "r2")
    expectEqual(outcomes.elements, [.token("new", generation: 2)])
    #expect(!manager.isSessionExpired)
    expectEqual(storage.load()?.refreshToken, "r2")
  }

  @Test func emptyTokenIsAFailure() {
    let (manager, backend, _) = renewingManager()
    manager.update(apiToken: "old", secondsRemaining: 0)
    let outcomes = manager.requestToken()
    backend.renew(to: "")
    expectEqual(outcomes.elements, [.refused(.emptyResponse)])
  }

  @Test func renewalThatNeedsTokenIsRefused() {
    let (manager, backend, clock) = renewingManager()
    manager.renewTokens(from: .refreshToken { RefreshRequest(token: $0, authorization: .bearer) })
    manager.update(apiToken: "old", secondsRemaining: 0)
    expectEqual(manager.requestToken().elements, [.refused(.renewalNeedsToken)])
    #expect(backend.sent.isEmpty)
    expectEqual(clock.pendingTimerCount, 0)
    manager.renewTokens(
      from: .refreshToken { RefreshRequest(token: $0, authorization: .basic(user: "client", password: "secret")) })
    let outcomes = manager.requestToken()
    backend.renew(to: "new")
    expectEqual(outcomes.elements, [.token("new", generation: 2)])
  }
}

extension TokenOutcome {
  /// The token; empty if there is none.
  fileprivate var value: String {
    if case .token(let value, _) = self { value } else { "" }
  }
}
