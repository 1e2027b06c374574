import Dispatch
import Foundation

/// The timers of a clock, in a table whose places are used again.
final class SystemTimers: Sendable {
  private struct Entry {
    var deadline: TimeInterval
    var action: @Sendable () -> Void
  }

  private struct Place {
    var entry: Entry?
    /// How often it was given away: a timer that is cancelled too late must not hit the next one in its place.
    var number: UInt32 = 0
  }

  private struct State {
    var places: [Place] = []
    var vacant: [Int] = []
    var armedFor = TimeInterval.infinity

    mutating func add(_ entry: Entry) -> (index: Int, number: UInt32) {
      guard let index = vacant.popLast() else {
        places.append(Place(entry: entry))
        return (places.count - 1, 0)
      }
      places[index].entry = entry
      return (index, places[index].number)
    }

    mutating func remove(_ index: Int) -> Entry? {
      guard let entry = places[index].entry else { return nil }
      places[index].entry = nil
      places[index].number &+= 1
      vacant.append(index)
      return entry
    }
  }

  private let state = Locked(State())
  private let source = DispatchTimer(label: "WebServices.SystemClock")

  /// Holds the timers until `end()`.
  func activate() {
    source.onFire { [self] in runDueActions() }
  }

  func end() {
    source.cancel()
  }

  var pendingCount: Int { state.withLock { $0.places.count - $0.vacant.count } }

  func add(due deadline: TimeInterval, _ action: @escaping @Sendable () -> Void) -> any WebServiceTimer {
    let (index, number) = state.withLock { state in
      if deadline < state.armedFor { arm(&state, for: deadline) }
      return state.add(Entry(deadline: deadline, action: action))
    }
    return Timer(timers: self, index: index, number: number)
  }

  private func arm(_ state: inout State, for deadline: TimeInterval) {
    state.armedFor = deadline
    source.schedule(after: deadline - MonotonicTime.seconds)
  }

  private func runDueActions() {
    let now = MonotonicTime.seconds
    let due: [Entry] = state.withLock { state in
      var due: [Entry] = []
      var next = TimeInterval.infinity
      for index in state.places.indices {
        guard let deadline = state.places[index].entry?.deadline else { continue }
        if deadline > now { next = min(next, deadline) } else if let entry = state.remove(index) { due.append(entry) }
      }
      state.armedFor = .infinity
      if next < .infinity { arm(&state, for: next) }
      return due
    }
    for entry in due.sorted(by: { $0.deadline < $1.deadline }) { entry.action() }
  }

  private struct Timer: WebServiceTimer {
    let timers: SystemTimers
    let index: Int
    let number: UInt32

    func cancel() {
      let entry = timers.state.withLock { $0.places[index].number == number ? $0.remove(index) : nil }
      // What the action holds is released here, outside the lock.
      _ = entry
    }
  }
}
