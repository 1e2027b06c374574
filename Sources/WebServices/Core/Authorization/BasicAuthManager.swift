public import Foundation

/// Holds the API token of the signed-in user. It renews the token in its last minute, or when a server has refused the
/// token.
///
/// One renewal is sent, however many requests wait for it. It is sent through the service that
/// ``renewTokens(through:with:)`` named, or else through the service whose request asked first. If services of several
/// origins have this manager, name one, or give the renewal an absolute URL. The renewal needs no token, ignores
/// limits, and has its own timeout. If it fails, the requests that wait use the token while it is valid, and
/// ``renewalError`` has the reason. Once the token isn't valid, they fail with an error of the kind `.token`. Until a
/// pause is over, later requests do the same without another renewal. The pause is 1 s, doubled with each failure up to
/// 60 s. A renewal that found no network makes no pause.
///
/// A manager serves one user, or the client itself by a source that grants first tokens. A user whose session the
/// server ends is signed out, and no request of the user goes on with a token of the client.
///
/// A monotonic clock measures the expiry, so a change of the wall clock has no effect while the process runs.
///
/// HTTP's Basic scheme needs no manager: see ``WebServiceAuthorizationType/basic(user:password:)``.
///
/// You may call all methods from any thread.
///
/// The article <doc:UsingTokens> has samples.
public final class BasicAuthManager: WebServiceTokenManageable, DescriptionOnly {
  /// Makes the request that renews a token. Its response is an ``AuthenticationInfo``; its authorization must need no
  /// token. It runs on the thread that first needs a new token: a thread of yours that sends a request, or one of the
  /// library's. It is short for the source `.refreshToken`, for a server that gives no refresh tokens.
  public typealias Renewal = @Sendable (_ apiToken: String) -> any WebServiceRequestData

  /// The manager of each service that is made without another manager, such as ``JsonWebService/shared``. It keeps the
  /// token in memory.
  public static let shared = BasicAuthManager()

  /// Everything that changes, behind the lock of the manager.
  struct State: Sendable {
    var token: TokenState
    var services: [AttachedService] = []
    var storageError: (any Error)?
    /// The token that the manager has read from the storage or written to it last. Another token is another process's.
    var storedToken: String?
    /// Runs the app's closure on its queue.
    var notifyOfSignOut: (@Sendable ((any Error)?) -> Void)?
  }

  /// Guards everything that changes. Clock, storage, source, services and completions are called after unlocking.
  let state: Locked<State>
  let clock: any WebServiceClock
  let renewalTimeout: TimeInterval
  let storage: (any TokenStorage)?
  let wallClock: @Sendable () -> Date
  /// Serializes the calls of the storage, so that the last write is the newest.
  let storageQueue = DispatchQueue(label: "WebServices.BasicAuthManager.storage")

  /// Creates a manager, as ``init(storage:leeway:clock:renewalTimeout:source:)`` does, with a closure as its source.
  /// Without a closure a token is used until it expires.
  public convenience init(
    storage: (any TokenStorage)? = nil, leeway: TimeInterval = 60,
    clock: any WebServiceClock = SystemClock.shared, renewalTimeout: TimeInterval = 30, renewal: Renewal? = nil
  ) {
    self.init(
      storage: storage, leeway: leeway, clock: clock, renewalTimeout: renewalTimeout, wallClock: { Date() },
      source: renewal.map(Self.source))
  }

  /// Creates a manager that gets its tokens from a source, and starts with the token of the storage, if there is one.
  ///
  /// ```swift
  /// let tokens = BasicAuthManager(source: .refreshToken { token in RequestDataForRefresh(token: token) })
  /// ```
  ///
  /// - Parameters:
  ///   - storage: keeps the token beyond the end of the process; `nil` keeps it in memory. An unreadable storage counts
  ///     as empty; ``storageError`` has the reason.
  ///   - leeway: the seconds before its expiry at which a token is renewed. For a renewed token it is at most half of
  ///     the token's lifetime.
  ///   - clock: measures the expiry.
  ///   - renewalTimeout: the timeout of a renewal in seconds. A value that isn't positive means 30; more than a day
  ///     means a day.
  ///   - source: gets the first token or a replacement, such as `.refreshToken` or an `OAuth2`.
  public convenience init(
    storage: (any TokenStorage)? = nil, leeway: TimeInterval = 60,
    clock: any WebServiceClock = SystemClock.shared, renewalTimeout: TimeInterval = 30, source: any TokenSource
  ) {
    self.init(
      storage: storage, leeway: leeway, clock: clock, renewalTimeout: renewalTimeout, wallClock: { Date() },
      source: source)
  }

  /// Creates a manager with a wall clock, for tests that set it.
  package init(
    storage: (any TokenStorage)?, leeway: TimeInterval = 60, clock: any WebServiceClock,
    renewalTimeout: TimeInterval = 30, wallClock: @escaping @Sendable () -> Date, source: (any TokenSource)? = nil
  ) {
    self.storage = storage
    self.clock = clock
    self.renewalTimeout = renewalTimeout > 0 ? min(renewalTimeout, 86_400) : 30
    self.wallClock = wallClock
    state = Locked(State(token: TokenState(leeway: leeway, setup: source.map { TokenRenewal.Setup($0) })))
    _ = takeStoredToken(insteadOf: nil)
  }

  /// The token, or `nil` when nobody is signed in. It may have expired.
  public var apiToken: String? { lastToken?.value }

  /// The token with its generation, or `nil` when nobody is signed in. It may have expired.
  public var lastToken: AccessToken? { state.withLock { $0.token.token } }

  /// Whether there is no token, the token is near its expiry, or a server has refused it.
  public var isSessionExpired: Bool { withToken { $0.isExpired(now: $1) } }

  /// How long the token is still valid, in seconds; `nil` when nobody is signed in.
  public var secondsRemaining: TimeInterval? { withToken { $0.secondsRemaining(now: $1) } }

  /// The token with its refresh token, for a request that revokes them; `nil` when nobody is signed in.
  public var authenticationInfo: AuthenticationInfo? { withToken { $0.info(now: $1) } }

  /// Runs the body with the lock held. The time is read before, because a clock may be an app's code.
  func withToken<Output>(_ body: (_ token: inout TokenState, _ now: TimeInterval) -> Output) -> Output {
    let now = clock.now
    return state.withLock { body(&$0.token, now) }
  }

  /// The reason why the last renewal failed; `nil` once a renewal or a sign-in has succeeded. If the server refused the
  /// renewal, the reason is a ``WebServiceError`` that has the server's response.
  public var renewalError: (any Error)? { state.withLock { $0.token.lastFailure } }

  /// The error that the storage threw when it was last used; `nil` when it threw none.
  public var storageError: (any Error)? { state.withLock { $0.storageError } }

  /// Sets how a token is renewed.
  ///
  /// - Parameters:
  ///   - service: the service for all renewals. It is held weakly: keep it. `nil` means the service whose request asks.
  ///     Name one if services of several origins have this manager: `TokenError.noRenewalService` asks you to.
  ///   - renewal: makes the request that renews a token; `nil` means that a token is used until it expires.
  public func renewTokens(through service: (any JsonWebServiceable)? = nil, with renewal: Renewal?) {
    setSource(renewal.map(Self.source), through: service)
  }

  /// Sets the source that tokens come from, such as `.refreshToken` or ``OAuth2``.
  ///
  /// - Parameters:
  ///   - service: the service for all requests of the source. It is held weakly: keep it. `nil` means the service whose
  ///     request asks. Name one if services of several origins have this manager.
  ///   - source: the source.
  public func renewTokens(through service: (any JsonWebServiceable)? = nil, from source: any TokenSource) {
    setSource(source, through: service)
  }

  private static func source(_ renewal: @escaping Renewal) -> any TokenSource {
    RenewalSource(parser: .json()) { renewal($0.apiToken) }
  }

  private func setSource(_ source: (any TokenSource)?, through service: (any JsonWebServiceable)?) {
    let setup = source.map { TokenRenewal.Setup($0, through: service) }
    // The former source is released after the lock: its closures hold objects of the app.
    _ = state.withLock { $0.token.use(setup) }
  }

  /// Sets the token of a sign-in. Requests that wait for a renewal continue with this token. If another user was signed
  /// in, call ``clear()`` before.
  ///
  /// - Parameter info: the token and its lifetime. More than ten years count as ten. With 0 seconds or less the token
  ///   has expired, and is renewed before its first use. An empty token has expired too.
  /// - Returns: whether the storage has saved the token; if not, the token ends with the process.
  @discardableResult
  public func update(_ info: AuthenticationInfo) -> Bool {
    // Some servers send an empty token with an error. Requests must not go out with it.
    let lifetime = info.apiToken.isEmpty ? 0 : TokenLifetime.clamped(TimeInterval(info.secondsRemaining))
    return storeAndFinish(withToken { $0.signIn(info, expiry: $1 + lifetime) })
  }

  /// Does the same as ``update(_:)-(AuthenticationInfo)`` with the parts of the response.
  ///
  /// - Parameters:
  ///   - apiToken: the token.
  ///   - secondsRemaining: how long the token is valid, from now; more than ten years count as ten. With 0 or less the
  ///     token has expired, and is renewed before its first use.
  ///   - refreshToken: the token that the next renewal carries.
  /// - Returns: whether the storage has saved the token; if not, the token ends with the process.
  @discardableResult
  public func update(apiToken: String, secondsRemaining: Int, refreshToken: String? = nil) -> Bool {
    update(AuthenticationInfo(apiToken: apiToken, secondsRemaining: secondsRemaining, refreshToken: refreshToken))
  }

  /// Says whether somebody is signed in, and shows no token.
  public var description: String { "BasicAuthManager(\(apiToken == nil ? "signed out" : "signed in"))" }
}
