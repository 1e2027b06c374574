/// What is to happen, by the millisecond. A heap would sort what needs no order within a millisecond.
struct EventWheel<Event> {
  private var slots: [[Event]]
  private var current = 0

  /// - Parameter horizon: how far ahead anything is planned at most, in milliseconds.
  init(horizon: Int) {
    slots = Array(repeating: [], count: horizon + 1)
  }

  /// Plans an event, for the next millisecond at the earliest.
  mutating func add(_ event: Event, after seconds: Double) {
    let milliseconds = min(max(1, Int((seconds * 1000).rounded())), slots.count - 1)
    slots[(current + milliseconds) % slots.count].append(event)
  }

  /// Goes on to the next millisecond and takes out what happens in it.
  mutating func advance() -> [Event] {
    current = (current + 1) % slots.count
    defer { slots[current] = [] }
    return slots[current]
  }
}
