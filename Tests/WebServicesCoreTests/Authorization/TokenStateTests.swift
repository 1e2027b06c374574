@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct TokenStateTests {
  private static let setup = TokenRenewal.Setup(ClosureSource())
  private static let granting = TokenRenewal.Setup(ClosureSource(grantsFirstToken: true))
  private static let strict = TokenRenewal.Setup(ClosureSource(needsRefreshToken: true))
  private static let strictlyGranting = TokenRenewal.Setup(
    ClosureSource(grantsFirstToken: true, needsRefreshToken: true))

  /// A call of the state. The last number is the time.
  private enum Step {
    case ask(TimeInterval)
    /// A server has refused the token of this generation.
    case refuse(Int, TimeInterval)
    /// The last renewal ends.
    case renew(to: String, String? = nil, expiry: TimeInterval, TimeInterval)
    case fail(any Error, TimeInterval)
    /// The server has rejected the last renewal for good.
    case reject(any Error, TimeInterval)
    /// The first renewal ends once more.
    case late(TimeInterval)
    case signIn(String, expiry: TimeInterval)
    case signOut
    case use(TokenRenewal.Setup?)
  }

  /// A state that is signed in with the token "first", valid from 0 to 600.
  private struct Player {
    var state = TokenState(leeway: 60, setup: TokenStateTests.setup)
    var renewals: [TokenRenewal] = []

    init() { _ = state.signIn(TokenStateTests.token("first", "r1"), expiry: 600) }

    /// Takes a step, and says in words what came of it.
    mutating func play(_ step: Step) -> String {
      switch step {
      case .ask(let now): return words(state.request(now: now, through: nil) { _ in })
      case .refuse(let generation, let now):
        let token = AccessToken(value: "?", generation: generation)
        return words(state.request(replacing: token, now: now, through: nil) { _ in })
      case .renew(let token, let refreshToken, let expiry, let now):
        let info = TokenStateTests.token(token, refreshToken)
        return words(renewals.last.flatMap { state.renewalSucceeded($0, with: info, expiry: expiry, now: now) })
      case .fail(let error, let now):
        return words(renewals.last.flatMap { state.renewalFailed($0, with: error, now: now) })
      case .reject(let error, let now):
        return words(renewals.last.flatMap { state.renewalRejected($0, with: error, now: now) })
      case .late(let now):
        let info = TokenStateTests.token("late")
        let success = state.renewalSucceeded(renewals[0], with: info, expiry: now + 600, now: now)
        return words(success ?? state.renewalFailed(renewals[0], with: TokenError.expired, now: now))
      case .signIn(let token, let expiry): return words(state.signIn(TokenStateTests.token(token), expiry: expiry))
      case .signOut: return words(state.clear(TokenError.signedOut))
      case .use(let setup):
        _ = state.use(setup)
        return ""
      }
    }

    private mutating func words(_ decision: TokenState.Decision) -> String {
      switch decision {
      case .use(let token): return "use \(token.value)"
      case .wait: return "wait"
      case .renew(let renewal):
        renewals.append(renewal)
        return renewal.former.map { "renew \($0.apiToken), \($0.refreshToken ?? "none")" } ?? "first token"
      case .refuse(let error): return "\(error)"
      }
    }

    private mutating func words(_ ended: TokenState.Ended?) -> String {
      guard let ended else { return "nothing" }
      expectEqual(state.waiters.count, 0)
      switch ended.result {
      case .success(let token): return "\(ended.waiters.count) get \(token.value)"
      case .failure(let error): return "\(ended.waiters.count) get \(error)"
      }
    }
  }

  private static func token(_ value: String, _ refreshToken: String? = nil) -> AuthenticationInfo {
    AuthenticationInfo(apiToken: value, secondsRemaining: 0, refreshToken: refreshToken)
  }

  private typealias Story = [(step: Step, words: String)]

  private static let (signedOut, expired) = ("\(TokenError.signedOut)", "\(TokenError.expired)")
  private static let (timeout, empty) = (TokenError.renewalTimedOut, TokenError.emptyResponse)
  private static let renewing: Story = [(.ask(600), "renew first, r1")]
  private static let paused = renewing + [(.fail(timeout, 600), "1 get \(timeout)")]
  private static let replacing: Story = [(.refuse(1, 1), "renew first, r1")]
  private static let replaced = replacing + [(.renew(to: "second", "r2", expiry: 601, 1), "1 get second")]

  /// Plays a story with the state of a `Player`, and compares the words of each step.
  private static func check(after former: Story = [], _ steps: (step: Step, words: String)...) {
    var player = Player()
    for (step, words) in former + steps { #expect(player.play(step) == words, "\(step) after \(former), in \(steps)") }
  }

  @Test static func storiesOfAToken() {
    // One renewal for all.
    check(
      after: replacing, (.refuse(1, 1), "wait"), (.ask(1), "wait"),
      (.renew(to: "second", expiry: 601, 1), "3 get second"))
    // A late refusal gets the newer token while it is valid.
    check(after: replaced, (.refuse(1, 2), "use second"), (.refuse(1, 601), "renew second, r2"))
    // The newer token is also used when it is due.
    check(after: replaced, (.ask(560), "renew second, r2"), (.refuse(1, 560), "use second"))
    // The newer token isn't used once it is refused.
    check(after: replaced, (.refuse(2, 100), "renew second, r2"), (.refuse(1, 100), "wait"))
    // No request of a former user gets the next token.
    check(
      (.signOut, "0 get \(signedOut)"), (.refuse(1, 1), signedOut), (.signIn("next", expiry: 600), "0 get next"),
      (.refuse(1, 1), signedOut), (.refuse(2, 1), "renew next, none")
    )
    // Tokens of other managers aren't replaced.
    check((.refuse(0, 1), signedOut), (.refuse(2, 1), "\(TokenError.notSignedIn)"), (.ask(1), "use first"))
    // A refused token stays without a source.
    check((.use(nil), ""), (.refuse(1, 1), expired), (.ask(1), "use first"), (.ask(600), expired))
    check((.use(nil), ""), (.refuse(1, 1), expired), (.use(setup), ""), (.ask(1), "use first"))
    check(after: replacing, (.fail(empty, 1), "1 get \(empty)"), (.use(nil), ""), (.ask(2), "use first"))
    // A source that needs refresh tokens may get the first token without one.
    check((.signOut, "0 get \(signedOut)"), (.use(strictlyGranting), ""), (.ask(0), "first token"))
    // The first token is requested once.
    check(
      (.signOut, "0 get \(signedOut)"), (.ask(0), "\(TokenError.notSignedIn)"),
      (.use(granting), ""), (.ask(0), "first token"), (.ask(0), "wait"),
      (.signOut, "2 get \(signedOut)"), (.renew(to: "late", expiry: 600, 1), "nothing"), (.ask(1), "first token")
    )
    // A valid token is used after a failure, also for those who wait.
    check(
      (.ask(550), "renew first, r1"), (.fail(timeout, 550), "1 get first"), (.ask(550.9), "use first"),
      (.ask(551), "renew first, r1"), (.fail(timeout, 600), "1 get \(timeout)")
    )
    // A success ends the growth of the pauses.
    check(
      (.ask(550), "renew first, r1"), (.fail(timeout, 550), "1 get first"), (.ask(551), "renew first, r1"),
      (.renew(to: "second", expiry: 1151, 551), "1 get second"), (.ask(1100), "renew second, r1"),
      (.fail(timeout, 1100), "1 get second"), (.ask(1101), "renew second, r1")
    )
    // A missing service makes no pause.
    check(
      (.ask(550), "renew first, r1"), (.fail(TokenError.noRenewalService, 550), "1 get first"),
      (.ask(550), "renew first, r1")
    )
    // A service that ended makes no pause.
    check(
      after: renewing,
      (.fail(WebServiceError(.cancelled), 600), "1 get \(WebServiceError(.cancelled))"),
      (.ask(600), "renew first, r1")
    )
    // Without a network the token server wasn't asked, so there is no pause either.
    check(
      after: renewing,
      (.fail(WebServiceError(.noConnection), 600), "1 get \(WebServiceError(.noConnection))"),
      (.ask(600), "renew first, r1")
    )
    // A refused token isn't used if the early renewal fails.
    check((.ask(550), "renew first, r1"), (.refuse(1, 550), "wait"), (.fail(empty, 550), "2 get \(empty)"))
    // Requests fail during the pause without a valid token.
    check(after: paused, (.ask(600.9), "\(timeout)"), (.ask(601), "renew first, r1"))
    // A refused token isn't used during the pause.
    check(
      after: replacing,
      (.fail(empty, 1), "1 get \(empty)"), (.ask(1.5), "\(empty)"), (.refuse(1, 1.5), "\(empty)"),
      (.ask(2), "renew first, r1")
    )
    // Replacements of refused tokens are ten seconds apart.
    check(
      after: replaced, (.refuse(2, 10.9), expired), (.ask(10.9), "use second"), (.refuse(2, 11), "renew second, r2"))
    // A token that replaced an expired one is replaced at once.
    check(
      after: renewing,
      (.renew(to: "second", "r2", expiry: 1200, 600), "1 get second"), (.refuse(2, 601), "renew second, r2")
    )
    // A refused token is replaced after half of its life.
    check(
      after: replacing,
      (.renew(to: "second", expiry: 4, 1), "1 get second"), (.refuse(2, 2.4), expired),
      (.refuse(2, 2.5), "renew second, r1")
    )
    // A token without a refresh token is used until it expires, if the source needs one.
    check(
      (.use(strict), ""), (.ask(550), "renew first, r1"), (.signIn("b", expiry: 600), "1 get b"), (.ask(599), "use b"),
      (.ask(600), expired)
    )
    // A rejection ends the session, and delays the next first token.
    check(
      after: renewing,
      (.use(granting), ""), (.reject(empty, 600), "1 get \(empty)"), (.ask(600.9), "\(empty)"),
      (.ask(601), "first token"), (.fail(empty, 601), "1 get \(empty)"), (.ask(602.9), "\(empty)")
    )
    // A late rejection keeps the next user.
    check(
      after: renewing,
      (.signOut, "1 get \(signedOut)"), (.signIn("b", expiry: 1200), "0 get b"), (.reject(empty, 601), "nothing"),
      (.ask(601), "use b")
    )
    // A renewed token is renewed again before its expiry by the manager's leeway.
    check(
      after: renewing,
      (.renew(to: "b", expiry: 1200, 600), "1 get b"), (.ask(1140), "use b"), (.ask(1140.1), "renew b, r1"))
    // A sign-out ends the pause.
    check(
      after: paused,
      (.use(granting), ""), (.ask(600), "renew first, r1"), (.fail(timeout, 600), "1 get \(timeout)"),
      (.signOut, "0 get \(signedOut)"), (.ask(600), "first token")
    )
    // An earlier pause isn't taken up again by a failure that makes none.
    check(
      after: paused,
      (.signIn("b", expiry: 600), "0 get b"), (.ask(600), "renew b, none"),
      (.fail(TokenError.noRenewalService, 600), "1 get \(TokenError.noRenewalService)"), (.ask(600), "renew b, none")
    )
    // Another source ends the pause.
    check(after: paused, (.use(setup), ""), (.ask(600), "renew first, r1"))
    // A sign-in ends the pause.
    check(after: paused, (.signIn("again", expiry: 610), "0 get again"), (.ask(600), "renew again, none"))
    // The late end of a renewal is ignored.
    check(after: paused, (.ask(601), "renew first, r1"), (.late(601), "nothing"), (.ask(601), "wait"))
    // A token with a short life isn't renewed for each request.
    check(
      after: renewing,
      (.renew(to: "b", expiry: 630, 600), "1 get b"), (.ask(600), "use b"), (.ask(615), "use b"),
      (.ask(615.1), "renew b, r1")
    )
    // Each failure doubles the pause.
    var player = Player()
    var now: TimeInterval = 600
    for pause in [1, 2, 4, 8, 16, 32, 60, 60] as [TimeInterval] {
      #expect(player.play(.ask(now)) == "renew first, r1")
      #expect(player.play(.fail(empty, now)) == "1 get \(empty)")
      #expect(player.play(.ask(now + pause - 0.1)) == "\(empty)")
      now += pause
    }
  }

  @Test(arguments: [-1, .nan, -.infinity] as [TimeInterval])
  func invalidLeewayCountsAsZero(leeway: TimeInterval) {
    var state = TokenState(leeway: leeway, setup: nil)
    #expect(state.isExpired(now: 0))
    _ = state.signIn(Self.token("a"), expiry: 10)
    #expect(!state.isExpired(now: 9.9))
    #expect(state.isExpired(now: 10))
  }
}
