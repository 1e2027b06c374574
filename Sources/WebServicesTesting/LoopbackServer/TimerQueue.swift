/// A priority queue of times with the earliest first. `next` is the time to wait for, and `removeFirst` returns a due
/// entry. A binary heap.
struct TimerQueue<Payload> {
  private var entries: [(time: Double, payload: Payload)] = []

  /// The earliest time.
  var next: Double? { entries.first?.time }

  mutating func add(_ payload: Payload, at time: Double) {
    entries.append((time, payload))
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child].time < entries[parent].time else { return }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  /// Removes and returns the earliest entry if it is due.
  mutating func removeFirst(dueAt now: Double) -> Payload? {
    guard let first = entries.first, first.time <= now else { return nil }
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
        if entries[child].time < entries[least].time { least = child }
      }
      guard least != parent else { return first.payload }
      entries.swapAt(parent, least)
      parent = least
    }
  }
}
