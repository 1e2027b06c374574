extension RequestRun {
  /// The credentials of the request; `nil` if it needs none, if a token has to be waited for, or if an app's code makes
  /// the credentials.
  func credentialsAtOnce() -> AttachedCredentials? {
    guard !authorization.isNone, authorization.signer == nil else { return nil }
    let token = authorization.needsToken ? engine.tokenManager.validToken(ofType: authorization) : nil
    // The authorize station waits for a token that is missing, and fails the request with the reason for anything else.
    return try? AttachedCredentials(authorization, token: token)
  }

  /// Asks the token manager for a token, or attaches credentials that need none. Runs on a thread that an app may
  /// block: the caller's, or the queue for an app's code.
  func authorize(_ request: TransportRequest, after transfer: Int, _ timer: Int) -> Event? {
    let type = currentAuthorization
    guard type.needsToken else { return sign(request, token: nil) }
    // Without a network no token can be renewed. The cache has the responses that were sent with this one.
    if state.withLock({ $0.machine.isOffline }), let token = engine.tokenManager.lastToken {
      return sign(request, token: token)
    }
    startTimer(timer)
    record(.waiting(.token))
    // A callback within the call drives on inside of it. An attempt asks only once, so the calls don't nest deeper.
    engine.tokenManager.ensureValidToken(ofType: type, through: engine.service) { [self] result in
      drive(.tokenReceived(after: transfer, result))
    }
    return nil
  }

  /// Attaches the credentials to the request.
  func sign(_ request: TransportRequest, token: AccessToken?) -> Event {
    let event = attachCredentials(to: request, token: token)
    if case .authorized = event { record(.authorized) }
    return event
  }

  /// Makes the credentials of a request, and attaches them in place of those of the attempt before.
  func attachCredentials(to request: TransportRequest, token: AccessToken?) -> Event {
    let type = currentAuthorization
    // Behind a redirect to another origin the former credentials stay known, in case the request starts over.
    if type.isNone { return authorized(request, nil) }
    do throws(WebServiceError) {
      let former = state.withLock { $0.machine.credentials }
      var request = request.without(former)
      let credentials = try AttachedCredentials(type, for: request, token: token, after: former)
      request.attach(credentials.fields, secrets: credentials)
      return authorized(request, credentials)
    } catch { return .refused(error) }
  }

  /// The event of a request that may be sent after a wait. A shutdown and a sign-out interrupt their requests one by
  /// one, and no request is sent meanwhile. The token may be the next user's, who has signed in during the wait.
  func authorized(_ request: TransportRequest, _ credentials: AttachedCredentials?) -> Event {
    engine.interruption(of: identity).map(Event.interrupted) ?? .authorized(request, credentials)
  }

  /// The authorization of the next transfer: `.none` after a redirect to another origin.
  var currentAuthorization: WebServiceAuthorizationType {
    state.withLock { $0.machine.hasLeftOrigin } ? .none : authorization
  }
}
