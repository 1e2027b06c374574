public import Foundation

/// Holds the API token of the one who is signed in, and renews it when less than a minute is left.
///
/// However many requests wait for a renewal, one is sent. It goes through the same service as they do, and needs no
/// token itself. When it fails, all of them fail with an error of kind `.token`, and the next request tries anew.
///
/// All methods may be called from any thread.
public final class BasicAuthManager: WebServiceTokenManageable {
  /// Makes the request that renews a token; its answer is an `AuthenticationInfo`, its authorization must be `.none`.
  public typealias Renewal = @Sendable (_ apiToken: String) -> any WebServiceRequestData

  /// The manager that `JsonWebService.shared` asks unless it is given another. It keeps the token in memory.
  public static let shared = BasicAuthManager()

  private struct State: Sendable {
    var token = TokenState()
    var renewal: Renewal?
    var service = WeakService()
  }

  private let state: Locked<State>
  private let storage: any TokenStorage
  private let leeway: TimeInterval
  private let clock: any WebServiceClock

  /// Creates a manager that goes on with the token of the storage, if there is one.
  ///
  /// - Parameters:
  ///   - storage: where the token outlives the process. One that can't be read counts as empty.
  ///   - leeway: how many seconds before its expiry a token is renewed.
  ///   - clock: what the expiry is measured with.
  ///   - renewal: makes the request that renews a token; without one a token is used until it expires.
  public init(
    storage: any TokenStorage = InMemoryTokenStorage(), leeway: TimeInterval = 60,
    clock: any WebServiceClock = SystemClock.shared, renewal: Renewal? = nil
  ) {
    self.storage = storage
    self.leeway = leeway
    self.clock = clock
    var state = State(renewal: renewal)
    if let stored = try? storage.load() {
      let remaining = stored.expiresAt.timeIntervalSinceNow
      _ = state.token.update(value: stored.apiToken, expiry: clock.now + remaining)
    }
    self.state = Locked(state)
  }

  /// The token, or `nil` where nobody is signed in. It may have expired.
  public var apiToken: String? { state.withLock { $0.token.token?.value } }

  /// Whether there is no token, or less than a minute of it is left.
  public var isSessionExpired: Bool {
    let now = clock.now
    return state.withLock { $0.token.isExpired(now: now, leeway: leeway) }
  }

  /// How long the token is valid yet, in seconds; `nil` where nobody is signed in.
  public var secondsRemaining: TimeInterval? {
    let now = clock.now
    return state.withLock { $0.token.secondsRemaining(now: now) }
  }

  /// Sets how a token is renewed.
  public func renewTokens(with renewal: Renewal?) {
    state.withLock { $0.renewal = renewal }
  }

  /// Takes a token, after a sign-in. Requests that wait for a renewal go on with it.
  ///
  /// - Parameter secondsRemaining: how long the token is valid, from now.
  /// - Returns: whether the storage has taken it too; where not, the token ends with the process.
  @discardableResult
  public func update(apiToken: String, secondsRemaining: Int) -> Bool {
    take(apiToken: apiToken, secondsRemaining: secondsRemaining, renewalOf: nil)
  }

  /// A renewal's answer counts only while that renewal is still waited for: a sign-in or a sign-out in the meantime
  /// counts for more than an answer about the token before.
  @discardableResult
  private func take(apiToken: String, secondsRemaining: Int, renewalOf generation: Int?) -> Bool {
    let expiry = clock.now + TimeInterval(secondsRemaining)
    let update: (token: AccessToken, waiters: [TokenState.Waiter])? = state.withLock { state in
      if let generation, !state.token.isCurrentRenewal(of: generation) { return nil }
      return state.token.update(value: apiToken, expiry: expiry)
    }
    guard let (token, waiters) = update else { return false }
    let stored = StoredToken(
      apiToken: apiToken, expiresAt: Date(timeIntervalSinceNow: TimeInterval(secondsRemaining)))
    let isStored = (try? storage.save(stored)) != nil
    for waiter in waiters {
      waiter(.success(token))
    }
    return isStored
  }

  /// Forgets the token, after a sign-out. Requests that wait for a renewal fail.
  ///
  /// - Returns: whether the storage has forgotten it too.
  @discardableResult
  public func clear() -> Bool {
    let waiters = state.withLock { $0.token.clear() }
    let isCleared = (try? storage.clear()) != nil
    for waiter in waiters {
      waiter(.failure(TokenError.signedOut))
    }
    return isCleared
  }

  /// Gives the token, renewed first where less than a minute is left.
  public func ensureValidToken(
    ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    let now = clock.now
    let decision = state.withLock { state in
      state.token.request(
        now: now, leeway: leeway, canRenew: state.renewal != nil, waiter: completion)
    }
    switch decision {
    case .use(let token): completion(.success(token))
    case .wait: break
    case .renew(let token): renew(token)
    case .refuse(let error): completion(.failure(error))
    }
  }

  /// Renewals go through the service that was made last, or through the shared one.
  public func attach(to service: any JsonWebServiceable) {
    state.withLock { $0.service = WeakService(service) }
  }

  private func renew(_ token: AccessToken) {
    let (renewal, attached) = state.withLock { ($0.renewal, $0.service.service) }
    let service = attached ?? JsonWebService.shared
    guard let renewal else { return fail(TokenError.expired, generation: token.generation) }
    service.sendRequest(renewal(token.value), callbackQueue: Self.queue) {
      [weak service] (result: WebServiceResult<AuthenticationInfo>) in
      self.renewalEnded(with: result, for: token, through: service)
    }
  }

  private func renewalEnded(
    with result: WebServiceResult<AuthenticationInfo>, for token: AccessToken,
    through service: (any JsonWebServiceable)?
  ) {
    switch result {
    case .success(let info?):
      take(
        apiToken: info.apiToken, secondsRemaining: info.secondsRemaining, renewalOf: token.generation)
    case .success(nil):
      fail(TokenError.emptyAnswer, generation: token.generation)
    case .failure(let error):
      if error?.kind == .cancelled, renewAgain(token, insteadOf: service) { return }
      fail(error ?? TokenError.emptyAnswer, generation: token.generation)
    }
  }

  /// A renewal that ended with its service (`resetSharedInstance`) is sent again through the service that took its
  /// place: those who wait may be that one's requests.
  private func renewAgain(_ token: AccessToken, insteadOf service: (any JsonWebServiceable)?) -> Bool {
    let isReplaced = state.withLock { state in
      state.token.isCurrentRenewal(of: token.generation) && state.service.service.map { $0 !== service } ?? false
    }
    if isReplaced { renew(token) }
    return isReplaced
  }

  private func fail(_ error: any Error, generation: Int) {
    for waiter in state.withLock({ $0.token.renewalFailed(of: generation) }) {
      waiter(.failure(error))
    }
  }

  private static let queue = DispatchQueue(label: "WebServices.BasicAuthManager", qos: .userInitiated)
}

/// The service that a manager renews through; the service holds the manager, so the manager must not hold it.
private struct WeakService: Sendable {
  weak var service: (any JsonWebServiceable)?

  init(_ service: (any JsonWebServiceable)? = nil) {
    self.service = service
  }
}
