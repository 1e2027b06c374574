extension RequestRun {
  // MARK: Authorize

  func authorize() {
    let type = authorizationOfStep
    guard type.needsToken else { return attachCredentials(of: type, token: nil) }
    startTimer()
    record(.waiting(.token))
    engine.tokenManager.ensureValidToken(ofType: type, through: engine.service) { [self] result in
      switch result {
      case .success(let token): attachCredentials(of: type, token: token)
      case .failure(let error): refuse(.token, "there is no valid token", underlying: error)
      }
    }
  }

  /// What the step under way is authorized with.
  var authorizationOfStep: WebServiceAuthorizationType {
    state.withLock { $0.step?.isAuthorized ?? true } ? authorization : .none
  }

  /// The server refused the token: another one is asked for, once.
  func reauthorize(after outcome: StationOutcome) {
    let (token, exchange) = state.withLock { ($0.machine.isAuthorizing ? $0.token : nil, $0.machine.exchange) }
    guard case .response(let response) = outcome, let token else { return }
    let type = authorization
    state.withLock { state in
      state.lastFailure = ResponseJudge.Refusal(kind: .statusCode(response.statusCode), response: response)
    }
    startTimer()
    record(.retried(after: 0, cause: .unauthorized))
    AppCode.queue.async { [self] in
      // What has ended meanwhile needs no other token.
      guard state.withLock({ $0.machine.state == .reauthorizing }) else { return }
      engine.tokenManager.replaceRefusedToken(token, ofType: type, through: engine.service) { [self] result in
        switch result {
        case .success(let token): attachCredentials(of: type, token: token)
        case .failure(let error): answer(response, to: exchange, insteadOf: error)
        }
      }
    }
  }

  /// Lets each attempt begin with the request of the step, and with credentials of its own.
  private func attachCredentials(of type: WebServiceAuthorizationType, token: AccessToken?) {
    // A second answer of a token manager's must not touch the request that is on its way.
    guard let step = state.withLock({ $0.machine.isAuthorizing ? $0.step : nil }) else { return }
    guard let request = authorized(step.request, by: type, token: token) else { return }
    state.withLock { state in
      guard state.machine.isAuthorizing else { return }
      state.request = request
      state.token = token
    }
    record(.authorized)
    advance(.authorized)
  }

  /// The request with its credentials; `nil` where there are none to be had, which ends the run.
  ///
  /// - Parameter exchange: the one that led to the request, if any did.
  func authorized(
    _ request: TransportRequest, by type: WebServiceAuthorizationType, token: AccessToken?, after exchange: Int? = nil
  ) -> TransportRequest? {
    guard type != .none else { return request }
    do {
      let fields = try type.credentials(for: request, token: token)
      let credentials = state.withLock { state in
        state.credentials += type.secrets(in: fields)
        // What was signed for a redirect that is no longer followed, is not the request's.
        if exchange == nil || state.machine.exchange == exchange { state.credentialNames = fields.map(\.name) }
        return state.credentials
      }
      var authorized = request
      for field in fields { authorized.headers[field.name] = field.value }
      authorized.secrets = credentials
      return authorized
    } catch {
      refuse(.token, "the credentials can't be made or sent", underlying: error, exchange: exchange)
      return nil
    }
  }
}
