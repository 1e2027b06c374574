extension RequestRun {
  // MARK: Redirects

  func redirect(_ state: RequestRunState) -> Redirect {
    Redirect(
      policy: options.redirects ?? engine.configuration.redirects, credentialNames: state.credentialNames,
      redaction: engine.configuration.redaction)
  }

  /// Begins the step that a response points to.
  func follow(_ next: TransportRequest, after exchange: Int) {
    let found: RequestStep? = state.withLock { state in
      state.step.map { RequestStep(next, after: $0, credentialNames: state.credentialNames) }
    }
    guard let step = found else { return }
    let isToBeSigned = authorization.isBoundToRequest && step.isAuthorized
    guard isToBeSigned || next.body.isStream else { return send(next, as: step, after: exchange) }
    AppCode.queue.async { [self] in
      guard let next = isToBeSigned ? signed(step.request, after: exchange) : next else { return }
      send(next, as: step, after: exchange)
    }
  }

  /// Credentials that are made for one URL are made again for the next, within the same origin.
  private func signed(_ request: TransportRequest, after exchange: Int) -> TransportRequest? {
    // A request that has ended meanwhile needs no signature.
    guard let token = state.withLock({ $0.isUnderWay(exchange) ? .some($0.token) : nil }) else { return nil }
    return authorized(request, by: authorization, token: token, after: exchange)
  }

  /// Sends what a redirect leads to.
  private func send(_ next: TransportRequest, as step: RequestStep, after exchange: Int) {
    guard state.withLock({ $0.follow(step, sending: next, after: exchange) }) else { return }
    record(.redirected(to: RedactedURL(next.url.absoluteString, redaction: eventRedaction)))
    advance(.redirected(exchange: exchange))
  }
}

extension TransportBody {
  /// Whether an app's code makes the bytes, which a session of which nothing more is known asks for at once.
  var isStream: Bool {
    if case .stream = self { true } else { false }
  }
}
