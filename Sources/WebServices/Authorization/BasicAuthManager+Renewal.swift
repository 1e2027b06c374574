import Dispatch

extension BasicAuthManager {
  /// Gives the token, renewed first where less than a minute is left.
  public func ensureValidToken(
    ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    let now = clock.now
    decide(completion) { state in
      state.token.request(now: now, canRenew: state.renewal != nil, waiter: completion)
    }
  }

  /// Gives the token that has taken the refused one's place, or renews it.
  public func replaceRefusedToken(
    _ token: AccessToken, ofType type: WebServiceAuthorizationType,
    completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
  ) {
    let now = clock.now
    decide(completion) { state in
      state.token.replacement(for: token, now: now, canRenew: state.renewal != nil, waiter: completion)
    }
  }

  private func decide(
    _ completion: TokenState.Waiter, by rule: (inout State) -> TokenState.Decision
  ) {
    let handle = RenewalHandle()
    let decision = state.withLock { state in
      let decision = rule(&state)
      if case .renew = decision { state.handle = handle }
      return decision
    }
    switch decision {
    case .use(let token): completion(.success(token))
    case .wait: break
    case .renew(let attempt): renew(attempt, handle)
    case .refuse(let error): completion(.failure(error))
    }
  }

  private func renew(_ attempt: TokenState.Attempt, _ handle: RenewalHandle) {
    handle.hold(
      clock.schedule(after: renewalTimeout) { [self] in fail(attempt, with: TokenError.renewalTimedOut) })
    send(attempt, handle)
  }

  private func send(_ attempt: TokenState.Attempt, _ handle: RenewalHandle) {
    let (renewal, attached) = state.withLock { ($0.renewal, $0.services.last) }
    guard let renewal else { return fail(attempt, with: TokenError.expired) }
    var request = RequestDataCopy(renewal(attempt.token))
    // What waits for a token holds its place in every limiter: a renewal that had to wait for one would wait for ever.
    request.options.bypassesLimits = true
    guard !request.authorization.needsToken else { return fail(attempt, with: TokenError.renewalNeedsToken) }
    let service = attached ?? JsonWebService.shared
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
      if isCancelled, sendAgain(attempt, handle, insteadOf: service) { return }
      // A service that ended says nothing of the one that answers renewals.
      fail(attempt, with: error ?? TokenError.emptyAnswer, isPausing: !isCancelled)
    }
  }

  private func take(_ info: AuthenticationInfo, from attempt: TokenState.Attempt) {
    guard !info.apiToken.isEmpty else { return fail(attempt, with: TokenError.emptyAnswer) }
    guard info.secondsRemaining > 0 else { return fail(attempt, with: TokenError.expiredAnswer) }
    let (now, grant) = (clock.now, grant(info))
    let update: (TokenState.Update, RenewalHandle?)? = state.withLock { state in
      guard let update = state.token.renewalSucceeded(attempt, with: grant, now: now) else { return nil }
      return (update, state.takeHandle())
    }
    if let (update, handle) = update { finish(update, handle) }
  }

  /// A renewal that ended with its service (`resetSharedInstance`) is sent again through the service that took its
  /// place: those who wait may be that one's requests.
  private func sendAgain(
    _ attempt: TokenState.Attempt, _ handle: RenewalHandle, insteadOf service: (any JsonWebServiceable)?
  ) -> Bool {
    let isReplaced = state.withLock { state in
      state.token.isCurrent(attempt) && state.services.last.map { $0 !== service } ?? false
    }
    if isReplaced { send(attempt, handle) }
    return isReplaced
  }

  private func fail(_ attempt: TokenState.Attempt, with error: any Error, isPausing: Bool = true) {
    let now = clock.now
    let ended: ([TokenState.Waiter], RenewalHandle?)? = state.withLock { state in
      guard let waiters = state.token.renewalFailed(attempt, with: error, now: now, isPausing: isPausing) else {
        return nil
      }
      return (waiters, state.takeHandle())
    }
    guard let (waiters, handle) = ended else { return }
    handle?.end()
    for waiter in waiters {
      waiter(.failure(error))
    }
  }

  static let queue = DispatchQueue(label: "WebServices.BasicAuthManager", qos: .userInitiated)
}
