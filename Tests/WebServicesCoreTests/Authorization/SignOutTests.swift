@testable import WebServicesTestSupport

@Suite struct SignOutTests {
  /// The token is gone before the requests end. The storage, which may block, comes afterwards.
  @Test func signOutReachesEveryServiceBeforeTheStorage() {
    let storage = InMemoryTokenStorage()
    let manager = BasicAuthManager(storage: storage, clock: VirtualClock())
    let tokens = Collector<[String?]>()
    let services = (0..<3).map { _ in
      HeldService { [weak manager] in tokens.append([manager?.apiToken, storage.load()?.apiToken]) }
    }
    for service in services + services { manager.attach(to: service) }
    manager.update(apiToken: "abc", secondsRemaining: 600)
    expectEqual(services.map(\.signOutCount), [0, 0, 0])
    manager.clear()
    expectEqual(services.map(\.signOutCount), [1, 1, 1])
    expectEqual(tokens.elements, Array(repeating: [nil, "abc"], count: 3))
    expectEqual(storage.load(), nil)
  }

  @Test func managerHoldsServicesWeakly() {
    let manager = BasicAuthManager(clock: VirtualClock())
    var service: HeldService? = HeldService()
    let former = { [weak service] in service }
    // Its requests outlive a service, also when others are attached.
    let signOuts = Collector<Void>()
    let engine = Engine { signOuts.add() }
    manager.attach(HeldService(), ending: engine)
    manager.attach(to: HeldService())
    if let service { manager.attach(to: service) }
    service = nil
    #expect(former() == nil)
    withExtendedLifetime(engine) { #expect(manager.clear()) }
    expectEqual(signOuts.elements.count, 1)
  }

  @Test(arguments: [false, true])
  func signOutAndSignInCancelRenewal(isSignIn: Bool) {
    let (manager, backend, clock) = renewingManager()
    manager.update(apiToken: "old", secondsRemaining: 0)
    let outcomes = manager.requestToken()
    if isSignIn { manager.update(apiToken: "next", secondsRemaining: 600) } else { manager.clear() }
    expectEqual(outcomes.elements, [isSignIn ? .token("next", generation: 2) : .refused(.signedOut)])
    expectEqual(backend.openCount, 0)
    expectEqual(clock.pendingTimerCount, 0)
    expectEqual(manager.requestToken().elements, [isSignIn ? .token("next", generation: 2) : .refused(.notSignedIn)])
  }

  @Test func sourceSendsNothingAfterTheSignOut() {
    let senders = Collector<TokenSender>()
    let (manager, backend, _) = renewingManager(ClosureSource { _, sender, _ in senders.append(sender) })
    manager.update(apiToken: "old", secondsRemaining: 0)
    _ = manager.requestToken()
    manager.clear()
    let failures = Collector<TokenError?>()
    senders.elements.first?.send(TestRequest(path: "renew"), as: AuthenticationInfo.self) { result in
      failures.append(result.failure as? TokenError)
    }
    expectEqual(failures.elements, [.signedOut])
    #expect(backend.sent.isEmpty)
  }

  @Test func storageHoldsTheLastChange() async {
    let storage = InMemoryTokenStorage()
    let manager = BasicAuthManager(storage: storage, clock: VirtualClock())
    await concurrently(2000) { index in
      if index.isMultiple(of: 2) {
        manager.update(apiToken: "\(index)", secondsRemaining: 600)
      } else {
        manager.clear()
      }
    }
    expectEqual(storage.load()?.apiToken, manager.apiToken)
  }

  @Test func failingStorageIsReported() {
    let storage = FailingStorage()
    let manager = BasicAuthManager(storage: storage, clock: VirtualClock())
    expectEqual(manager.storageError as? FailingStorage.Failure, .load)
    #expect(!manager.update(apiToken: "abc", secondsRemaining: 600))
    expectEqual(manager.storageError as? FailingStorage.Failure, .save)
    expectEqual(manager.apiToken, "abc")
    #expect(!manager.clear())
    expectEqual(manager.storageError as? FailingStorage.Failure, .clear)
    expectEqual(manager.apiToken, nil)
    #expect(BasicAuthManager(storage: InMemoryTokenStorage()).storageError == nil)
  }

  /// The next user signs in before the storage has forgotten the former one, and can't be saved.
  @Test func unsavedTokenLeavesNoTokenOfAFormerUser() {
    let storage = FullStorage()
    let (manager, backend, _) = renewingManager(ClosureSource(needsRefreshToken: true), storage: storage)
    manager.ensureValidToken(ofType: .bearer) { _ in manager.update(apiToken: "b", secondsRemaining: 600) }
    #expect(!manager.clear())
    expectEqual(manager.apiToken, "b")
    expectEqual(storage.load(), nil)
    expectEqual(backend.openCount, 0)
  }

  /// A storage that has an expired token, and room for no other.
  struct FullStorage: TokenStorage {
    var token = InMemoryTokenStorage(
      StoredToken(apiToken: "a", expiresAt: Date(timeIntervalSinceNow: -1000), refreshToken: "r"))

    func load() -> StoredToken? { token.load() }
    func save(_ token: StoredToken) throws { throw FailingStorage.Failure.save }
    func clear() { token.clear() }
  }

  /// A storage whose methods all fail.
  private struct FailingStorage: TokenStorage {
    enum Failure: Error { case load, save, clear }

    func load() throws -> StoredToken? { throw Failure.load }
    func save(_ token: StoredToken) throws { throw Failure.save }
    func clear() throws { throw Failure.clear }
  }
}
