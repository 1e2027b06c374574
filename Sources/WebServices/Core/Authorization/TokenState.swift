import Foundation

/// Decides what a manager does with its token: use it, wait, renew it or refuse. The decisions are pure functions, so
/// tests need neither a clock nor a request. The manager calls every method with its lock held.
struct TokenState: Sendable {
  /// The callback of a request that waits for a token.
  typealias Waiter = @Sendable (Result<AccessToken, any Error>) -> Void

  /// A renewal in progress. Its number tells it from other renewals of the same token.
  struct Attempt: Equatable, Sendable {
    let number: Int
    /// The token to replace; `nil` when the first token is requested.
    let token: RenewableToken?
  }

  /// The step for a request that needs a token. For `.wait` and `.renew` the state keeps the waiter until the renewal
  /// ends.
  enum Decision: Sendable {
    case use(AccessToken)
    case wait
    case renew(Attempt)
    case refuse(any Error)
  }

  /// A token as a service gave it, with the time of its expiry.
  struct Grant: Equatable, Sendable {
    var value: String
    var refreshToken: String?
    var expiry: TimeInterval
  }

  /// The token in use, and the time before its expiry at which it is renewed.
  private struct Current {
    var token: AccessToken
    var grant: Grant
    var leeway: TimeInterval
    var isRefused = false

    func isDue(now: TimeInterval) -> Bool { isRefused || grant.expiry <= now || grant.expiry - now < leeway }

    func isUsable(now: TimeInterval) -> Bool { !isRefused && grant.expiry > now }
  }

  private let leeway: TimeInterval
  private var current: Current?
  /// Counts the tokens of the manager. A request's 401 is matched with its token by this number.
  private var generation = 0
  /// Tokens up to this generation belonged to a user who has signed out.
  private var formerGeneration = 0
  /// The renewal that requests wait for.
  private var attempt: Attempt?
  private var attemptCount = 0
  private var waiters: [Waiter] = []
  private var pace = RenewalPace()

  /// - Parameter leeway: how many seconds before its expiry a token is renewed. For a renewed token it is at most half
  ///   of the token's life: otherwise each request would renew a short-lived token.
  init(leeway: TimeInterval) { self.leeway = TokenLifetime.clamped(leeway) }

  var token: AccessToken? { current?.token }

  /// The token to store.
  var grant: Grant? { current?.grant }

  /// The reason why the last renewal failed.
  var lastFailure: (any Error)? { pace.lastFailure }

  var waiterCount: Int { waiters.count }

  /// Whether there is no token, or the token has to be renewed before it is used.
  func isExpired(now: TimeInterval) -> Bool { current?.isDue(now: now) ?? true }

  func secondsRemaining(now: TimeInterval) -> TimeInterval? { current.map { $0.grant.expiry - now } }

  /// Whether requests still wait for this renewal. A sign-in, a sign-out or its timeout ends it.
  func isCurrent(_ attempt: Attempt) -> Bool { self.attempt == attempt }
}

// MARK: Requests

extension TokenState {
  /// Decides for a request that is about to be sent and needs a token.
  ///
  /// - Parameters:
  ///   - canRenew: whether there is a source for other tokens.
  ///   - canGrant: whether that source gives a first token without a sign-in.
  mutating func request(now: TimeInterval, canRenew: Bool, canGrant: Bool = false, waiter: @escaping Waiter) -> Decision
  {
    guard let current else {
      return canGrant ? renewal(of: nil, now: now, waiter: waiter) : .refuse(TokenError.notSignedIn)
    }
    guard canRenew else {
      // Without a renewal the token is used until it expires.
      return current.grant.expiry > now ? .use(current.token) : .refuse(TokenError.expired)
    }
    guard current.isDue(now: now) else { return .use(current.token) }
    return renewal(of: current, now: now, waiter: waiter)
  }

  /// Decides for a request whose token a server has refused.
  mutating func replacement(for refused: AccessToken, now: TimeInterval, canRenew: Bool, waiter: @escaping Waiter)
    -> Decision
  {
    // The next user's token must never be sent with a request of the former user.
    guard refused.generation > formerGeneration else { return .refuse(TokenError.signedOut) }
    // A later generation than the current one comes from another manager.
    guard let current, refused.generation <= current.token.generation else { return .refuse(TokenError.notSignedIn) }
    // The token was renewed since the request was sent, so the request tries the newer token.
    if refused.generation < current.token.generation, current.isUsable(now: now) { return .use(current.token) }
    guard canRenew else { return .refuse(TokenError.expired) }
    if refused.generation == current.token.generation {
      // A request may always wait for a renewal in progress. The pause concerns new renewals only.
      guard attempt != nil || !pace.isTooSoonAfterRefusal(now: now) else { return .refuse(TokenError.expired) }
      // From now on no request gets this token.
      self.current?.isRefused = true
    }
    return renewal(of: self.current ?? current, now: now, waiter: waiter)
  }

  /// Lets a request wait for the renewal in progress, or begins a renewal. During a pause after a failure, a token that
  /// is still valid is used.
  private mutating func renewal(of current: Current?, now: TimeInterval, waiter: @escaping Waiter) -> Decision {
    if attempt == nil, let failure = pace.failure(now: now) {
      // The renewal was early, so the token is still good during the pause.
      if let current, current.isUsable(now: now) { return .use(current.token) }
      return .refuse(failure)
    }
    waiters.append(waiter)
    guard attempt == nil else { return .wait }
    attemptCount += 1
    let token = current.map { RenewableToken(apiToken: $0.grant.value, refreshToken: $0.grant.refreshToken) }
    let attempt = Attempt(number: attemptCount, token: token)
    self.attempt = attempt
    return .renew(attempt)
  }
}

// MARK: Changes of the token

extension TokenState {
  /// A new token, and the waiters to call with it after unlocking.
  struct Update: Sendable {
    let token: AccessToken
    let waiters: [Waiter]
  }

  /// Takes the token of a sign-in. Failures of former renewals don't delay its renewal.
  mutating func signIn(_ grant: Grant) -> Update {
    pace = RenewalPace()
    return replaceToken(by: grant, leeway: leeway)
  }

  /// Takes the token of a renewal; `nil` when no request waits for that renewal any more. A refresh token is kept until
  /// the service gives another (RFC 6749, section 6).
  mutating func renewalSucceeded(_ attempt: Attempt, with grant: Grant, now: TimeInterval) -> Update? {
    guard isCurrent(attempt) else { return nil }
    pace.succeeded(afterRefusal: current?.isRefused ?? false, now: now)
    var grant = grant
    grant.refreshToken = grant.refreshToken ?? attempt.token?.refreshToken
    return replaceToken(by: grant, leeway: min(leeway, TokenLifetime.clamped(grant.expiry - now) / 2))
  }

  /// Ends a renewal without a token.
  ///
  /// - Parameter isPausing: whether the next renewal has to wait for a while.
  /// - Returns: the waiters; `nil` when no request waits for that renewal any more.
  mutating func renewalFailed(_ attempt: Attempt, with error: any Error, now: TimeInterval, isPausing: Bool = true)
    -> [Waiter]?
  {
    guard isCurrent(attempt) else { return nil }
    if isPausing { pace.failed(with: error, now: now) }
    return endRenewal()
  }

  /// Ends a renewal that the server has rejected for good, and forgets the token. If the source gives first tokens, the
  /// next one is requested after a pause.
  ///
  /// - Returns: the waiters; `nil` when no request waits for that renewal any more.
  mutating func renewalRejected(_ attempt: Attempt, with error: any Error, now: TimeInterval) -> [Waiter]? {
    guard isCurrent(attempt) else { return nil }
    pace.failed(with: error, now: now)
    // `clear()` forgets the failures, but the request for the next first token has to wait after this failure.
    let pace = pace
    defer { self.pace = pace }
    return clear()
  }

  /// Forgets the failures of the former source.
  mutating func forgetFailures() { pace = RenewalPace() }

  /// Forgets the token.
  ///
  /// - Returns: the waiters for a token.
  mutating func clear() -> [Waiter] {
    current = nil
    formerGeneration = generation
    pace = RenewalPace()
    return endRenewal()
  }

  private mutating func replaceToken(by grant: Grant, leeway: TimeInterval) -> Update {
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
