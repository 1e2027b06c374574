import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore

/// Drives a token state at random, and records every violation of its rules.
struct TokenStateModel {
  private var state = TokenState(leeway: 60)
  private var now: TimeInterval = 0
  private var open: TokenState.Attempt?
  private var given: [AccessToken] = []
  private var formerGeneration = 0
  private var kept = 0
  private var served = 0
  private(set) var problems: [String] = []

  mutating func step(_ generator: inout SeededGenerator) {
    now += TimeInterval.random(in: 0...20, using: &generator)
    switch Int.random(in: 0..<20, using: &generator) {
    case 0:
      serve(state.signIn(grant(&generator)).waiters)
      open = nil
      given += state.token.map { [$0] } ?? []
    case 1 where Bool.random(using: &generator):
      formerGeneration = state.token?.generation ?? formerGeneration
      serve(state.clear())
      open = nil
    case 2...5: succeed(grant(&generator))
    case 6...7: fail()
    case 8: reject()
    case 9...13:
      if let token = given.randomElement(using: &generator) {
        let decision = state.replacement(for: token, now: now, canRenew: true) { _ in }
        if token.generation <= formerGeneration, !decision.isRefusal { problems.append("a former user was served") }
        if case .use(let other) = decision, other.generation <= token.generation { problems.append("an older token") }
        note(decision)
      }
    default:
      note(state.request(now: now, canRenew: true) { _ in })
    }
  }

  /// Ends the renewal in progress. No request may wait afterwards.
  mutating func finish() {
    fail()
    if kept != served || state.waiterCount != 0 { problems.append("\(kept) waited, \(served) were served") }
  }

  private func grant(_ generator: inout SeededGenerator) -> TokenState.Grant {
    TokenState.Grant(value: "t", expiry: now + TimeInterval.random(in: 1...120, using: &generator))
  }

  private mutating func note(_ decision: TokenState.Decision) {
    switch decision {
    case .use(let token):
      if token.generation <= formerGeneration { problems.append("a former user's token") }
      if let remaining = state.secondsRemaining(now: now), remaining <= 0 { problems.append("an expired token") }
    case .wait:
      kept += 1
      if open == nil { problems.append("waits for nothing") }
    case .renew(let attempt):
      kept += 1
      if open != nil { problems.append("two renewals at a time") }
      open = attempt
    case .refuse: break
    }
  }

  private mutating func succeed(_ grant: TokenState.Grant) {
    guard let attempt = open else { return }
    open = nil
    guard let update = state.renewalSucceeded(attempt, with: grant, now: now) else {
      return problems.append("a renewal was lost")
    }
    given.append(update.token)
    serve(update.waiters)
  }

  private mutating func fail() {
    guard let attempt = open else { return }
    open = nil
    serve(state.renewalFailed(attempt, with: TokenError.emptyResponse, now: now) ?? [])
  }

  private mutating func reject() {
    guard let attempt = open else { return }
    open = nil
    formerGeneration = state.token?.generation ?? formerGeneration
    serve(state.renewalRejected(attempt, with: TokenError.emptyResponse, now: now) ?? [])
    if state.token != nil { problems.append("a rejected user is signed in") }
  }

  private mutating func serve(_ waiters: [TokenState.Waiter]) {
    served += waiters.count
  }
}

extension TokenState.Decision {
  fileprivate var isRefusal: Bool {
    if case .refuse = self { true } else { false }
  }
}
