/// Keeps the events of one request in order, whatever threads they happen on: apart from the lock.
///
/// One thread at a time tells the monitors, with no lock held; what happens meanwhile waits for it. Nothing comes after
/// the delivery.
struct EventOrder: Sendable {
  private var waiting: [RequestEvent] = []
  private var isBeingTold = false
  private var isOver = false
  private var lastTime = -Double.infinity

  /// Takes an event.
  ///
  /// - Returns: whether it is the caller who has to tell the monitors of it, and of what else waits by then.
  mutating func append(_ event: RequestEvent) -> Bool {
    guard !isOver else { return false }
    if case .delivered = event.kind { isOver = true }
    // Two threads may have asked the clock in the other order.
    lastTime = max(lastTime, event.time)
    waiting.append(event.time == lastTime ? event : event.moved(to: lastTime))
    defer { isBeingTold = true }
    return !isBeingTold
  }

  /// The event that is told next; `nil` where none waits.
  mutating func next() -> RequestEvent? {
    guard !waiting.isEmpty else {
      isBeingTold = false
      return nil
    }
    return waiting.removeFirst()
  }
}

extension RequestEvent {
  fileprivate func moved(to time: Double) -> RequestEvent {
    RequestEvent(
      requestID: requestID, attempt: attempt, exchange: exchange, time: time, start: start, method: method, url: url,
      kind: kind)
  }
}
