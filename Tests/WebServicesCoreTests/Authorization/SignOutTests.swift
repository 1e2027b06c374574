@testable import WebServicesTestSupport

@Suite struct SignOutTests {
  @Test func signOutReachesEveryService() {
    let manager = BasicAuthManager(clock: VirtualClock())
    let tokens = Collector<String?>()
    let services = (0..<3).map { _ in HeldService { [weak manager] in tokens.append(manager?.apiToken) } }
    for service in services + services { manager.attach(to: service) }
    manager.update(apiToken: "abc", secondsRemaining: 600)
    expectEqual(services.map(\.signOutCount), [0, 0, 0])
    manager.clear()
    expectEqual(services.map(\.signOutCount), [1, 1, 1])
    expectEqual(tokens.elements, [nil, nil, nil])
  }

  @Test func requestsEndBeforeTheStorageIsCleared() {
    let order = Collector<String>()
    let manager = BasicAuthManager(storage: NotingStorage(notes: order), clock: VirtualClock())
    let service = HeldService { order.append("requests") }
    manager.attach(to: service)
    manager.update(apiToken: "abc", secondsRemaining: 600)
    manager.clear()
    expectEqual(order.elements, ["requests", "storage"])
  }

  /// Notes when it is cleared.
  private struct NotingStorage: TokenStorage {
    let notes: Collector<String>

    func load() -> StoredToken? { nil }
    func save(_ token: StoredToken) {}
    func clear() { notes.append("storage") }
  }

  @Test func managerHoldsServicesWeakly() {
    let manager = BasicAuthManager(clock: VirtualClock())
    var service: HeldService? = HeldService()
    let former = { [weak service] in service }
    manager.attach(to: HeldService())
    if let service { manager.attach(to: service) }
    service = nil
    #expect(former() == nil)
    #expect(manager.clear())
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

  /// Passes the sender to the test, which sends the renewal when it wants to.
  private struct SlowSource: TokenSource {
    let senders = Collector<TokenSender>()

    func requestToken(
      replacing former: AuthenticationInfo?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) {
      senders.append(sender)
    }
  }

  @Test func sourceSendsNothingAfterTheSignOut() {
    let (source, backend) = (SlowSource(), HeldService())
    let manager = BasicAuthManager(clock: VirtualClock(), source: source)
    manager.attach(to: backend)
    manager.update(apiToken: "old", secondsRemaining: 0)
    _ = manager.requestToken()
    manager.clear()
    let failures = Collector<TokenError?>()
    source.senders.elements.first?.send(TestRequest(path: "renew"), as: AuthenticationInfo.self) { result in
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
}

/// A storage whose methods all fail.
private struct FailingStorage: TokenStorage {
  enum Failure: Error {
    case load
    case save
    case clear
  }

  func load() throws -> StoredToken? { throw Failure.load }
  func save(_ token: StoredToken) throws { throw Failure.save }
  func clear() throws { throw Failure.clear }
}
