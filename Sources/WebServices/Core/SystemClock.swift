public import Foundation

/// The machine's clock.
///
/// Every request sets a timer and nearly every one cancels it again, so both cost a dictionary access and no more: one
/// dispatch timer is armed for the earliest deadline there was, and looks what is due when it fires.
public final class SystemClock: WebServiceClock {
  /// The clock that the whole process shares.
  public static let shared = SystemClock()

  private struct Entry {
    var deadline: TimeInterval
    var action: @Sendable () -> Void
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var nextIdentifier: UInt64 = 0
    var armedFor: TimeInterval?
  }

  private let state = Locked(State())
  private let source: DispatchTimer

  init() {
    source = DispatchTimer(label: "WebServices.SystemClock")
    source.onFire { [weak self] in self?.runDueActions() }
  }

  /// Seconds since the machine started, its sleep included.
  public var now: TimeInterval { MonotonicTime.seconds }

  /// How many timers wait.
  var pendingCount: Int { state.withLock { $0.entries.count } }

  /// Runs the action once the delay is over, on a serial queue of the clock's.
  public func schedule(
    after delay: TimeInterval, _ action: @escaping @Sendable () -> Void
  ) -> any WebServiceTimer {
    let deadline = now + max(0, delay)
    let identifier = state.withLock { state in
      state.nextIdentifier += 1
      state.entries[state.nextIdentifier] = Entry(deadline: deadline, action: action)
      if state.armedFor.map({ deadline < $0 }) ?? true {
        arm(&state, for: deadline)
      }
      return state.nextIdentifier
    }
    return Timer(clock: self, identifier: identifier)
  }

  private func arm(_ state: inout State, for deadline: TimeInterval) {
    state.armedFor = deadline
    source.schedule(after: deadline - now)
  }

  private func runDueActions() {
    let now = now
    let due: [Entry] = state.withLock { state in
      let dueIdentifiers = state.entries.filter { $0.value.deadline <= now }.map(\.key)
      let due = dueIdentifiers.compactMap { state.entries.removeValue(forKey: $0) }
      state.armedFor = nil
      if let next = state.entries.values.lazy.map(\.deadline).min() {
        arm(&state, for: next)
      }
      return due
    }
    for entry in due.sorted(by: { $0.deadline < $1.deadline }) {
      entry.action()
    }
  }

  private struct Timer: WebServiceTimer {
    let clock: SystemClock
    let identifier: UInt64

    func cancel() {
      let action = clock.state.withLock { $0.entries.removeValue(forKey: identifier) }
      // What the action holds is released here, outside the lock.
      _ = action
    }
  }
}
