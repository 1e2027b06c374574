extension RequestRun {
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
    return askTokenManager(after: transfer) {
      engine.tokenManager.ensureValidToken(ofType: step.authorization, through: engine.service, completion: $0)
    }
  }

  /// Attaches the credentials to the step's request.
  func sign(_ step: RequestStep, token: AccessToken?) -> Event {
    // The token may be the next user's, who has signed in while this request asked for one.
    if token != nil, let cause = engine.registry.interruption(of: identity) { return .interrupted(cause) }
    let event =
      step.authorization == .none ? .authorized(step.request, nil) : attachCredentials(to: step, token: token)
    if case .authorized = event { record(.authorized) }
    return event
  }

  /// Makes the credentials of a step whose authorization isn't `.none`, and attaches them.
  func attachCredentials(to step: RequestStep, token: AccessToken?) -> Event {
    do {
      let type = step.authorization
      let fields = try type.credentials(for: step.request, token: token)
      // The secrets of a refused token stay hidden: a server may repeat them in a later response.
      let former = state.withLock { $0.machine.credentials?.secrets ?? [] }
      let credentials = Credentials(
        fields: fields, secrets: former + type.secrets(in: fields, of: step.request), token: token)
      var authorized = step.request
      for field in fields { authorized.headers[field.name] = field.value }
      authorized.secrets = credentials.secrets
      return .authorized(authorized, credentials)
    } catch {
      return .refused(
        RequestFailure(kind: .token, message: "the credentials are invalid or unsendable", underlying: error))
    }
  }
}
