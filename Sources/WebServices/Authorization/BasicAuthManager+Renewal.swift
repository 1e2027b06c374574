import Dispatch

extension BasicAuthManager {
  /// Gives the token, renewed first where less than a minute is left. A renewal goes through the service that
  /// `renewTokens(through:with:)` named, or through the only one that was ever made with this manager.
  public func ensureValidToken(
    ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    ensureValidToken(for: nil, completion)
  }

  /// Gives the token, renewed first where less than a minute is left. A renewal goes through this service, unless
  /// `renewTokens(through:with:)` named another.
  public func ensureValidToken(
    ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    ensureValidToken(for: service, completion)
  }

  /// Gives the token that has taken the refused one's place, or renews it as `ensureValidToken(ofType:completion:)` does.
  public func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    replace(token, for: nil, completion)
  }

  /// Gives the token that has taken the refused one's place, or renews it as
  /// `ensureValidToken(ofType:through:completion:)` does.
  public func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    replace(token, for: service, completion)
  }

  private func ensureValidToken(for service: (any JsonWebServiceable)?, _ completion: @escaping TokenState.Waiter) {
    let now = clock.now
    decide(for: service, completion) { state in
      state.token.request(now: now, canRenew: state.renewal != nil, waiter: completion)
    }
  }

  private func replace(
    _ token: AccessToken, for service: (any JsonWebServiceable)?, _ completion: @escaping TokenState.Waiter
  ) {
    let now = clock.now
    decide(for: service, completion) { state in
      state.token.replacement(for: token, now: now, canRenew: state.renewal != nil, waiter: completion)
    }
  }

  private func decide(
    for service: (any JsonWebServiceable)?, _ completion: TokenState.Waiter,
    by rule: (inout State) -> TokenState.Decision
  ) {
    let decision: (TokenState.Decision, RenewalHandle?) = state.withLock { state in
      let decision = rule(&state)
      switch decision {
      case .use, .refuse: return (decision, nil)
      case .renew: state.renewalUnderWay = RenewalUnderWay(handle: RenewalHandle())
      case .wait: break
      }
      state.renewalUnderWay?.add(service)
      return (decision, state.renewalUnderWay?.handle)
    }
    switch decision {
    case (.use(let token), _): completion(.success(token))
    case (.refuse(let error), _): completion(.failure(error))
    case (.renew(let attempt), let handle?): renew(attempt, handle)
    case (.renew, nil), (.wait, _): break
    }
  }

  private func renew(_ attempt: TokenState.Attempt, _ handle: RenewalHandle) {
    handle.hold(
      clock.schedule(after: renewalTimeout) { [self] in fail(attempt, with: TokenError.renewalTimedOut) })
    send(attempt, handle)
  }

  private func send(_ attempt: TokenState.Attempt, _ handle: RenewalHandle) {
    let (isCurrent, renewal, service) = state.withLock { state in
      (state.token.isCurrent(attempt), state.renewal, state.renewalService)
    }
    // A sign-out since ended the renewal: the former user's refresh token isn't spent any more.
    guard isCurrent else { return }
    guard let renewal else { return fail(attempt, with: TokenError.expired) }
    guard let service else { return fail(attempt, with: TokenError.noRenewalService, isPausing: false) }
    var request = RequestDataCopy(renewal(attempt.token))
    // What waits for a token holds its place in every limiter: a renewal that had to wait for one would wait for ever.
    request.options.bypassesLimits = true
    guard !request.authorization.needsToken else { return fail(attempt, with: TokenError.renewalNeedsToken) }
    let task = service.sendRequest(request, callbackQueue: Self.queue) {
      [weak service] (result: WebServiceResult<AuthenticationInfo>) in
      self.renewalEnded(with: result, for: attempt, handle, through: service)
    }
    handle.hold(task)
  }

  private func renewalEnded(
    with result: WebServiceResult<AuthenticationInfo>, for attempt: TokenState.Attempt, _ handle: RenewalHandle,
    through service: (any JsonWebServiceable)?
  ) {
    switch result {
    case .success(let info?):
      take(info, from: attempt)
    case .success(nil):
      fail(attempt, with: TokenError.emptyAnswer)
    case .failure(let error):
      let isCancelled = error?.kind == .cancelled
      if isCancelled, error?.attemptCount == 0, sendAgain(attempt, handle, insteadOf: service) { return }
      // A service that ended says nothing of the server that renews tokens.
      fail(attempt, with: error ?? TokenError.emptyAnswer, isPausing: !isCancelled)
    }
  }

  private func take(_ info: AuthenticationInfo, from attempt: TokenState.Attempt) {
    guard !info.apiToken.isEmpty else { return fail(attempt, with: TokenError.emptyAnswer) }
    guard info.secondsRemaining > 0 else { return fail(attempt, with: TokenError.expiredAnswer) }
    let (now, grant) = (clock.now, grant(info))
    let update: (TokenState.Update, RenewalUnderWay?)? = state.withLock { state in
      guard let update = state.token.renewalSucceeded(attempt, with: grant, now: now) else { return nil }
      return (update, state.takeRenewal())
    }
    if let (update, renewal) = update { finish(update, renewal) }
  }

  /// Sends a renewal through the next service whose requests wait for it, in place of a service that ended
  /// (`resetSharedInstance`) before it had sent the renewal. A renewal that may have reached the server is never sent
  /// again: servers that rotate refresh tokens revoke all of them when one is used twice.
  private func sendAgain(
    _ attempt: TokenState.Attempt, _ handle: RenewalHandle, insteadOf service: (any JsonWebServiceable)?
  ) -> Bool {
    let hasNext = state.withLock { state in
      guard state.token.isCurrent(attempt), state.namedService == nil else { return false }
      if let service { state.renewalUnderWay?.remove(service) }
      return state.renewalUnderWay?.services.isEmpty == false
    }
    if hasNext { send(attempt, handle) }
    return hasNext
  }

  private func fail(_ attempt: TokenState.Attempt, with error: any Error, isPausing: Bool = true) {
    let now = clock.now
    let ended: ([TokenState.Waiter], RenewalUnderWay?)? = state.withLock { state in
      guard let waiters = state.token.renewalFailed(attempt, with: error, now: now, isPausing: isPausing) else {
        return nil
      }
      return (waiters, state.takeRenewal())
    }
    guard let (waiters, renewal) = ended else { return }
    renewal?.handle.end()
    for waiter in waiters {
      waiter(.failure(error))
    }
  }

  static let queue = DispatchQueue(label: "WebServices.BasicAuthManager", qos: .userInitiated)
}
