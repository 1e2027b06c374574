import Foundation

// MARK: Asking for a token

extension BasicAuthManager {
  /// Passes the token to the completion. A token near its expiry is renewed first: the manager's `leeway` says how near,
  /// 60 seconds by default. A renewal uses the service that ``renewTokens(through:with:)`` named. Without a named
  /// service, a renewal uses the only service that was ever created with this manager.
  ///
  /// - Parameters:
  ///   - type: ignored, because the manager has one token for every type.
  ///   - completion: called once, on any thread, possibly before this method returns. It gets `TokenError.notSignedIn`
  ///     if nobody is signed in and the source grants no first token. It gets `TokenError.expired` if the token has
  ///     expired and can't be renewed, or the error of a renewal that fails.
  public func ensureValidToken(
    ofType type: WebServiceAuthorizationType, completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    ensureValidToken(for: nil, completion)
  }

  /// Passes the token to the completion. A token near its expiry is renewed first: the manager's `leeway` says how near,
  /// 60 seconds by default. A renewal uses this service, unless ``renewTokens(through:with:)`` named another service.
  ///
  /// - Parameters:
  ///   - type: ignored, because the manager has one token for every type.
  ///   - service: sends the renewal. The manager retains it until the renewal ends.
  ///   - completion: called once, on any thread, possibly before this method returns. It gets `TokenError.notSignedIn`
  ///     if nobody is signed in and the source grants no first token. It gets `TokenError.expired` if the token has
  ///     expired and can't be renewed, or the error of a renewal that fails.
  public func ensureValidToken(
    ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    ensureValidToken(for: service, completion)
  }

  /// Passes the token that has replaced the refused token to the completion, or renews it as
  /// ``ensureValidToken(ofType:through:completion:)`` does.
  ///
  /// - Parameters:
  ///   - token: the token that the server refused. A token of a user who has signed out fails with
  ///     `TokenError.signedOut`.
  ///   - type: ignored, because the manager has one token for every type.
  ///   - service: sends the renewal. The manager retains it until the renewal ends.
  ///   - completion: called once, on any thread, possibly before this method returns. It gets `TokenError.expired` if
  ///     the token can't be renewed, or was renewed after a refusal a moment ago.
  public func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    replaceRefusedToken(token, for: service, completion)
  }

  package func replaceRefusedToken(
    _ token: AccessToken, for service: (any JsonWebServiceable)?,
    _ completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    // Read before locking, because a clock may be an app's code.
    let now = clock.now
    decide(for: service, completion) { state in
      state.token.replacement(for: token, now: now, canRenew: state.canRenew, waiter: completion)
    }
  }

  private func ensureValidToken(for service: (any JsonWebServiceable)?, _ completion: @escaping TokenState.Waiter) {
    let now = clock.now
    decide(for: service, completion) { state in
      state.token.request(now: now, canRenew: state.canRenew, canGrant: state.grantsFirstToken, waiter: completion)
    }
  }

  /// Applies a rule to the state, and carries out its decision after unlocking.
  private func decide(
    for service: (any JsonWebServiceable)?, _ completion: @escaping TokenState.Waiter,
    by rule: (inout State) -> TokenState.Decision
  ) {
    typealias Step = (TokenState.Decision, RenewalUnderWay?, (any TokenSource)?)
    let (decision, renewal, source): Step = state.withLock { state in
      let decision = rule(&state)
      switch decision {
      case .use, .refuse: return (decision, nil, nil)
      case .renew: state.renewal = RenewalUnderWay()
      case .wait: break
      }
      // The renewal can go on through this service if the first one ends.
      state.renewal?.add(service)
      return (decision, state.renewal, state.source)
    }
    switch decision {
    case .use(let token): completion(.success(token))
    case .refuse(let error): completion(.failure(error))
    case .wait: break
    case .renew(let attempt):
      guard let renewal, let source else { return failRenewal(attempt, with: TokenError.expired) }
      renew(attempt, renewal, from: source)
    }
  }
}

// MARK: Renewing it

extension BasicAuthManager {
  /// Requests a token from the source. The first of these ends the renewal: the source's result, the timeout, a
  /// sign-in or a sign-out.
  private func renew(_ attempt: TokenState.Attempt, _ renewal: RenewalUnderWay, from source: any TokenSource) {
    // Scheduled first, because the source may block, and may never call back.
    let timer = clock.schedule(after: renewalTimeout) { [self] in
      failRenewal(attempt, with: TokenError.renewalTimedOut)
    }
    renewal.timer.set { timer.cancel() }
    let sender = TokenSender(cancellation: renewal.request) { [self] path, ended in
      route(of: attempt, path: path, insteadOf: ended)
    }
    source.requestToken(replacing: attempt.token, through: sender) { [self] result in
      switch result {
      case .success(let info): acceptRenewal(info, of: attempt)
      // Without a former token nobody is signed in, so there is no session to end.
      case .failure(let error) where attempt.token != nil && source.endsSession(error):
        signOut(endingRenewal: attempt, error)
      case .failure(let error): failRenewal(attempt, with: error)
      }
    }
  }

  /// The service for a request of a renewal.
  private func route(
    of attempt: TokenState.Attempt, path: String, insteadOf ended: (any JsonWebServiceable)?
  ) -> Result<any JsonWebServiceable, TokenError> {
    let isRelative = (try? URLReference(path).isAbsolute) != true
    // Two steps, so that a service that is released meanwhile isn't released with the lock held.
    let origins = Set(state.withLock { $0.services.requests }.compactMap(\.origin))
    return state.withLock { state in
      // After a sign-out, the former user's refresh token must not be used any more.
      guard state.token.isCurrent(attempt) else { return .failure(.signedOut) }
      return state.renewalService(isRelative: isRelative, insteadOf: ended, origins: origins).map(Result.success)
        ?? .failure(.noRenewalService)
    }
  }

  /// Takes the token of a renewal, unless the renewal has ended.
  private func acceptRenewal(_ info: AuthenticationInfo, of attempt: TokenState.Attempt) {
    guard !info.apiToken.isEmpty else { return failRenewal(attempt, with: TokenError.emptyResponse) }
    var info = info
    // Some servers send 0 for an unknown lifetime. To refuse the response would lose its refresh token.
    if info.secondsRemaining <= 0 { info.secondsRemaining = Int(TokenLifetime.longest) }
    let now = clock.now
    let grant = TokenState.Grant(info, now: now)
    let update: (TokenState.Update, RenewalUnderWay?)? = state.withLock { state in
      guard let update = state.token.renewalSucceeded(attempt, with: grant, now: now) else { return nil }
      return (update, state.takeRenewal())
    }
    // Without an update, a sign-in, a sign-out or the timeout came first, and the token isn't used.
    if let (update, renewal) = update { storeAndServeWaiters(update, renewal) }
  }

  /// Fails all requests that wait for a renewal, unless the renewal has ended.
  private func failRenewal(_ attempt: TokenState.Attempt, with error: any Error) {
    let now = clock.now
    // A service that ended or is missing doesn't mean that the token server fails, so renewals don't pause.
    let isPausing = (error as? WebServiceError)?.kind != .cancelled && error as? TokenError != .noRenewalService
    let ended: ([TokenState.Waiter], RenewalUnderWay?)? = state.withLock { state in
      guard let waiters = state.token.renewalFailed(attempt, with: error, now: now, isPausing: isPausing) else {
        return nil
      }
      return (waiters, state.takeRenewal())
    }
    guard let (waiters, renewal) = ended else { return }
    renewal?.end()
    for waiter in waiters { waiter(.failure(error)) }
  }

  /// Stores a new token before any request uses it: a refresh token that was used must not come back after a crash.
  @discardableResult
  func storeAndServeWaiters(_ update: TokenState.Update, _ renewal: RenewalUnderWay?) -> Bool {
    renewal?.end()
    let isStored = store()
    for waiter in update.waiters { waiter(.success(update.token)) }
    return isStored
  }
}
