import Dispatch
import Foundation

/// The timers of the machine's clock.
final class SystemTimers: Sendable {
  private struct Entry: Sendable {
    var deadline: TimeInterval
    var action: @Sendable () -> Void
  }

  private struct State: Sendable {
    var entries = SlotTable<Entry>()
    var armedFor = TimeInterval.infinity
  }

  private let state = Locked(State())
  private let source = DispatchTimer(label: "WebServices.SystemClock")

  /// Begins to look after the timers, and to hold itself, until `end()`.
  func activate() {
    source.onFire { [self] in runDueActions() }
  }

  func end() {
    source.cancel()
  }

  var pendingCount: Int { state.withLock { $0.entries.count } }

  func add(due deadline: TimeInterval, _ action: @escaping @Sendable () -> Void) -> any WebServiceTimer {
    let slot = state.withLock { state in
      if deadline < state.armedFor { arm(&state, for: deadline) }
      return state.entries.insert(Entry(deadline: deadline, action: action))
    }
    return Timer(timers: self, slot: slot)
  }

  private func arm(_ state: inout State, for deadline: TimeInterval) {
    state.armedFor = deadline
    source.schedule(after: deadline - MonotonicTime.seconds)
  }

  private func runDueActions() {
    let now = MonotonicTime.seconds
    let due = state.withLock { state in
      let due = state.entries.removeAll { $0.deadline <= now }
      state.armedFor = .infinity
      if let next = state.entries.values.lazy.map(\.deadline).min() { arm(&state, for: next) }
      return due
    }
    for entry in due.sorted(by: { $0.deadline < $1.deadline }) { entry.action() }
  }

  private struct Timer: WebServiceTimer {
    let timers: SystemTimers
    let slot: SlotTable<Entry>.Slot

    func cancel() {
      let entry = timers.state.withLock { $0.entries.remove(slot) }
      // What the action holds is released here, outside the lock.
      _ = entry
    }
  }
}
