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
    for service: (any JsonWebServiceable)?, _ completion: TokenState.Waiter,
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
  /// Serial. Responses to renewals are decoded and accepted here.
  static let queue = DispatchQueue(label: "WebServices.BasicAuthManager", qos: .userInitiated)

  /// Requests a token from the source. The first of these ends the renewal: the source's result, the timeout, a
  /// sign-in or a sign-out.
  private func renew(_ attempt: TokenState.Attempt, _ renewal: RenewalUnderWay, from source: any TokenSource) {
    // Scheduled before the source is asked, because the source may block or never call back.
    let timer = clock.schedule(after: renewalTimeout) { [self] in
      failRenewal(attempt, with: TokenError.renewalTimedOut)
    }
    renewal.timer.set { timer.cancel() }
    let sender = TokenSender(cancellation: renewal.request) { [self] ended in
      state.withLock { state in
        // After a sign-out, the former user's refresh token must not be used any more.
        guard state.token.isCurrent(attempt) else { return .failure(.signedOut) }
        return state.renewalService(insteadOf: ended).map(Result.success) ?? .failure(.noRenewalService)
      }
    }
    source.requestToken(replacing: attempt.token, through: sender) { [self] result in
      switch result {
      case .success(let info): acceptRenewal(info, of: attempt)
      // Without a former token nobody is signed in, so there is no session to end.
      case .failure(let error) where attempt.token != nil && source.endsSession(error):
        signOut(after: attempt, rejectedWith: error)
      case .failure(let error): failRenewal(attempt, with: error)
      }
    }
  }

  /// Takes the token of a renewal, unless the renewal has ended.
  private func acceptRenewal(_ info: AuthenticationInfo, of attempt: TokenState.Attempt) {
    guard !info.apiToken.isEmpty else { return failRenewal(attempt, with: TokenError.emptyResponse) }
    guard info.secondsRemaining > 0 else { return failRenewal(attempt, with: TokenError.expiredResponse) }
    let (now, grant) = (clock.now, grant(info))
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
}

// MARK: Storing it

extension BasicAuthManager {
  func grant(_ info: AuthenticationInfo) -> TokenState.Grant {
    TokenState.Grant(
      value: info.apiToken, refreshToken: info.refreshToken,
      expiry: clock.now + TokenLifetime.clamped(TimeInterval(info.secondsRemaining)))
  }

  /// Stores a new token before any request uses it: a refresh token that was used must not come back after a crash.
  @discardableResult
  func storeAndServeWaiters(_ update: TokenState.Update, _ renewal: RenewalUnderWay?) -> Bool {
    renewal?.end()
    let isStored = store()
    for waiter in update.waiters { waiter(.success(update.token)) }
    return isStored
  }

  /// Writes the current token, which may be newer than the token that the caller has set. Blocks this thread until the
  /// storage has written.
  func store() -> Bool {
    storageQueue.sync {
      let now = clock.now
      let grant = state.withLock { $0.token.grant }
      var error: (any Error)?
      do {
        if let grant {
          let savedAt = wallClock()
          try storage.save(
            StoredToken(
              apiToken: grant.value, expiresAt: savedAt.addingTimeInterval(grant.expiry - now),
              refreshToken: grant.refreshToken, savedAt: savedAt))
        } else {
          try storage.clear()
        }
      } catch let failure { error = failure }
      let isStored = error == nil
      // Swapped, so that the former error is released after unlocking.
      state.withLock { swap(&$0.storageError, &error) }
      return isStored
    }
  }
}
