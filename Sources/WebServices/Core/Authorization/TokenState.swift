package import Foundation

/// Decides what a manager does with its token: use it, wait, renew it or refuse. The decisions are pure functions, so
/// tests need neither a clock nor a request. The manager calls every method with its lock held.
struct TokenState: Sendable {
  typealias Completion = @Sendable (Result<AccessToken, any Error>) -> Void

  /// A request that waits for a token.
  struct Waiter: Sendable {
    /// The service that sends the request.
    let service: (any JsonWebServiceable)?
    let completion: Completion
  }

  /// The step for a request that needs a token. For `.wait` and `.renew` the state keeps the waiter until the renewal
  /// ends.
  enum Decision: Sendable {
    case use(AccessToken)
    case wait
    case renew(TokenRenewal)
    case refuse(any Error)
  }

  /// A renewal that has ended, with the requests that waited for it. Call `finish` after unlocking.
  struct Ended: Sendable {
    /// `nil` if a sign-in or a sign-out came while no renewal was in progress.
    let renewal: TokenRenewal?
    let waiters: [Waiter]
    let result: Result<AccessToken, any Error>

    func finish() {
      renewal?.cancellation.cancel()
      for waiter in waiters { waiter.completion(result) }
    }
  }

  /// The token in use, and the time before its expiry at which it is renewed.
  private struct Current {
    let access: AccessToken
    let refreshToken: String?
    let expiry: TimeInterval
    let leeway: TimeInterval
    /// The time until which the token isn't replaced if a server refuses it.
    var keptUntil = -TimeInterval.infinity
    var isRefused = false

    func isDue(now: TimeInterval) -> Bool { isRefused || expiry <= now || expiry - now < leeway }

    func isUsable(now: TimeInterval) -> Bool { !isRefused && expiry > now }
  }

  /// A token that replaced a refused token isn't replaced for this many seconds if it is refused too: yet another token
  /// wouldn't help. The second half of the token's life ends the pause, because the server's clock may be ahead.
  static let refusalPause: TimeInterval = 10

  private let leeway: TimeInterval
  private var current: Current?
  /// Counts the tokens of the manager. A request's 401 is matched with its token by this number.
  private var generation = 0
  /// Tokens up to this generation belonged to a user who has signed out; `nil` before the first sign-out.
  private var formerGeneration: Int?
  /// The renewal that requests wait for.
  private var renewal: TokenRenewal?
  private(set) var waiters: [Waiter] = []
  private var failureCount = 0
  /// The end of the pause after a failure.
  private var pausedUntil = -TimeInterval.infinity
  /// The reason why the last renewal failed; `nil` after a success.
  private(set) var lastFailure: (any Error)?
  private var setup: TokenRenewal.Setup?

  /// - Parameter leeway: how many seconds before its expiry a token is renewed. For a renewed token it is at most half
  ///   of the token's life: otherwise each request would renew a short-lived token.
  init(leeway: TimeInterval, setup: TokenRenewal.Setup?) {
    self.leeway = leeway
    self.setup = setup
  }

  var token: AccessToken? { current?.access }

  /// Whether nobody has signed in or out yet.
  var isNew: Bool { current == nil && formerGeneration == nil }

  /// The token with its refresh token and the whole seconds that are left.
  func info(now: TimeInterval) -> AuthenticationInfo? {
    current.map {
      AuthenticationInfo(
        apiToken: $0.access.value, secondsRemaining: Int(TokenLifetime.clamped($0.expiry - now)),
        refreshToken: $0.refreshToken)
    }
  }

  /// Whether there is no token, or the token has to be renewed before it is used.
  func isExpired(now: TimeInterval) -> Bool { current?.isDue(now: now) ?? true }

  func secondsRemaining(now: TimeInterval) -> TimeInterval? { current.map { $0.expiry - now } }

  /// Whether requests still wait for this renewal. A sign-in, a sign-out or its timeout ends it.
  func isCurrent(_ renewal: TokenRenewal?) -> Bool { self.renewal === renewal }

  /// Sets the source of renewals. Failures of the former source don't delay renewals by this one.
  ///
  /// - Returns: the former setup, to be released after unlocking.
  mutating func use(_ setup: TokenRenewal.Setup?) -> TokenRenewal.Setup? {
    endPause()
    return exchange(&self.setup, with: setup)
  }

  // MARK: Requests

  /// Decides for a request that needs a token.
  ///
  /// - Parameters:
  ///   - refused: the token that a server has refused; `nil` for a request that is about to be sent.
  ///   - service: sends the renewal, if one begins and no service is named.
  mutating func request(
    replacing refused: AccessToken? = nil, now: TimeInterval, through service: (any JsonWebServiceable)?,
    _ completion: @escaping Completion
  ) -> Decision {
    if let refused {
      if let decision = replacement(for: refused, now: now) { return decision }
    } else if let token = validToken(now: now) {
      return .use(token)
    } else if current == nil, setup?.grantsFirstToken != true {
      return .refuse(TokenError.notSignedIn)
    }
    guard canRenew, let setup else { return .refuse(TokenError.expired) }
    if now < pausedUntil, let lastFailure {
      // The renewal was early, so the token is still good during the pause.
      if let current, current.isUsable(now: now) { return .use(current.access) }
      return .refuse(lastFailure)
    }
    waiters.append(Waiter(service: service, completion: completion))
    guard renewal == nil else { return .wait }
    let renewal = TokenRenewal(of: info(now: now), by: setup, through: service)
    self.renewal = renewal
    return .renew(renewal)
  }

  /// The token that a request uses at once. Without a renewal the token is used until it expires.
  func validToken(now: TimeInterval) -> AccessToken? {
    guard let current, canRenew ? !current.isDue(now: now) : current.expiry > now else { return nil }
    return current.access
  }

  /// Decides for a request whose token a server has refused; `nil` if the token is to be renewed.
  private mutating func replacement(for refused: AccessToken, now: TimeInterval) -> Decision? {
    // The next user's token must never be sent with a request of the former user.
    guard refused.generation > formerGeneration ?? 0 else { return .refuse(TokenError.signedOut) }
    // A later generation than the current one comes from another manager.
    guard let current, refused.generation <= generation else { return .refuse(TokenError.notSignedIn) }
    guard refused.generation == generation else {
      // The token was renewed since the request was sent, so the request tries the newer token.
      return current.isUsable(now: now) ? .use(current.access) : nil
    }
    guard canRenew, now >= current.keptUntil else { return .refuse(TokenError.expired) }
    // From now on no request gets this token.
    self.current?.isRefused = true
    return nil
  }

  /// Whether the source can replace the current token, or get the first one.
  private var canRenew: Bool {
    setup.map { current == nil || !$0.needsRefreshToken || current?.refreshToken != nil } ?? false
  }

  // MARK: Changes of the token

  /// Takes the token of a sign-in. It serves all who wait, so it ends the renewal in progress. Failures of former
  /// renewals don't delay its renewal.
  mutating func signIn(_ info: AuthenticationInfo, expiry: TimeInterval) -> Ended {
    endPause()
    return replaceToken(by: info.apiToken, info.usableRefreshToken, expiry: expiry, leeway: leeway)
  }

  /// Takes the token of a renewal; `nil` when no request waits for that renewal any more. A refresh token is kept until
  /// the service gives another (RFC 6749, section 6).
  mutating func renewalSucceeded(
    _ renewal: TokenRenewal, with info: AuthenticationInfo, expiry: TimeInterval, now: TimeInterval
  ) -> Ended? {
    guard isCurrent(renewal) else { return nil }
    endPause()
    let replacesRefused = current?.isRefused == true
    let refreshToken = info.usableRefreshToken ?? renewal.former?.refreshToken
    let halfLife = TokenLifetime.clamped(expiry - now) / 2
    let ended = replaceToken(by: info.apiToken, refreshToken, expiry: expiry, leeway: min(leeway, halfLife))
    if replacesRefused { current?.keptUntil = now + min(Self.refusalPause, halfLife) }
    return ended
  }

  /// Ends a renewal without a token; `nil` when no request waits for that renewal any more. The requests that wait go
  /// on with the former token if it is still valid, and fail otherwise.
  mutating func renewalFailed(_ renewal: TokenRenewal, with error: any Error, now: TimeInterval) -> Ended? {
    guard isCurrent(renewal) else { return nil }
    pause(after: error, now: now)
    if let current, current.isUsable(now: now) { return endRenewal(.success(current.access)) }
    return endRenewal(.failure(error))
  }

  /// Ends a renewal that the server has rejected for good, and forgets the token; `nil` when no request waits for that
  /// renewal any more. If the source gives first tokens, the next one is requested after a pause.
  mutating func renewalRejected(_ renewal: TokenRenewal, with error: any Error, now: TimeInterval) -> Ended? {
    guard isCurrent(renewal) else { return nil }
    let ended = clear(error)
    pause(after: error, now: now)
    return ended
  }

  /// Forgets the token. The requests that wait for one get the error.
  mutating func clear(_ error: any Error) -> Ended {
    current = nil
    formerGeneration = generation
    endPause()
    return endRenewal(.failure(error))
  }

  private mutating func replaceToken(
    by apiToken: String, _ refreshToken: String?, expiry: TimeInterval, leeway: TimeInterval
  ) -> Ended {
    let access = AccessToken(value: apiToken, generation: generation.increment())
    current = Current(access: access, refreshToken: refreshToken, expiry: expiry, leeway: leeway)
    return endRenewal(.success(access))
  }

  private mutating func endRenewal(_ result: Result<AccessToken, any Error>) -> Ended {
    Ended(renewal: renewal.take(), waiters: exchange(&waiters, with: []), result: result)
  }

  /// Delays the next renewal by 1 s, doubled with each failure up to 60 s.
  private mutating func pause(after error: any Error, now: TimeInterval) {
    lastFailure = error
    // No pause if the token server wasn't asked: a service ended or is missing, or there is no network.
    let isUnasked = (error as? WebServiceError).map { $0.isEnded || $0.kind == .noConnection } ?? false
    guard !isUnasked, error as? TokenError != .noRenewalService else { return }
    pausedUntil = now + min(60, pow(2, TimeInterval(failureCount)))
    failureCount += 1
  }

  private mutating func endPause() { (failureCount, lastFailure, pausedUntil) = (0, nil, -.infinity) }
}

/// Clamps the lifetimes that services and storages give to a range that is safe to calculate with.
package enum TokenLifetime {
  /// Ten years.
  package static let longest: TimeInterval = 10 * 365 * 86_400

  /// The seconds, within 0 and `longest`; 0 when they aren't a number.
  package static func clamped(_ seconds: TimeInterval) -> TimeInterval { seconds > 0 ? min(seconds, longest) : 0 }
}
