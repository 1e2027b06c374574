@testable import WebServicesTestSupport
@testable import WebServicesCore

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
    expectEqual(await outcomes.elements(10_000).count, 10_000)
    expectEqual(
      outcomes.elements.filter { $0 != .token("old", generation: 1) && $0 != .token("new", generation: 2) }, [])
    expectEqual(backend.sent.count, 1)
    expectEqual(clock.pendingTimerCount, 0)
  }

  /// An invalid timeout is replaced.
  @Test(arguments: [(5, 5), (0, 30), (-1, 30), (TimeInterval.nan, 30), (.infinity, 86_400)])
  func renewalEndsAfterItsTimeout(given: TimeInterval, meant: TimeInterval) {
    let (manager, backend, clock) = renewingManager(renewalTimeout: given)
    manager.update(apiToken: "old", secondsRemaining: 0)
    let outcomes = manager.requestToken()
    let (timers, isOfTimers) = (DispatchQueue(label: "timers"), DispatchSpecificKey<Bool>())
    timers.setSpecific(key: isOfTimers, value: true)
    manager.ensureValidToken(ofType: .bearer) { _ in
      // The caller's code may block, and other timers wait for their queue.
      expectEqual(DispatchQueue.getSpecific(key: isOfTimers), nil)
    }
    clock.advance(by: meant - 0.1)
    #expect(outcomes.elements.isEmpty)
    expectEqual(backend.openCount, 1)
    timers.sync { clock.advance(by: 0.1) }
    UserCallbackQueue.shared.sync(flags: .barrier) {}
    expectEqual(outcomes.elements, [.refused(.renewalTimedOut)])
    expectEqual(backend.openCount, 0)
    expectEqual(clock.pendingTimerCount, 0)
    expectEqual(manager.requestToken().elements, [.refused(.renewalTimedOut)])
  }

  /// An empty refresh token means none, and a lifetime that isn't positive is unknown.
  @Test(
    arguments: [
      ("b", 600, nil, "r1"), ("b", 600, "", "r1"), ("b", 0, "r2", "r2"), ("b", -1, "r2", "r2"), ("", 600, "r2", "r1"),
    ] as [(String, Int, String?, String)])
  func responseOfARenewalIsTaken(token: String, seconds: Int, refreshToken: String?, kept: String) {
    let storage = InMemoryTokenStorage(
      StoredToken(apiToken: "a", expiresAt: Date(timeIntervalSinceNow: -1000), refreshToken: "r1"))
    let (manager, backend, _) = renewingManager(storage: storage)
    #expect(manager.isSessionExpired)
    let outcomes = manager.requestToken()
    expectEqual(backend.sent.map { $0["refresh"] }, ["r1"])
    backend.renew(to: token, secondsRemaining: seconds, refreshToken: refreshToken)
    expectEqual(outcomes.elements, [token.isEmpty ? .refused(.emptyResponse) : .token("b", generation: 2)])
    expectEqual(manager.isSessionExpired, token.isEmpty)
    expectEqual([manager.authenticationInfo?.refreshToken, storage.load()?.refreshToken], [kept, kept])
  }

  @Test func renewalThatNeedsTokenIsRefused() {
    let source = BasicAuthManager.RenewalSource.refreshToken { RefreshRequest(token: $0, authorization: .bearer) }
    let (manager, backend, clock) = renewingManager(source)
    manager.update(apiToken: "old", secondsRemaining: 0)
    expectEqual(manager.requestToken().elements, [.refused(.renewalNeedsToken)])
    #expect(backend.sent.isEmpty)
    expectEqual(clock.pendingTimerCount, 0)
  }
}
