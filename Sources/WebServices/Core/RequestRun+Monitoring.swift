import Foundation

extension RequestRun {
  /// Tells the monitors; what none of them wants isn't built. Called with no lock held.
  func record(_ kind: @autoclosure () -> RequestEvent.Kind) {
    guard !engine.monitors.isEmpty else { return }
    tell(kind())
  }

  @inline(never)
  private func tell(_ kind: RequestEvent.Kind) {
    let stage = kind.stage
    guard engine.monitors.want(stage) else {
      // Nobody wants to be told of the end, but nothing comes after it.
      if stage == .delivered { state.withLock { $0.events.close() } }
      return
    }
    let now = engine.configuration.clock.now
    let taken: EventHead?? = state.withLock { state in
      guard let shown = state.shown else { return .none }
      return .some(take(kind, stage, shown, now: now, &state))
    }
    guard let head = taken ?? takeFirst(kind, stage, now: now) else { return }
    engine.monitors.tell(event(head, kind), stage: stage)
    while !state.withLock({ $0.events.isDone() }) {
      if let next = state.withLock({ $0.events.next() }) { engine.monitors.tell(next, stage: next.kind.stage) }
    }
  }

  /// Takes an event of a request that monitors haven't been shown yet.
  private func takeFirst(_ kind: RequestEvent.Kind, _ stage: RequestEvent.Stages, now: TimeInterval) -> EventHead? {
    let shown = makeShown()
    return state.withLock { take(kind, stage, shown, now: now, &$0) }
  }

  /// - Returns: what the event begins with, where it is to be told here and now.
  private func take(
    _ kind: RequestEvent.Kind, _ stage: RequestEvent.Stages, _ shown: ShownRequest, now: TimeInterval,
    _ state: inout RequestRunState
  ) -> EventHead? {
    let head = EventHead(
      attempt: state.machine.attempt, exchange: state.machine.exchange, time: state.events.moment(now), shown: shown)
    switch state.events.turn(isLast: stage == .delivered) {
    case .tell: return head
    case .wait: state.events.leave(event(head, kind))
    case .drop: break
    }
    return nil
  }

  private func event(_ head: EventHead, _ kind: RequestEvent.Kind) -> RequestEvent {
    RequestEvent(
      requestID: requestID, attempt: head.attempt, exchange: head.exchange, time: head.time, start: startTime,
      method: head.shown.method, url: head.shown.url, kind: kind)
  }

  /// The request as monitors are shown it, made once for each exchange. The URL of one that a server has sent us to may
  /// hold what it was sent.
  private func makeShown() -> ShownRequest {
    let (request, isAway) = state.withLock { ($0.request, $0.isAway) }
    let shown = ShownRequest(
      method: request?.method ?? data.method,
      url: RedactedURL(
        request?.address ?? data.path,
        redaction: isAway ? eventRedaction : engine.configuration.redaction))
    state.withLock { state in
      // What a redirect has led to meanwhile is another one.
      if let request, let current = state.request, current.isSame(as: request) { state.shown = shown }
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

/// A request as monitors are shown it: one object, since every event of it has the same.
final class ShownRequest: Sendable {
  let method: HTTPMethod
  /// Its URL, or the path where there is none.
  let url: RedactedURL

  init(method: HTTPMethod, url: RedactedURL) {
    self.method = method
    self.url = url
  }
}

/// Where a request stands when something happens to it.
private struct EventHead {
  let attempt: Int
  let exchange: Int
  let time: TimeInterval
  let shown: ShownRequest
}
