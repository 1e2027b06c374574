import Foundation

/// What is known of the token, and what follows from it: pure, so that each case is tested without a clock or a request.
struct TokenState: Sendable {
  typealias Waiter = @Sendable (Result<AccessToken, any Error>) -> Void

  /// A renewal on its way. The number tells it from others of the same token.
  struct Attempt: Equatable, Sendable {
    let number: Int
    let token: RenewableToken
  }

  /// What a request for a token leads to. The waiter is kept where it is `.wait` or `.renew`.
  enum Decision: Sendable {
    case use(AccessToken)
    case wait
    case renew(Attempt)
    case refuse(any Error)
  }

  /// A token as a service gave it, with the moment until which it is valid.
  struct Grant: Equatable, Sendable {
    var value: String
    var refreshToken: String?
    var expiry: TimeInterval
  }

  private struct Current {
    var token: AccessToken
    var grant: Grant
    var leeway: TimeInterval
    var isRefused = false

    func isDue(now: TimeInterval) -> Bool {
      isRefused || grant.expiry <= now || grant.expiry - now < leeway
    }

    func isUsable(now: TimeInterval) -> Bool {
      !isRefused && grant.expiry > now
    }
  }

  private let leeway: TimeInterval
  private var current: Current?
  private var generation = 0
  /// Tokens up to this generation belonged to someone who has signed out.
  private var formerGeneration = 0
  private var attempt: Attempt?
  private var attemptCount = 0
  private var waiters: [Waiter] = []
  private var pace = RenewalPace()

  /// - Parameter leeway: how many seconds before its expiry a token is renewed. Of a token that a renewal brought it is
  ///   at most half of the life: else a service of short-lived tokens would be asked for one before each request.
  init(leeway: TimeInterval) {
    self.leeway = TokenLifetime.clamped(leeway)
  }

  var token: AccessToken? { current?.token }

  /// What is to be stored.
  var grant: Grant? { current?.grant }

  var waiterCount: Int { waiters.count }

  /// Whether there is no token, or it is to be renewed before it is used.
  func isExpired(now: TimeInterval) -> Bool {
    current?.isDue(now: now) ?? true
  }

  func secondsRemaining(now: TimeInterval) -> TimeInterval? {
    current.map { $0.grant.expiry - now }
  }

  /// Whether this renewal is still waited for: a sign-in, a sign-out or its timeout ends it.
  func isCurrent(_ attempt: Attempt) -> Bool { self.attempt == attempt }
}

// MARK: Requests

extension TokenState {
  /// A request that is about to be sent needs a token.
  mutating func request(now: TimeInterval, canRenew: Bool, waiter: @escaping Waiter) -> Decision {
    guard let current else { return .refuse(TokenError.notSignedIn) }
    guard canRenew else {
      // Without a renewal the last minute of a token is as good as the first.
      return current.grant.expiry > now ? .use(current.token) : .refuse(TokenError.expired)
    }
    guard current.isDue(now: now) else { return .use(current.token) }
    return renewal(of: current, now: now, waiter: waiter)
  }

  /// A server has refused a token that this state gave out.
  mutating func replacement(
    for refused: AccessToken, now: TimeInterval, canRenew: Bool, waiter: @escaping Waiter
  ) -> Decision {
    // Another user's token must never be sent with what the former one asked for.
    guard refused.generation > formerGeneration else { return .refuse(TokenError.signedOut) }
    guard let current, refused.generation <= current.token.generation else { return .refuse(TokenError.notSignedIn) }
    if refused.generation < current.token.generation, current.isUsable(now: now) { return .use(current.token) }
    guard canRenew else { return .refuse(TokenError.expired) }
    if refused.generation == current.token.generation {
      guard attempt != nil || !pace.isTooSoonAfterRefusal(now: now) else { return .refuse(TokenError.expired) }
      self.current?.isRefused = true
    }
    return renewal(of: self.current ?? current, now: now, waiter: waiter)
  }

  private mutating func renewal(of current: Current, now: TimeInterval, waiter: @escaping Waiter) -> Decision {
    if attempt == nil, let failure = pace.failure(now: now) {
      return current.isUsable(now: now) ? .use(current.token) : .refuse(failure)
    }
    waiters.append(waiter)
    guard attempt == nil else { return .wait }
    attemptCount += 1
    let token = RenewableToken(apiToken: current.grant.value, refreshToken: current.grant.refreshToken)
    let attempt = Attempt(number: attemptCount, token: token)
    self.attempt = attempt
    return .renew(attempt)
  }
}

// MARK: What happens to the token

extension TokenState {
  /// A new token, and those who have waited for it.
  struct Update: Sendable {
    let token: AccessToken
    let waiters: [Waiter]
  }

  /// Takes the token of a sign-in. What is known of former renewals doesn't count for it.
  mutating func signIn(_ grant: Grant) -> Update {
    pace = RenewalPace()
    return take(grant, leeway: leeway)
  }

  /// Takes the token that a renewal brought; `nil` where that renewal isn't waited for any more. A refresh token is
  /// kept until the service gives another (RFC 6749, section 6).
  mutating func renewalSucceeded(_ attempt: Attempt, with grant: Grant, now: TimeInterval) -> Update? {
    guard isCurrent(attempt) else { return nil }
    pace.succeeded(afterRefusal: current?.isRefused ?? false, now: now)
    var grant = grant
    grant.refreshToken = grant.refreshToken ?? attempt.token.refreshToken
    return take(grant, leeway: min(leeway, TokenLifetime.clamped(grant.expiry - now) / 2))
  }

  /// Ends a renewal without a token and gives back those who wait; `nil` where it isn't waited for any more.
  ///
  /// - Parameter isPausing: whether the next renewal has to wait for a while.
  mutating func renewalFailed(
    _ attempt: Attempt, with error: any Error, now: TimeInterval, isPausing: Bool = true
  ) -> [Waiter]? {
    guard isCurrent(attempt) else { return nil }
    if isPausing { pace.failed(with: error, now: now) }
    return endRenewal()
  }

  /// Forgets what failed before: there is a new way to renew.
  mutating func forgetFailures() {
    pace = RenewalPace()
  }

  /// Forgets the token and gives back those who wait for one.
  mutating func clear() -> [Waiter] {
    current = nil
    formerGeneration = generation
    pace = RenewalPace()
    return endRenewal()
  }

  private mutating func take(_ grant: Grant, leeway: TimeInterval) -> Update {
    generation += 1
    let token = AccessToken(value: grant.value, generation: generation)
    current = Current(token: token, grant: grant, leeway: leeway)
    return Update(token: token, waiters: endRenewal())
  }

  private mutating func endRenewal() -> [Waiter] {
    defer { waiters = [] }
    attempt = nil
    return waiters
  }
}
