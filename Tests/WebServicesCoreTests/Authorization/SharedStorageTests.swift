@testable import WebServicesTestSupport

/// Two managers with one storage, as two processes of a tool have them.
@Suite struct SharedStorageTests {
  private struct Rejected: Error {}

  /// Renews with a refresh token that may be used once. A 400 ends the session.
  private struct StrictSource: TokenSource {
    let needsRefreshToken = true

    func requestToken(
      replacing former: AuthenticationInfo?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) {
      guard let former else { return completion(.failure(Rejected())) }
      sender.send(RefreshRequest(token: former), completion: completion)
    }

    func endsSession(_ error: any Error) -> Bool { (error as? WebServiceError)?.kind == .statusCode(400) }
  }

  private let clock = VirtualClock(now: 1000)
  private let storage = InMemoryTokenStorage(
    StoredToken(apiToken: "a", expiresAt: Date(timeIntervalSinceNow: -1000), refreshToken: "r1"))
  private let signOuts = Collector<Void>()

  /// Makes a manager as a process does that starts now.
  private func process() -> (manager: BasicAuthManager, backend: HeldService) {
    let (manager, backend) = (BasicAuthManager(storage: storage, clock: clock, source: StrictSource()), HeldService())
    manager.attach(to: backend)
    manager.onSignOut(callbackQueue: .global()) { [signOuts] _ in signOuts.add() }
    return (manager, backend)
  }

  @Test func tokenThatAnotherProcessHasRenewedIsTaken() {
    let ((first, backend), (second, idle)) = (process(), process())
    _ = first.requestToken()
    backend.renew(to: "b", refreshToken: "r2")
    expectEqual(
      (0..<2).map { _ in second.requestToken().elements }, Array(repeating: [.token("b", generation: 2)], count: 2))
    #expect(idle.sent.isEmpty)
    expectEqual(second.authenticationInfo?.refreshToken, "r2")
    #expect(!second.isSessionExpired)
  }

  @Test func takenTokenThatHasExpiredIsRenewed() {
    let ((first, backend), (second, other)) = (process(), process())
    _ = first.requestToken()
    backend.renew(to: "b", secondsRemaining: 1, refreshToken: "r2")
    storage.save(StoredToken(apiToken: "b", expiresAt: Date(timeIntervalSinceNow: -1), refreshToken: "r2"))
    let outcomes = second.requestToken()
    expectEqual(other.sent.map { $0["refresh"] }, ["r2"])
    other.renew(to: "c", refreshToken: "r3")
    expectEqual(outcomes.elements, [.token("c", generation: 3)])
  }

  @Test func rejectedRenewalTakesTheTokenOfAnotherProcess() {
    let ((first, backend), (second, other)) = (process(), process())
    let outcomes = (0..<2).map { _ in second.requestToken() }
    _ = first.requestToken()
    backend.renew(to: "b", refreshToken: "r2")
    other.fail(.statusCode(400))
    expectEqual(outcomes.map(\.elements), Array(repeating: [.token("b", generation: 2)], count: 2))
    expectEqual(storage.load()?.refreshToken, "r2")
    expectEqual(other.signOutCount, 0)
    #expect(signOuts.elements.isEmpty)
  }

  @Test func refusedTokenIsReplacedByTheTokenOfAnotherProcess() throws {
    let (first, backend) = process()
    _ = first.requestToken()
    backend.renew(to: "b", refreshToken: "r2")
    let (second, other) = process()
    let refused = Collector<AccessToken>()
    second.ensureValidToken(ofType: .bearer) { if let token = try? $0.get() { refused.append(token) } }
    first.update(apiToken: "c", secondsRemaining: 600, refreshToken: "r3")
    let outcomes = Collector<TokenOutcome>()
    second.replaceRefusedToken(try #require(refused.elements.first), ofType: .bearer, through: other) {
      outcomes.append(TokenOutcome($0))
    }
    expectEqual(outcomes.elements, [.token("c", generation: 2)])
    #expect(other.sent.isEmpty)
  }

  @Test func rejectedRenewalOfTheStoredTokenSignsOut() {
    let (manager, backend) = process()
    let outcomes = manager.requestToken()
    backend.fail(.statusCode(400))
    expectEqual(outcomes.elements, [.failed(.statusCode(400))])
    expectEqual(storage.load(), nil)
    expectEqual(manager.apiToken, nil)
  }

  /// The other process saves while the requests of this one end.
  @Test func rejectionKeepsATokenThatIsSavedMeanwhile() {
    let (manager, backend) = process()
    let next = StoredToken(apiToken: "b", expiresAt: Date(timeIntervalSinceNow: 600), refreshToken: "r2")
    manager.ensureValidToken(ofType: .bearer) { [storage] _ in storage.save(next) }
    backend.fail(.statusCode(400))
    expectEqual(storage.load(), next)
  }

  @Test func signOutByTheUserDeletesAnyToken() {
    let ((first, backend), (second, _)) = (process(), process())
    _ = first.requestToken()
    backend.renew(to: "b", refreshToken: "r2")
    #expect(second.clear())
    expectEqual(storage.load(), nil)
  }

  @Test func managerWithoutTokenTakesTheStoredOneBeforeItRequestsAFirst() {
    let storage = InMemoryTokenStorage()
    let manager = BasicAuthManager(storage: storage, clock: clock, source: FirstTokenSource())
    storage.save(StoredToken(apiToken: "a", expiresAt: Date(timeIntervalSinceNow: 600)))
    expectEqual(manager.requestToken().elements, [.token("a", generation: 1)])
  }

  private struct FirstTokenSource: TokenSource {
    let grantsFirstToken = true

    func requestToken(
      replacing former: AuthenticationInfo?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) { completion(.failure(Rejected())) }
  }
}
