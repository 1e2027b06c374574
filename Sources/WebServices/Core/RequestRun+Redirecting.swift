extension RequestRun {
  // MARK: Redirects

  func redirect(_ state: RequestRunState) -> Redirect {
    Redirect(
      policy: options.redirects ?? engine.configuration.redirects, credentialNames: state.credentialNames,
      redaction: engine.configuration.redaction)
  }

  /// Goes on to what an answer points to.
  func follow(_ next: TransportRequest, after exchange: Int) {
    let isToBeSigned = authorization.isBoundToRequest && state.withLock { $0.carriesCredentials(next) }
    guard isToBeSigned || next.body.isStream else { return send(next, after: exchange) }
    AppCode.queue.async { [self] in
      guard let next = isToBeSigned ? signedAnew(next, after: exchange) : next else { return }
      send(next, after: exchange)
    }
  }

  /// Credentials that are made for one URL are made again for the next, within the same origin.
  private func signedAnew(_ request: TransportRequest, after exchange: Int) -> TransportRequest? {
    let former: (names: [String], token: AccessToken?)? = state.withLock { state in
      // What has ended meanwhile needs no signature.
      guard state.isUnderWay(exchange) else { return nil }
      return (state.credentialNames, state.token)
    }
    guard let former else { return nil }
    var plain = request
    former.names.forEach { plain.headers.remove($0) }
    return authorized(plain, by: authorization, token: former.token, after: exchange)
  }

  /// Sends what a redirect leads to.
  private func send(_ next: TransportRequest, after exchange: Int) {
    guard state.withLock({ $0.follow(next, after: exchange) }) else { return }
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
