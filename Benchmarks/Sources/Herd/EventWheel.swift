/// Schedules events by the millisecond. A heap would sort events that need no order within a millisecond.
struct EventWheel<Event> {
  private var slots: [[Event]]
  private var current = 0

  /// - Parameter horizon: the longest delay of an event, in milliseconds.
  init(horizon: Int) {
    slots = Array(repeating: [], count: horizon + 1)
  }

  /// Schedules an event, at the earliest for the next millisecond.
  mutating func add(_ event: Event, after seconds: Double) {
    let milliseconds = min(max(1, Int((seconds * 1000).rounded())), slots.count - 1)
    slots[(current + milliseconds) % slots.count].append(event)
  }

  /// Advances by a millisecond, and removes and returns its events.
  mutating func advance() -> [Event] {
    current = (current + 1) % slots.count
    defer { slots[current] = [] }
    return slots[current]
  }
}
