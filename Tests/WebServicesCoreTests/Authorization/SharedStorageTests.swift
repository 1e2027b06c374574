@testable import WebServicesTestSupport

/// Two managers with one storage, as two processes of a tool have them.
@Suite struct SharedStorageTests {
  private let storage = InMemoryTokenStorage(
    StoredToken(apiToken: "a", expiresAt: Date(timeIntervalSinceNow: -1000), refreshToken: "r1"))
  private let signOuts = Collector<Void>()

  /// Makes a manager as a process does that starts now. It renews with a refresh token that may be used once.
  private func process(isStrict: Bool = true) -> (manager: BasicAuthManager, backend: HeldService, clock: VirtualClock)
  {
    let source = ClosureSource(needsRefreshToken: true, isStrict: isStrict)
    let process = renewingManager(source, storage: storage)
    process.manager.onSignOut(callbackQueue: .global()) { [signOuts] _ in signOuts.add() }
    return process
  }

  /// Makes two processes, one of which has renewed the token.
  private func processes() -> (second: BasicAuthManager, idle: HeldService, clock: VirtualClock) {
    let (first, second) = (process(), process())
    _ = first.manager.requestToken()
    first.backend.renew(to: "b", refreshToken: "r2")
    return (second.manager, second.backend, second.clock)
  }

  @Test func tokenThatAnotherProcessHasRenewedIsTaken() {
    let (second, idle, clock) = processes()
    expectEqual(
      (0..<2).map { _ in second.requestToken().elements }, Array(repeating: [.token("b", generation: 2)], count: 2))
    #expect(idle.sent.isEmpty && clock.pendingTimerCount == 0)
    expectEqual(second.authenticationInfo?.refreshToken, "r2")
    #expect(!second.isSessionExpired)
  }

  @Test(arguments: [true, false])
  func rejectedRenewalTakesTheTokenOfAnotherProcess(isStrict: Bool) {
    let ((first, backend, _), (second, other, _)) = (process(), process(isStrict: isStrict))
    let outcomes = (0..<2).map { _ in second.requestToken() }
    _ = first.requestToken()
    backend.renew(to: "b", refreshToken: "r2")
    other.fail(.statusCode(400))
    expectEqual(outcomes.map(\.elements), Array(repeating: [.token("b", generation: 2)], count: 2))
    expectEqual(storage.load()?.refreshToken, "r2")
    expectEqual(other.signOutCount, 0)
    #expect(signOuts.elements.isEmpty)
  }

  /// The other process saves while the requests of this one end.
  @Test func rejectionKeepsATokenThatIsSavedMeanwhile() {
    let (manager, backend, _) = process()
    let next = StoredToken(apiToken: "b", expiresAt: Date(timeIntervalSinceNow: 600), refreshToken: "r2")
    manager.ensureValidToken(ofType: .bearer) { [storage] _ in storage.save(next) }
    backend.fail(.statusCode(400))
    expectEqual(storage.load(), next)
  }

  @Test func signOutByTheUserDeletesAnyToken() {
    #expect(processes().second.clear())
    expectEqual(storage.load(), nil)
  }

  @Test func managerWithoutTokenTakesTheStoredOneBeforeItRequestsAFirst() {
    storage.clear()
    let (manager, backend, _) = renewingManager(ClosureSource(grantsFirstToken: true), storage: storage)
    storage.save(StoredToken(apiToken: "a", expiresAt: Date(timeIntervalSinceNow: 600)))
    expectEqual(manager.requestToken().elements, [.token("a", generation: 1)])
    #expect(backend.sent.isEmpty)
  }

  /// The Keychain has no token before the device is unlocked, and the system may start an app before.
  @Test(arguments: [true, false])
  func tokenThatCanBeReadLaterIsTakenUnlessSomebodyHasSignedOut(isSignedOut: Bool) {
    let token = StoredToken(apiToken: "a", expiresAt: Date(timeIntervalSinceNow: 600))
    storage.clear()
    let (manager, _, _) = renewingManager(storage: storage)
    storage.save(StoredToken(apiToken: "", expiresAt: Date(timeIntervalSinceNow: 600)))
    expectEqual(manager.requestToken().elements, [.refused(.notSignedIn)])
    if isSignedOut { manager.clear() }
    storage.save(token)
    expectEqual(manager.requestToken().elements, isSignedOut ? [.refused(.notSignedIn)] : [.token("a", generation: 1)])
    manager.clear()
    storage.save(token)
    expectEqual(manager.requestToken().elements, [.refused(.notSignedIn)])
  }

  @Test func signInThatCannotBeSavedIsNotReplacedByAStoredToken() {
    let (manager, backend, _) = renewingManager(storage: SignOutTests.FullStorage(token: storage))
    storage.save(StoredToken(apiToken: "former", expiresAt: Date(timeIntervalSinceNow: 600)))
    manager.update(apiToken: "next", secondsRemaining: 0)
    _ = manager.requestToken()
    expectEqual(backend.sent.map { $0["api-token"] }, ["next"])
    expectEqual(storage.load()?.apiToken, "former")
  }

  @Test func tokenThatIsReadDuringASignOutIsNotTaken() {
    let signedOut = DispatchSemaphore(value: 0)
    let (manager, backend, _) = renewingManager(storage: storage)
    manager.update(apiToken: "a", secondsRemaining: 0)
    storage.save(StoredToken(apiToken: "b", expiresAt: Date(timeIntervalSinceNow: 600)))
    storage.whileReading.withLock {
      $0 = {
        Thread.detachNewThread { manager.clear() }
        signedOut.wait()
      }
    }
    manager.ensureValidToken(ofType: .bearer) { _ in signedOut.signal() }
    expectEqual(manager.apiToken, nil)
    #expect(backend.sent.isEmpty)
  }

  @Test(arguments: [false, true])
  func tokenThatWasReadBeforeASignOutIsNotTaken(isRenewed: Bool) {
    storage.clear()
    let signingOut = Locked<BasicAuthManager?>(nil)
    // The time is asked for between the storage and the decision.
    let now: @Sendable () -> Date = {
      signingOut.withLock { $0.take() }?.clear()
      return Date()
    }
    let manager = BasicAuthManager(storage: storage, clock: VirtualClock(), wallClock: now, source: ClosureSource())
    if isRenewed { manager.update(apiToken: "old", secondsRemaining: 0) }
    signingOut.withLock { $0 = manager }
    storage.save(StoredToken(apiToken: "a", expiresAt: Date(timeIntervalSinceNow: 600)))
    expectEqual(manager.requestToken().elements, [.refused(isRenewed ? .signedOut : .notSignedIn)])
    expectEqual(manager.apiToken, nil)
  }
}
