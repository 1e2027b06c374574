import Foundation

extension RequestRun {
  /// Tells the monitors; without one nothing is built. Called with no lock held.
  func record(_ kind: @autoclosure () -> RequestEvent.Kind) {
    guard !engine.monitors.isEmpty else { return }
    let url = shownURL
    let (method, attempt, exchange) = state.withLock { state in
      (state.request?.method, state.machine.attempt, state.machine.exchange)
    }
    let event = RequestEvent(
      requestID: requestID, attempt: attempt, exchange: exchange, time: engine.configuration.clock.now,
      start: startTime, method: method ?? data.method, url: url, kind: kind())
    guard state.withLock({ $0.events.append(event) }) else { return }
    while let next = state.withLock({ $0.events.next() }) { engine.monitors.record(next) }
  }

  /// The URL as monitors are shown it, made once for each exchange. One that a server has sent us to may hold what it was
  /// sent.
  private var shownURL: RedactedURL {
    let (known, url, own) = state.withLock { ($0.shownURL, $0.request?.url, $0.described?.url) }
    if let known { return known }
    let shown = RedactedURL(
      url?.absoluteString ?? data.path,
      redaction: url == own ? engine.configuration.redaction : eventRedaction)
    state.withLock { state in
      if state.request?.url == url { state.shownURL = shown }
    }
    return shown
  }

  /// What is hidden in the URLs of events: a server may send elsewhere with what it was sent.
  var eventRedaction: Redaction {
    let redaction = engine.configuration.redaction
    let (credentials, described) = state.withLock { ($0.credentials, $0.machine.exchange > 0 ? $0.described : nil) }
    let secrets = described.map(RequestSecrets(redaction: redaction).values) ?? []
    return credentials.isEmpty && secrets.isEmpty ? redaction : redaction.hiding(credentials + secrets)
  }
}
