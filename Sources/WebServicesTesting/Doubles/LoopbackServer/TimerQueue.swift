/// A queue of times with the earliest first. `next` is the time to wait for, and `removeFirst` returns a due entry.
struct TimerQueue<Payload> {
  /// The latest time comes first, because the last element is removed without moving the others.
  private var entries: [(time: Double, payload: Payload)] = []

  /// The earliest time.
  var next: Double? { entries.last?.time }

  mutating func add(_ payload: Payload, at time: Double) {
    entries.insert((time, payload), at: entries.firstIndex { $0.time <= time } ?? entries.endIndex)
  }

  /// Removes and returns the earliest entry if it is due.
  mutating func removeFirst(dueAt now: Double) -> Payload? {
    guard let time = next, time <= now else { return nil }
    return entries.removeLast().payload
  }
}
