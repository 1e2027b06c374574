@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct TokenStateTests {
  private struct Failure: Error {}

  /// A source that gives a first token, and is never asked.
  private struct FirstTokenSource: TokenSource {
    let grantsFirstToken = true

    func requestToken(
      replacing former: AuthenticationInfo?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) {}
  }

  static let setup = TokenRenewal.Setup(.refreshToken { RefreshRequest(token: $0) })

  /// A decision without its waiters, in a comparable form.
  private enum Outcome: Equatable {
    case use(String)
    case wait
    case renew(api: String?, refresh: String?)
    case refuse(TokenError?)
  }

  private func outcome(_ decision: TokenState.Decision) -> Outcome {
    switch decision {
    case .use(let token): .use(token.value)
    case .wait: .wait
    case .renew(let renewal): .renew(api: renewal.former?.apiToken, refresh: renewal.former?.refreshToken)
    case .refuse(let error): .refuse(error as? TokenError)
    }
  }

  private func token(_ value: String, _ refreshToken: String? = nil) -> AuthenticationInfo {
    AuthenticationInfo(apiToken: value, secondsRemaining: 0, refreshToken: refreshToken)
  }

  /// A state that is signed in with the token "first", valid from 0 to 600.
  private func signedIn() -> (TokenState, AccessToken) {
    var state = TokenState(leeway: 60, setup: Self.setup)
    _ = state.signIn(token("first", "r1"), expiry: 600)
    return (state, AccessToken(value: "first", generation: 1))
  }

  private func request(_ state: inout TokenState, at now: TimeInterval) -> TokenState.Decision {
    state.request(now: now, through: nil) { _ in }
  }

  private func replace(_ token: AccessToken, in state: inout TokenState, at now: TimeInterval) -> TokenState.Decision {
    state.request(replacing: token, now: now, through: nil) { _ in }
  }

  private func renewal(_ decision: TokenState.Decision) throws -> TokenRenewal {
    guard case .renew(let renewal) = decision else { throw Failure() }
    return renewal
  }

  @Test func refusedTokenIsRenewedOnce() {
    var (state, first) = signedIn()
    expectEqual(outcome(replace(first, in: &state, at: 1)), .renew(api: "first", refresh: "r1"))
    expectEqual(outcome(replace(first, in: &state, at: 1)), .wait)
    expectEqual(outcome(request(&state, at: 1)), .wait)
    expectEqual(state.waiters.count, 3)
    #expect(state.isExpired(now: 1))
  }

  @Test func lateRefusalGetsTheNewerTokenWhileItIsValid() throws {
    var (state, first) = signedIn()
    let renewal = try renewal(replace(first, in: &state, at: 1))
    let ended = state.renewalSucceeded(renewal, with: token("second", "r2"), expiry: 601, now: 1)
    expectEqual(ended?.waiters.count, 1)
    let second = try #require(state.token)
    expectEqual(second.generation, first.generation + 1)
    expectEqual(outcome(replace(first, in: &state, at: 2)), .use("second"))
    var (expired, early) = (state, state)
    expectEqual(outcome(replace(first, in: &expired, at: 601)), .renew(api: "second", refresh: "r2"))
    expectEqual(outcome(request(&early, at: 560)), .renew(api: "second", refresh: "r2"))
    expectEqual(outcome(replace(first, in: &early, at: 560)), .use("second"))
    expectEqual(outcome(replace(second, in: &state, at: 100)), .renew(api: "second", refresh: "r2"))
    expectEqual(outcome(replace(first, in: &state, at: 100)), .wait)
  }

  @Test func refusalDuringRenewalWaitsForIt() {
    var (state, first) = signedIn()
    expectEqual(outcome(request(&state, at: 550)), .renew(api: "first", refresh: "r1"))
    expectEqual(outcome(replace(first, in: &state, at: 550)), .wait)
  }

  @Test func formerUserNeverGetsNextToken() {
    var (state, first) = signedIn()
    _ = state.clear(TokenError.signedOut)
    expectEqual(outcome(replace(first, in: &state, at: 1)), .refuse(.signedOut))
    _ = state.signIn(token("next user's"), expiry: 600)
    expectEqual(outcome(replace(first, in: &state, at: 1)), .refuse(.signedOut))
    expectEqual(state.token?.generation, first.generation + 1)
  }

  @Test func foreignTokenIsNotReplaced() {
    var (state, first) = signedIn()
    expectEqual(outcome(replace(AccessToken(value: "?"), in: &state, at: 1)), .refuse(.signedOut))
    let newer = AccessToken(value: "?", generation: first.generation + 1)
    expectEqual(outcome(replace(newer, in: &state, at: 1)), .refuse(.notSignedIn))
    expectEqual(outcome(request(&state, at: 1)), .use("first"))
  }

  @Test func refusedTokenStaysWithoutRenewal() {
    var (state, first) = signedIn()
    _ = state.use(nil)
    expectEqual(outcome(replace(first, in: &state, at: 1)), .refuse(.expired))
    expectEqual(outcome(request(&state, at: 1)), .use("first"))
    expectEqual(outcome(request(&state, at: 600)), .refuse(.expired))
  }

  @Test func firstTokenIsRequestedOnce() throws {
    var state = TokenState(leeway: 60, setup: Self.setup)
    expectEqual(outcome(request(&state, at: 0)), .refuse(.notSignedIn))
    _ = state.use(TokenRenewal.Setup(FirstTokenSource()))
    let first = request(&state, at: 0)
    expectEqual(outcome(first), .renew(api: nil, refresh: nil))
    expectEqual(outcome(request(&state, at: 0)), .wait)
    expectEqual(state.clear(TokenError.signedOut).waiters.count, 2)
    #expect(state.renewalSucceeded(try renewal(first), with: token("late"), expiry: 600, now: 1) == nil)
    expectEqual(state.token, nil)
  }

  @Test func validTokenIsUsedDuringPause() throws {
    var (state, _) = signedIn()
    let renewal = try renewal(request(&state, at: 550))
    expectEqual(state.renewalFailed(renewal, with: TokenError.renewalTimedOut, now: 550)?.waiters.count, 1)
    expectEqual(outcome(request(&state, at: 550.9)), .use("first"))
    expectEqual(outcome(request(&state, at: 551)), .renew(api: "first", refresh: "r1"))
  }

  @Test(arguments: [TokenError.renewalTimedOut, .noRenewalService])
  func waitersOfAFailedEarlyRenewalGetTheValidToken(error: TokenError) throws {
    var (state, first) = signedIn()
    let results = Collector<Result<AccessToken, any Error>>()
    let decision = state.request(now: 550, through: nil) { results.append($0) }
    let ended = state.renewalFailed(try renewal(decision), with: error, now: 580)
    ended?.finish()
    expectEqual(try results.elements.first?.get(), first)
    expectEqual(state.lastFailure as? TokenError, error)
    let late = try renewal(request(&state, at: 590))
    guard case .failure = state.renewalFailed(late, with: error, now: 600)?.result else {
      Issue.record("an expired token is used")
      return
    }
  }

  @Test func waitersOfAFailedReplacementGetTheFailure() throws {
    var (state, first) = signedIn()
    let early = try renewal(request(&state, at: 550))
    expectEqual(outcome(replace(first, in: &state, at: 550)), .wait)
    guard case .failure = state.renewalFailed(early, with: TokenError.emptyResponse, now: 550)?.result else {
      Issue.record("a refused token is used")
      return
    }
  }

  @Test func expiredTokenFailsDuringPause() throws {
    var (state, _) = signedIn()
    let renewal = try renewal(request(&state, at: 600))
    _ = state.renewalFailed(renewal, with: TokenError.renewalTimedOut, now: 600)
    expectEqual(outcome(request(&state, at: 600.9)), .refuse(.renewalTimedOut))
    expectEqual(state.waiters.count, 0)
    expectEqual(outcome(request(&state, at: 601)), .renew(api: "first", refresh: "r1"))
  }

  @Test func refusedTokenIsNotUsedDuringPause() throws {
    var (state, first) = signedIn()
    let renewal = try renewal(replace(first, in: &state, at: 1))
    _ = state.renewalFailed(renewal, with: TokenError.emptyResponse, now: 1)
    expectEqual(outcome(request(&state, at: 1.5)), .refuse(.emptyResponse))
    expectEqual(outcome(replace(first, in: &state, at: 1.5)), .refuse(.emptyResponse))
    expectEqual(outcome(request(&state, at: 2)), .renew(api: "first", refresh: "r1"))
  }

  @Test func refusedRenewalsArePaced() throws {
    var (state, first) = signedIn()
    let renewal = try renewal(replace(first, in: &state, at: 1))
    _ = state.renewalSucceeded(renewal, with: token("second"), expiry: 601, now: 1)
    let second = try #require(state.token)
    expectEqual(outcome(replace(second, in: &state, at: 10.9)), .refuse(.expired))
    expectEqual(outcome(request(&state, at: 10.9)), .use("second"))
    expectEqual(outcome(replace(second, in: &state, at: 11)), .renew(api: "second", refresh: "r1"))
  }

  @Test func refusedShortLivedTokenIsReplacedAfterHalfItsLife() throws {
    var (state, first) = signedIn()
    let renewal = try renewal(replace(first, in: &state, at: 1))
    _ = state.renewalSucceeded(renewal, with: token("second"), expiry: 4, now: 1)
    let second = try #require(state.token)
    expectEqual(outcome(replace(second, in: &state, at: 2.4)), .refuse(.expired))
    expectEqual(outcome(replace(second, in: &state, at: 2.5)), .renew(api: "second", refresh: "r1"))
  }

  @Test func failuresDoubleThePause() throws {
    var (state, _) = signedIn()
    var now: TimeInterval = 600
    for pause in [1, 2, 4, 8, 16, 32, 60, 60] as [TimeInterval] {
      let renewal = try renewal(request(&state, at: now))
      _ = state.renewalFailed(renewal, with: TokenError.emptyResponse, now: now)
      expectEqual(outcome(request(&state, at: now + pause - 0.1)), .refuse(.emptyResponse))
      now += pause
    }
  }

  @Test func signInAndNewSourceEndPause() throws {
    var (state, _) = signedIn()
    let renewal = try renewal(request(&state, at: 600))
    _ = state.renewalFailed(renewal, with: TokenError.renewalTimedOut, now: 600)
    var renewing = state
    _ = renewing.use(Self.setup)
    expectEqual(outcome(request(&renewing, at: 600)), .renew(api: "first", refresh: "r1"))
    _ = state.signIn(token("again"), expiry: 610)
    expectEqual(outcome(request(&state, at: 600)), .renew(api: "again", refresh: nil))
  }

  @Test func endedServiceDoesNotPauseRenewals() throws {
    var (state, _) = signedIn()
    let renewal = try renewal(request(&state, at: 600))
    _ = state.renewalFailed(renewal, with: WebServiceError(.cancelled), now: 600)
    expectEqual(outcome(request(&state, at: 600)), .renew(api: "first", refresh: "r1"))
  }

  @Test func lateRenewalResponseIsIgnored() throws {
    var (state, _) = signedIn()
    let former = try renewal(request(&state, at: 600))
    _ = state.renewalFailed(former, with: TokenError.renewalTimedOut, now: 600)
    let next = try renewal(request(&state, at: 601))
    #expect(state.renewalSucceeded(former, with: token("late"), expiry: 1200, now: 601) == nil)
    #expect(state.renewalFailed(former, with: TokenError.emptyResponse, now: 601) == nil)
    #expect(state.isCurrent(next))
    expectEqual(state.token?.value, "first")
  }

  @Test func shortLivedTokenIsNotRenewedForEachRequest() throws {
    var (state, _) = signedIn()
    _ = state.renewalSucceeded(try renewal(request(&state, at: 600)), with: token("b"), expiry: 630, now: 600)
    expectEqual(outcome(request(&state, at: 600)), .use("b"))
    expectEqual(outcome(request(&state, at: 615)), .use("b"))
    expectEqual(outcome(request(&state, at: 615.1)), .renew(api: "b", refresh: "r1"))
  }

  @Test(arguments: [-1, .nan, -.infinity] as [TimeInterval])
  func invalidLeewayCountsAsZero(leeway: TimeInterval) {
    var state = TokenState(leeway: leeway, setup: nil)
    _ = state.signIn(token("a"), expiry: 10)
    #expect(!state.isExpired(now: 9.9))
    #expect(state.isExpired(now: 10))
  }

  @Test func randomOrderServesEachWaiterOnce() {
    for seed in seeds(10, many: 200) {
      var generator = SeededGenerator(seed: seed)
      var model = TokenStateModel()
      for _ in 0..<200 { model.step(&generator) }
      model.finish()
      #expect(model.problems == [], "seed \(seed)")
    }
  }
}
