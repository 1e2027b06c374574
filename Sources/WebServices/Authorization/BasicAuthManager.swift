public import Foundation

/// Holds the API token of the one who is signed in, and renews it when less than a minute is left or a server has
/// refused it.
///
/// However many requests wait for a renewal, one is sent. It goes through the service whose request asked for it first,
/// or through the one that `renewTokens(through:with:)` named. It needs no token itself, waits for no limiter, and ends
/// after a time of its own, whatever becomes of the requests. When it fails, all
/// of them fail with an error of kind `.token`. Those that come after use the token while it is valid; where it isn't,
/// they fail at once with the same reason until a pause is over (1 s, doubled with each failure up to 60 s), and the
/// next one tries anew.
///
/// Expiry is counted on a clock that doesn't know the wall clock: setting that changes nothing while the process lives.
///
/// All methods may be called from any thread.
public final class BasicAuthManager: WebServiceTokenManageable {
  /// Makes the request that renews a token; its answer is an `AuthenticationInfo`, its authorization must be one that
  /// needs no token.
  public typealias Renewal = @Sendable (_ apiToken: String) -> any WebServiceRequestData
  /// As `Renewal`, for a service that gives refresh tokens.
  public typealias RefreshTokenRenewal = @Sendable (_ token: RenewableToken) -> any WebServiceRequestData

  /// The manager that `JsonWebService.shared` asks unless it is given another. It keeps the token in memory.
  public static let shared = BasicAuthManager()

  struct State: Sendable {
    var token: TokenState
    var renewal: RefreshTokenRenewal?
    /// The service that renewals were set up with.
    var namedService: NamedService?
    var services = AttachedServices()
    var renewalUnderWay: RenewalUnderWay?
    var storageError: (any Error)?
  }

  let state: Locked<State>
  let clock: any WebServiceClock
  let renewalTimeout: TimeInterval
  let storage: any TokenStorage
  let wallClock: @Sendable () -> Date
  /// What is written to the storage is written one at a time, so that the last to be written is the newest.
  let storageQueue = DispatchQueue(label: "WebServices.BasicAuthManager.storage")

  /// Creates a manager that goes on with the token of the storage, if there is one.
  ///
  /// - Parameters:
  ///   - storage: where the token outlives the process. One that can't be read counts as empty; `storageError` tells
  ///     why.
  ///   - leeway: how many seconds before its expiry a token is renewed. Of a token that a renewal brought it is at most
  ///     half of the life.
  ///   - clock: what the expiry is measured with.
  ///   - renewalTimeout: how many seconds a renewal may take. One that isn't positive means 30; more than a day is a
  ///     day.
  ///   - renewal: makes the request that renews a token; without one a token is used until it expires.
  public convenience init(
    storage: any TokenStorage = InMemoryTokenStorage(), leeway: TimeInterval = 60,
    clock: any WebServiceClock = SystemClock.shared, renewalTimeout: TimeInterval = 30, renewal: Renewal? = nil
  ) {
    self.init(
      storage: storage, leeway: leeway, clock: clock, renewalTimeout: renewalTimeout, wallClock: { Date() },
      renewal: renewal)
  }

  /// As the public one, for tests that set the wall clock.
  package init(
    storage: any TokenStorage, leeway: TimeInterval = 60, clock: any WebServiceClock,
    renewalTimeout: TimeInterval = 30, wallClock: @escaping @Sendable () -> Date, renewal: Renewal? = nil
  ) {
    self.storage = storage
    self.clock = clock
    self.renewalTimeout = renewalTimeout > 0 ? min(renewalTimeout, 86_400) : 30
    self.wallClock = wallClock
    var state = State(token: TokenState(leeway: leeway), renewal: renewal.map(Self.withoutRefreshToken))
    do {
      if let stored = try storage.load(), !stored.apiToken.isEmpty {
        let remaining = TokenLifetime.remaining(of: stored, now: wallClock())
        let grant = TokenState.Grant(
          value: stored.apiToken, refreshToken: stored.refreshToken, expiry: clock.now + remaining)
        _ = state.token.signIn(grant)
      }
    } catch {
      state.storageError = error
    }
    self.state = Locked(state)
  }

  /// The token, or `nil` where nobody is signed in. It may have expired.
  public var apiToken: String? { state.withLock { $0.token.token?.value } }

  /// Whether there is no token, less than a minute of it is left, or a server has refused it.
  public var isSessionExpired: Bool {
    let now = clock.now
    return state.withLock { $0.token.isExpired(now: now) }
  }

  /// How long the token is valid yet, in seconds; `nil` where nobody is signed in.
  public var secondsRemaining: TimeInterval? {
    let now = clock.now
    return state.withLock { $0.token.secondsRemaining(now: now) }
  }

  /// Why the storage couldn't be read or written when it was last used; `nil` where it could. It is the error that the
  /// storage threw.
  public var storageError: (any Error)? { state.withLock { $0.storageError } }

  /// Sets how a token is renewed.
  ///
  /// - Parameters:
  ///   - service: what all renewals go through. It is held weakly: keep it. `nil` means the service whose request asks.
  ///   - renewal: makes the request that renews a token; `nil` means that a token is used until it expires.
  public func renewTokens(through service: (any JsonWebServiceable)? = nil, with renewal: Renewal?) {
    setRenewal(renewal.map(Self.withoutRefreshToken), through: service)
  }

  /// Sets how a token is renewed by a service that gives refresh tokens.
  ///
  /// A refresh token is in one renewal at a time, and in none after an answer has brought another. An answer without
  /// one means that it goes on being used.
  ///
  /// - Parameters:
  ///   - service: what all renewals go through. It is held weakly: keep it. `nil` means the service whose request asks.
  ///   - renewal: makes the request that renews a token; `nil` means that a token is used until it expires.
  public func renewTokensByRefreshToken(
    through service: (any JsonWebServiceable)? = nil, with renewal: RefreshTokenRenewal?
  ) {
    setRenewal(renewal, through: service)
  }

  private func setRenewal(_ renewal: RefreshTokenRenewal?, through service: (any JsonWebServiceable)?) {
    state.withLock { state in
      state.renewal = renewal
      state.namedService = service.map(NamedService.init)
      state.token.forgetFailures()
    }
  }

  private static func withoutRefreshToken(_ renewal: @escaping Renewal) -> RefreshTokenRenewal {
    { renewal($0.apiToken) }
  }

  /// Takes a token, after a sign-in. Requests that wait for a renewal go on with it. Where somebody else was signed in,
  /// call `clear()` before.
  ///
  /// - Parameters:
  ///   - apiToken: the token.
  ///   - secondsRemaining: how long the token is valid, from now; more than ten years count as ten.
  ///   - refreshToken: what the next renewal is to carry.
  /// - Returns: whether the storage has taken it too; where not, the token ends with the process.
  @discardableResult
  public func update(apiToken: String, secondsRemaining: Int, refreshToken: String? = nil) -> Bool {
    let grant = grant(
      AuthenticationInfo(
        apiToken: apiToken, secondsRemaining: secondsRemaining, refreshToken: refreshToken))
    let (update, renewal) = state.withLock { ($0.token.signIn(grant), $0.takeRenewal()) }
    return finish(update, renewal)
  }

  /// Forgets the token, after a sign-out, and ends what the former user has in flight: requests that wait for a token
  /// fail, those that carry one are cancelled in every service that was made with this manager, and none of them is
  /// delivered as a success once this has returned.
  ///
  /// - Returns: whether the storage has forgotten it too.
  @discardableResult
  public func clear() -> Bool {
    let (waiters, renewal, services) = state.withLock { state in
      (state.token.clear(), state.takeRenewal(), state.services.cancellable)
    }
    renewal?.handle.end()
    for waiter in waiters {
      waiter(.failure(TokenError.signedOut))
    }
    for service in services {
      service.cancelAuthorizedRequests()
    }
    return store()
  }

  /// A sign-out ends the authorized requests of every attached service. Renewals don't go through a service because it
  /// is attached, unless it is the only one that ever was and the manager is asked without a service.
  public func attach(to service: any JsonWebServiceable) {
    state.withLock { $0.services.append(service) }
  }
}
