@testable import WebServicesTestSupport
@testable import WebServicesCore

/// Drives a token state at random, and records every violation of its rules.
struct TokenStateModel {
  private var state = TokenState(leeway: 60, setup: TokenStateTests.setup)
  private var now: TimeInterval = 0
  private var open: TokenRenewal?
  private var given: [AccessToken] = []
  private var formerGeneration = 0
  private var kept = 0
  private var served = 0
  private(set) var problems: [String] = []

  mutating func step(_ generator: inout SeededGenerator) {
    now += TimeInterval.random(in: 0...20, using: &generator)
    switch Int.random(in: 0..<20, using: &generator) {
    case 0:
      serve(state.signIn(token, expiry: expiry(&generator)))
      open = nil
      given += state.token.map { [$0] } ?? []
    case 1 where Bool.random(using: &generator):
      formerGeneration = state.token?.generation ?? formerGeneration
      serve(state.clear(TokenError.signedOut))
      open = nil
    case 2...5: succeed(expiry: expiry(&generator))
    case 6...7: fail()
    case 8: reject()
    case 9...13:
      if let token = given.randomElement(using: &generator) {
        let decision = state.request(replacing: token, now: now, through: nil) { _ in }
        if token.generation <= formerGeneration, !decision.isRefusal { problems.append("a former user was served") }
        if case .use(let other) = decision, other.generation <= token.generation { problems.append("an older token") }
        note(decision)
      }
    default:
      note(state.request(now: now, through: nil) { _ in })
    }
  }

  /// Ends the renewal in progress. No request may wait afterwards.
  mutating func finish() {
    fail()
    if kept != served || state.waiters.count != 0 { problems.append("\(kept) waited, \(served) were served") }
  }

  private let token = AuthenticationInfo(apiToken: "t", secondsRemaining: 0)

  private func expiry(_ generator: inout SeededGenerator) -> TimeInterval {
    now + TimeInterval.random(in: 1...120, using: &generator)
  }

  private mutating func note(_ decision: TokenState.Decision) {
    switch decision {
    case .use(let token):
      if token.generation <= formerGeneration { problems.append("a former user's token") }
      if let remaining = state.secondsRemaining(now: now), remaining <= 0 { problems.append("an expired token") }
    case .wait:
      kept += 1
      if open == nil { problems.append("waits for nothing") }
    case .renew(let renewal):
      kept += 1
      if open != nil { problems.append("two renewals at a time") }
      open = renewal
    case .refuse: break
    }
  }

  private mutating func succeed(expiry: TimeInterval) {
    guard let renewal = open else { return }
    open = nil
    guard let ended = state.renewalSucceeded(renewal, with: token, expiry: expiry, now: now) else {
      return problems.append("a renewal was lost")
    }
    given += state.token.map { [$0] } ?? []
    serve(ended)
  }

  private mutating func fail() {
    guard let renewal = open else { return }
    open = nil
    serve(state.renewalFailed(renewal, with: TokenError.emptyResponse, now: now))
  }

  private mutating func reject() {
    guard let renewal = open else { return }
    open = nil
    formerGeneration = state.token?.generation ?? formerGeneration
    serve(state.renewalRejected(renewal, with: TokenError.emptyResponse, now: now))
    if state.token != nil { problems.append("a rejected user is signed in") }
  }

  private mutating func serve(_ ended: TokenState.Ended?) {
    served += ended?.waiters.count ?? 0
  }
}

extension TokenState.Decision {
  fileprivate var isRefusal: Bool {
    if case .refuse = self { true } else { false }
  }
}
