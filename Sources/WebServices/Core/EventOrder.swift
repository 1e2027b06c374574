/// Keeps the events of one request in order, whatever threads they happen on: apart from the lock.
///
/// One thread at a time tells the monitors, with no lock held; what happens meanwhile waits for it. Nothing comes after
/// the delivery.
struct EventOrder: Sendable {
  private var waiting: [RequestEvent] = []
  private var isBeingTold = false
  private(set) var isOver = false
  private var lastTime = -Double.infinity

  /// When an event counts as having happened: two threads may have asked the clock in the other order.
  mutating func moment(_ now: Double) -> Double {
    lastTime = max(lastTime, now)
    return lastTime
  }

  /// What becomes of an event that happens now.
  enum Turn {
    /// The caller has to tell the monitors of it, and of what else waits by then.
    case tell
    /// Another thread tells them: it has to be left to that with `leave(_:)`, within the same lock.
    case wait
    /// It comes after the delivery.
    case drop
  }

  mutating func turn(isLast: Bool) -> Turn {
    guard !isOver else { return .drop }
    isOver = isLast
    guard !isBeingTold else { return .wait }
    isBeingTold = true
    return .tell
  }

  /// The delivery came, and isn't told.
  mutating func close() {
    isOver = true
  }

  mutating func leave(_ event: RequestEvent) {
    waiting.append(event)
  }

  /// Whether all have been told; those that happen next are somebody else's to tell then.
  mutating func isDone() -> Bool {
    isBeingTold = !waiting.isEmpty
    return !isBeingTold
  }

  /// The event that is told next.
  mutating func next() -> RequestEvent? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
