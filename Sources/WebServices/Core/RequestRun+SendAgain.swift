/// How a request is sent once more: by a redirect, with another token or signature, or as another attempt.
extension RequestRun {
  // MARK: Redirects

  /// Prepares the request that a redirect leads to. Credentials that are made for one URL are made again for the next.
  ///
  /// - Parameter next: the request, with the credentials that it may keep.
  func follow(_ next: TransportRequest) -> Event? {
    // Signing calls an app's code, which must not run on the transport's thread.
    guard currentAuthorization.signer != nil else { return authorized(next, nil) }
    callApp { [self] in
      attachCredentials(to: next, token: state.withLock { $0.machine.credentials?.token })
    }
    return nil
  }

  // MARK: Refused tokens

  /// Requests a replacement for a token that the server refused.
  func reauthorize(_ token: AccessToken, _ transfer: RequestTransfer, _ timer: Int) {
    startTimer(timer)
    if transfer.request.body.isReplayable { record(.retried(after: 0, cause: .unauthorized)) }
    callApp { [self] in
      engine.tokenManager.replaceRefusedToken(token, ofType: authorization, through: engine.service) {
        [self] result in
        drive(.tokenReceived(after: transfer.number, result))
      }
      return nil
    }
  }

  /// Gives the challenge of a 401 to the request's signer, and signs again if the signer can respond to it. A request
  /// that can't be sent again gets its 401, and the signer knows the challenge for the next request.
  func readChallenge(of response: WebServiceResponse, _ transfer: RequestTransfer, _ timer: Int) {
    startTimer(timer)
    let request = transfer.request
    callApp { [self] in
      guard authorization.signer?.onChallenge?(response, request) == true, request.body.isReplayable else {
        return .tokenReceived(after: transfer.number, .failure(TokenError.expired))
      }
      record(.retried(after: 0, cause: .challenge))
      return sign(request, token: state.withLock { $0.machine.credentials?.token })
    }
  }

  // MARK: Retries

  /// The next attempt, for which the budget has paid; `nil` if there is none.
  ///
  /// - Parameter failure: the failure that the result is.
  func retry(
    after result: Result<WebServiceResponse, TransportError>, as failure: WebServiceError, _ transfer: RequestTransfer
  ) -> Retry? {
    let configuration = engine.configuration
    let policy = options.retry ?? configuration.retry
    let request = transfer.request
    let (cause, isStale): (RequestEvent.RetryCause, Bool) =
      switch result {
      case .success(let response): (.status(response.statusCode), request.isIdempotent && response.endsIdleConnection)
      case .failure(let error):
        (.transport(error.kind), error.isStaleConnection && (request.isIdempotent || !error.mayHaveReachedServer))
      }
    // Independent of policy and budget: any client with kept connections meets this, and another connection mends it.
    // Only idempotent methods may be repeated automatically (RFC 9112, section 9.3.1), or a request that wasn't sent.
    if isStale, request.body.isReplayable, transfer.connection == .any {
      return Retry(delay: nil, cause: cause, failure: failure)
    }
    // Independent of policy and budget too: the sink limits how often it continues.
    if let count = sink?.resume(after: result, method: (state.withLock { $0.machine.described } ?? request).method) {
      let delay = count == 0 ? 0 : policy.backoff.delay(retry: count, random: configuration.random)
      guard request.body.isReplayable, allowsWaiting(delay) else { return nil }
      state.withLock { $0.continuations += 1 }
      return Retry(delay: delay > 0 ? delay : nil, cause: cause, failure: failure, startsOver: true)
    }
    if case .failure(let error) = result, error.isRefusal { return nil }
    let attempt = state.withLock { $0.machine.attempt - $0.continuations }
    let retry = policy.retry(
      after: result, attempt: attempt, of: request, now: configuration.wallClock(), random: configuration.random)
    // The budget comes last, so that it pays only for retries that are made.
    guard let retry, allowsWaiting(retry.delay), configuration.retryBudget.withdraw() else { return nil }
    var next = Retry(delay: retry.delay, cause: cause, failure: failure)
    if let change = retry.change {
      var changed = request.without(state.withLock { $0.machine.credentials })
      // A server may repeat a secret that the rule replaces.
      changed.formerRequests = SecretSource.all(of: request)
      change(&changed.headers)
      next.request = changed
    }
    return next
  }

  /// Waits for the next attempt.
  func pause(_ retry: Retry, _ request: TransportRequest, _ number: Int) {
    record(.retried(after: retry.delay ?? 0, cause: retry.cause))
    guard let delay = retry.delay else {
      // Not on this thread, which may be the transport's: the next stations call an app's code.
      return UserCallbackQueue.shared.enqueue { [self] in drive(.checked(isOffline: isOffline(request))) }
    }
    record(.waiting(.retryDelay))
    let timer = engine.configuration.clock.schedule(after: delay) { [self] in
      driveFromTimer(.checked(isOffline: self.isOffline(request)))
    }
    keep(timer, number)
  }
}
