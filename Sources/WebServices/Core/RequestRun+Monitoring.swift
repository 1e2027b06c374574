import Foundation

extension RequestRun {
  /// Notifies the monitors. Without a monitor no event is built. Call this with no lock held, because a monitor is an
  /// app's code.
  ///
  /// - Parameter transfer: the number of the transfer that the event belongs to, if it isn't the last one.
  func record(_ kind: @autoclosure () -> RequestEvent.Kind, ofTransfer transfer: Int? = nil) {
    guard !engine.monitors.isEmpty else { return }
    notifyMonitors(of: kind(), transfer)
  }

  @inline(never)
  private func notifyMonitors(of kind: RequestEvent.Kind, _ transfer: Int?) {
    let isLast = if case .delivered = kind { true } else { false }
    let now = engine.configuration.clock.now
    let (method, url) = shownRequest()
    var next: RequestEvent? = state.withLock { state in
      let event = RequestEvent(
        requestID: requestID, attempt: state.machine.attempt, transfer: transfer ?? state.machine.transfers,
        time: state.events.timeInOrder(now), start: startTime, method: method, url: url, kind: kind,
        status: isLast ? state.status : nil, contextHeaders: contextHeaders)
      return state.events.add(event, isLast: isLast) ? event : nil
    }
    while let event = next {
      for monitor in engine.monitors { monitor.record(event) }
      next = state.withLock { $0.events.next() }
    }
  }

  /// The method and the URL that monitors are shown. A redirect's URL may hold secrets of the request before it.
  private func shownRequest() -> (method: HTTPMethod, url: RequestEvent.RedactedURL) {
    let (described, request, redirects) = state.withLock { ($0.describedURL, $0.machine.request, $0.machine.redirects) }
    let method = request?.method ?? data._method
    if let request, !redirects.isEmpty {
      return (method, RequestEvent.RedactedURL(request.urlForm, redaction: eventRedaction))
    }
    // A request that couldn't be described has only its path.
    return (method, described ?? RequestEvent.RedactedURL(data.path, redaction: engine.configuration.redaction))
  }

  /// What is hidden in the URLs of redirects: a server may repeat the secrets that it was sent.
  var eventRedaction: Redaction {
    let (secrets, sent) = state.withLock { ($0.secrets, $0.machine.request) }
    return engine.configuration.redaction.hiding(secretsOf: sent, and: secrets)
  }
}

/// Keeps the events of one request in order, although several threads report them. One thread at a time notifies the
/// monitors, without holding a lock, and later events wait for that thread. No event follows the delivery.
struct EventOrder: Sendable {
  private var waiting: [RequestEvent] = []
  /// Whether a thread is notifying the monitors.
  private var isNotifying = false
  /// Whether the delivery was added.
  private var isOver = false
  private var lastTime = -Double.infinity

  /// The time of an event, at least the time of the previous event. Two threads may read the clock in one order and
  /// report in the other.
  mutating func timeInOrder(_ now: TimeInterval) -> TimeInterval {
    lastTime = max(lastTime, now)
    return lastTime
  }

  /// - Returns: whether the caller has to notify the monitors of the event and then of each `next()`. If not, the event
  ///   waits, or it came after the delivery and is dropped.
  mutating func add(_ event: RequestEvent, isLast: Bool) -> Bool {
    guard !isOver else { return false }
    isOver = isLast
    if isNotifying {
      waiting.append(event)
      return false
    }
    isNotifying = true
    return true
  }

  /// The next event for the monitors; `nil` if none waits, and the thread is done.
  mutating func next() -> RequestEvent? {
    isNotifying = !waiting.isEmpty
    return isNotifying ? waiting.removeFirst() : nil
  }
}
