extension RequestRun {
  /// The credentials of the request; `nil` if it needs none, if a token has to be waited for, or if an app's code makes
  /// the credentials.
  func credentialsAtOnce() -> AttachedCredentials? {
    guard !authorization.isNone, authorization.signer == nil else { return nil }
    let token = authorization.needsToken ? engine.tokenManager.validToken(ofType: authorization) : nil
    guard token != nil || !authorization.needsToken else { return nil }
    // The authorize station fails the request with the reason.
    return try? AttachedCredentials(authorization, token: token)
  }

  /// Asks the token manager for a token, or attaches credentials that need none. Runs on a thread that an app may
  /// block: the caller's, or the queue for an app's code.
  func authorize(_ step: RequestStep, after transfer: Int, _ timer: Int) -> Event? {
    guard step.authorization.needsToken else { return sign(step, token: nil) }
    // Without a network no token can be renewed. The cache has the responses that were sent with this one.
    if engine.hasOfflineLayer, state.withLock({ $0.machine.isOffline }), let token = engine.tokenManager.lastToken {
      return sign(step, token: token)
    }
    startTimer(timer)
    record(.waiting(.token))
    // A callback within the call drives on inside of it. An attempt asks only once, so the calls don't nest deeper.
    engine.tokenManager.ensureValidToken(ofType: step.authorization, through: engine.service) { [self] result in
      drive(.tokenReceived(after: transfer, result))
    }
    return nil
  }

  /// Attaches the credentials to the step's request.
  func sign(_ step: RequestStep, token: AccessToken?) -> Event {
    // The token may be the next user's, who has signed in while this request asked for one.
    if token != nil, let cause = engine.interruption(of: identity) { return .interrupted(cause) }
    let event = attachCredentials(to: step, token: token)
    if case .authorized = event { record(.authorized) }
    return event
  }

  /// Makes the credentials of a step, and attaches them.
  func attachCredentials(to step: RequestStep, token: AccessToken?) -> Event {
    if step.authorization.isNone { return .authorized(step.request, nil) }
    do throws(WebServiceError) {
      let former = state.withLock { $0.machine.credentials }
      let request = step.request.without(former)
      let credentials = try AttachedCredentials(step.authorization, for: request, token: token, after: former)
      return .authorized(request.with(credentials), credentials)
    } catch {
      return .refused(error)
    }
  }
}
