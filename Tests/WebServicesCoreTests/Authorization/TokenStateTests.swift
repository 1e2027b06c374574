import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore

@Suite struct TokenStateTests {
  private struct Failure: Error {}

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
    case .renew(let attempt): .renew(api: attempt.token?.apiToken, refresh: attempt.token?.refreshToken)
    case .refuse(let error): .refuse(error as? TokenError)
    }
  }

  private func grant(_ value: String, until expiry: TimeInterval, refreshToken: String? = nil) -> TokenState.Grant {
    TokenState.Grant(value: value, refreshToken: refreshToken, expiry: expiry)
  }

  /// A state that is signed in with the token "first", valid from 0 to 600.
  private func signedIn() -> (TokenState, AccessToken) {
    var state = TokenState(leeway: 60)
    let token = state.signIn(grant("first", until: 600, refreshToken: "r1")).token
    return (state, token)
  }

  private func request(_ state: inout TokenState, at now: TimeInterval, canRenew: Bool = true) -> TokenState.Decision {
    state.request(now: now, canRenew: canRenew) { _ in }
  }

  private func replace(
    _ token: AccessToken, in state: inout TokenState, at now: TimeInterval, canRenew: Bool = true
  ) -> TokenState.Decision {
    state.replacement(for: token, now: now, canRenew: canRenew) { _ in }
  }

  private func attempt(_ decision: TokenState.Decision) throws -> TokenState.Attempt {
    guard case .renew(let attempt) = decision else { throw Failure() }
    return attempt
  }

  @Test func refusedTokenIsRenewedOnce() {
    var (state, first) = signedIn()
    #expect(outcome(replace(first, in: &state, at: 1)) == .renew(api: "first", refresh: "r1"))
    #expect(outcome(replace(first, in: &state, at: 1)) == .wait)
    #expect(outcome(request(&state, at: 1)) == .wait)
    #expect(state.waiterCount == 3)
    #expect(state.isExpired(now: 1))
  }

  @Test func lateRefusalGetsNewerToken() throws {
    var (state, first) = signedIn()
    let attempt = try attempt(replace(first, in: &state, at: 1))
    let succeeded = state.renewalSucceeded(attempt, with: grant("second", until: 601), now: 1)
    let update = try #require(succeeded)
    #expect(update.waiters.count == 1)
    #expect(outcome(replace(first, in: &state, at: 2)) == .use("second"))
    #expect(update.token.generation == first.generation + 1)
  }

  @Test func lateRefusalGetsNoExpiredToken() throws {
    var (state, first) = signedIn()
    let attempt = try attempt(replace(first, in: &state, at: 1))
    let succeeded = state.renewalSucceeded(
      attempt, with: grant("second", until: 601, refreshToken: "r2"), now: 1)
    let update = try #require(succeeded)
    var expired = state
    #expect(outcome(replace(first, in: &expired, at: 601)) == .renew(api: "second", refresh: "r2"))
    #expect(outcome(replace(update.token, in: &state, at: 100)) == .renew(api: "second", refresh: "r2"))
    #expect(outcome(replace(first, in: &state, at: 100)) == .wait)
  }

  @Test func lateRefusalGetsTheValidTokenDuringEarlyRenewal() throws {
    var (state, first) = signedIn()
    let attempt = try attempt(replace(first, in: &state, at: 1))
    _ = state.renewalSucceeded(attempt, with: grant("second", until: 601), now: 1)
    #expect(outcome(request(&state, at: 560)) == .renew(api: "second", refresh: "r1"))
    #expect(outcome(replace(first, in: &state, at: 560)) == .use("second"))
  }

  @Test func refusalDuringRenewalWaitsForIt() {
    var (state, first) = signedIn()
    #expect(outcome(request(&state, at: 550)) == .renew(api: "first", refresh: "r1"))
    #expect(outcome(replace(first, in: &state, at: 550)) == .wait)
  }

  @Test func formerUserNeverGetsNextToken() {
    var (state, first) = signedIn()
    _ = state.clear()
    #expect(outcome(replace(first, in: &state, at: 1)) == .refuse(.signedOut))
    let next = state.signIn(grant("next user's", until: 600)).token
    #expect(outcome(replace(first, in: &state, at: 1)) == .refuse(.signedOut))
    #expect(next.generation > first.generation)
  }

  @Test func foreignTokenIsNotReplaced() {
    var (state, first) = signedIn()
    #expect(outcome(replace(AccessToken(value: "?"), in: &state, at: 1)) == .refuse(.signedOut))
    let newer = AccessToken(value: "?", generation: first.generation + 1)
    #expect(outcome(replace(newer, in: &state, at: 1)) == .refuse(.notSignedIn))
    #expect(outcome(request(&state, at: 1)) == .use("first"))
  }

  @Test func refusedTokenStaysWithoutRenewal() {
    var (state, first) = signedIn()
    #expect(outcome(replace(first, in: &state, at: 1, canRenew: false)) == .refuse(.expired))
    #expect(outcome(request(&state, at: 1, canRenew: false)) == .use("first"))
    #expect(outcome(request(&state, at: 600, canRenew: false)) == .refuse(.expired))
  }

  @Test func firstTokenIsRequestedOnce() throws {
    var state = TokenState(leeway: 60)
    #expect(outcome(state.request(now: 0, canRenew: true) { _ in }) == .refuse(.notSignedIn))
    let first = state.request(now: 0, canRenew: true, canGrant: true) { _ in }
    #expect(outcome(first) == .renew(api: nil, refresh: nil))
    #expect(outcome(state.request(now: 0, canRenew: true, canGrant: true) { _ in }) == .wait)
    #expect(state.clear().count == 2)
    #expect(state.renewalSucceeded(try attempt(first), with: grant("late", until: 600), now: 1) == nil)
    #expect(state.token == nil)
  }

  @Test func validTokenIsUsedDuringPause() throws {
    var (state, _) = signedIn()
    let attempt = try attempt(request(&state, at: 550))
    #expect(state.renewalFailed(attempt, with: TokenError.renewalTimedOut, now: 550)?.count == 1)
    #expect(outcome(request(&state, at: 550.9)) == .use("first"))
    #expect(outcome(request(&state, at: 551)) == .renew(api: "first", refresh: "r1"))
  }

  @Test func expiredTokenFailsDuringPause() throws {
    var (state, _) = signedIn()
    let attempt = try attempt(request(&state, at: 600))
    _ = state.renewalFailed(attempt, with: TokenError.renewalTimedOut, now: 600)
    #expect(outcome(request(&state, at: 600.9)) == .refuse(.renewalTimedOut))
    #expect(state.waiterCount == 0)
    #expect(outcome(request(&state, at: 601)) == .renew(api: "first", refresh: "r1"))
  }

  @Test func refusedTokenIsNotUsedDuringPause() throws {
    var (state, first) = signedIn()
    let attempt = try attempt(replace(first, in: &state, at: 1))
    _ = state.renewalFailed(attempt, with: TokenError.emptyResponse, now: 1)
    #expect(outcome(request(&state, at: 1.5)) == .refuse(.emptyResponse))
    #expect(outcome(replace(first, in: &state, at: 1.5)) == .refuse(.emptyResponse))
    #expect(outcome(request(&state, at: 2)) == .renew(api: "first", refresh: "r1"))
  }

  @Test func refusedRenewalsArePaced() throws {
    var (state, first) = signedIn()
    let attempt = try attempt(replace(first, in: &state, at: 1))
    let succeeded = state.renewalSucceeded(attempt, with: grant("second", until: 601), now: 1)
    let second = try #require(succeeded).token
    #expect(outcome(replace(second, in: &state, at: 1.9)) == .refuse(.expired))
    #expect(outcome(request(&state, at: 1.9)) == .use("second"))
    #expect(outcome(replace(second, in: &state, at: 2)) == .renew(api: "second", refresh: "r1"))
  }

  @Test func signInEndsPause() throws {
    var (state, _) = signedIn()
    let attempt = try attempt(request(&state, at: 600))
    _ = state.renewalFailed(attempt, with: TokenError.renewalTimedOut, now: 600)
    _ = state.signIn(grant("again", until: 610))
    #expect(outcome(request(&state, at: 600)) == .renew(api: "again", refresh: nil))
  }

  @Test func endedServiceDoesNotPauseRenewals() throws {
    var (state, _) = signedIn()
    let attempt = try attempt(request(&state, at: 600))
    _ = state.renewalFailed(attempt, with: TokenError.emptyResponse, now: 600, isPausing: false)
    #expect(outcome(request(&state, at: 600)) == .renew(api: "first", refresh: "r1"))
  }

  @Test func lateRenewalResponseIsIgnored() throws {
    var (state, _) = signedIn()
    let former = try attempt(request(&state, at: 600))
    _ = state.renewalFailed(former, with: TokenError.renewalTimedOut, now: 600)
    let next = try attempt(request(&state, at: 601))
    #expect(state.renewalSucceeded(former, with: grant("late", until: 1200), now: 601) == nil)
    #expect(state.renewalFailed(former, with: TokenError.emptyResponse, now: 601) == nil)
    #expect(state.isCurrent(next))
    #expect(state.token?.value == "first")
  }

  @Test func shortLivedTokenIsNotRenewedForEachRequest() throws {
    var (state, _) = signedIn()
    _ = state.renewalSucceeded(try attempt(request(&state, at: 600)), with: grant("b", until: 630), now: 600)
    #expect(outcome(request(&state, at: 600)) == .use("b"))
    #expect(outcome(request(&state, at: 615)) == .use("b"))
    #expect(outcome(request(&state, at: 615.1)) == .renew(api: "b", refresh: "r1"))
  }

  @Test(arguments: [-1, .nan, -.infinity] as [TimeInterval])
  func invalidLeewayCountsAsZero(leeway: TimeInterval) {
    var state = TokenState(leeway: leeway)
    _ = state.signIn(grant("a", until: 10))
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
