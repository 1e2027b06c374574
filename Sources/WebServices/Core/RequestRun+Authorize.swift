extension RequestRun {
  /// Asks the token manager for a token, or attaches credentials that need none. Runs on a thread that an app may
  /// block: the caller's, or the queue for an app's code.
  func authorize(_ step: RequestStep, attempt: Int, after transfer: Int) -> Event? {
    guard step.authorization.needsToken else { return sign(step, token: nil) }
    startTimer(step.request.timeouts, attempt: attempt)
    record(.waiting(.token))
    return askTokenManager(after: transfer) {
      engine.tokenManager.ensureValidToken(ofType: step.authorization, through: engine.service, completion: $0)
    }
  }

  /// Attaches the credentials to the step's request.
  func sign(_ step: RequestStep, token: AccessToken?) -> Event {
    // The token may be the next user's, who has signed in while this request asked for one.
    if token != nil, let cause = engine.registry.interruption(of: identity) { return .interrupted(cause) }
    var result = AuthorizedRequest(request: step.request)
    if step.authorization != .none {
      do { result = try authorized(step.request, by: step.authorization, token: token) } catch {
        return .refused(error)
      }
    }
    record(.authorized)
    return .authorized(result)
  }

  /// The request with its credentials, which aren't `.none`.
  func authorized(
    _ request: TransportRequest, by type: WebServiceAuthorizationType, token: AccessToken?
  ) throws(RequestFailure) -> AuthorizedRequest {
    do {
      let fields = try type.credentials(for: request, token: token)
      // The secrets of a refused token stay hidden: a server may repeat them in a later response.
      let former = state.withLock { $0.machine.credentials?.secrets ?? [] }
      let credentials = Credentials(
        fields: fields, secrets: former + type.secrets(in: fields, of: request), token: token)
      var authorized = request
      for field in fields { authorized.headers[field.name] = field.value }
      authorized.secrets = credentials.secrets
      return AuthorizedRequest(request: authorized, credentials: credentials)
    } catch {
      throw RequestFailure(kind: .token, message: "the credentials are invalid or unsendable", underlying: error)
    }
  }
}
