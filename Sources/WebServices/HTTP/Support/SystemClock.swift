public import Foundation

/// The clock of a service. Every timeout and every token's expiry uses it, so that a test can advance it.
///
/// Any thread may call a clock, also a transport's, so a clock must not block.
public protocol WebServiceClock: Sendable {
  /// The seconds since a fixed moment. The value never decreases, even if the wall clock does, and increases while the
  /// machine sleeps.
  var now: TimeInterval { get }

  /// Runs an action after a delay, unless it is cancelled before.
  ///
  /// - Parameters:
  ///   - delay: the delay in seconds.
  ///   - action: runs once, on a queue of the clock's. It retains the request, so release it once it has run or was
  ///     cancelled.
  /// - Returns: the timer that cancels the action.
  func schedule(after delay: TimeInterval, _ action: @escaping @Sendable () -> Void) -> any WebServiceTimer
}

/// An action that a clock will run.
public protocol WebServiceTimer: Sendable {
  /// Cancels the action and releases it, because it retains the request. Does nothing once the action has run.
  func cancel()
}

/// Runs timers with the machine's clock, which never goes back.
///
/// Every request sets a timer and nearly every request cancels it again, so both must be cheap. One dispatch timer is
/// armed for the earliest deadline, and checks for due actions when it fires.
///
/// Unchecked, because `DispatchSourceTimer` isn't `Sendable`, although libdispatch locks `source`.
public final class SystemClock: WebServiceClock, @unchecked Sendable {
  struct State: Sendable {
    /// The actions to run, by their numbers.
    var entries: [UInt64: (deadline: TimeInterval, action: @Sendable () -> Void)] = [:]
    var lastNumber: UInt64 = 0
    /// When the dispatch timer fires; infinite if it isn't armed.
    var armedFor = TimeInterval.infinity

    /// The seconds to set the dispatch timer to when a deadline is added; `nil` if the timer stays as it is.
    mutating func arm(for deadline: TimeInterval, now: TimeInterval) -> TimeInterval? {
      // The dispatch timer doesn't count the machine's sleep. If it should have fired already, it is late by the sleep.
      guard deadline < armedFor || armedFor < now else { return nil }
      // Thus a sleep makes no action late by more than 10 seconds.
      armedFor = max(now, min(deadline, armedFor, now + 10))
      return armedFor - now
    }

    /// Removes the entries that are due, and returns them in the order of their deadlines.
    mutating func takeDue(now: TimeInterval) -> [(deadline: TimeInterval, action: @Sendable () -> Void)] {
      let due = entries.filter { $0.value.deadline <= now }
      for number in due.keys { entries[number] = nil }
      // Frees a large table. Another table for each timer would make all timers late.
      if entries.capacity > 8 * entries.count + 64 { entries = [:].merging(entries) { $1 } }
      // Several actions may be due after a sleep of the machine, and `entries` has no order.
      return due.values.sorted { $0.deadline < $1.deadline }
    }
  }

  /// The clock that the whole process shares.
  public static let shared = SystemClock()

  /// Guards the entries, and the order in which the dispatch timer is armed. Actions run outside of it.
  private let state = Locked(State())
  private let source = DispatchSource.makeTimerSource(
    queue: DispatchQueue(label: "WebServices.SystemClock", qos: .userInitiated))

  private init() {
    source.setEventHandler { [self] in runDueActions() }
    source.activate()
  }

  /// Seconds since the machine started, its sleep included.
  public var now: TimeInterval { MonotonicTime.seconds }

  /// Runs an action after a delay.
  ///
  /// - Parameters:
  ///   - delay: the delay in seconds. A negative delay counts as 0.
  ///   - action: runs once, on a serial queue of the clock's, so it must return at once. The clock releases the action
  ///     once it has run or was cancelled.
  /// - Returns: the timer that cancels the action.
  public func schedule(after delay: TimeInterval, _ action: @escaping @Sendable () -> Void) -> any WebServiceTimer {
    let now = now
    let deadline = now + max(0, delay)
    let number = state.withLock { state in
      arm(&state, for: deadline, now: now)
      state.lastNumber += 1
      state.entries[state.lastNumber] = (deadline, action)
      return state.lastNumber
    }
    return Timer(number: number)
  }

  /// Sets the dispatch timer. Called with the lock held, so that a later deadline can't replace an earlier one.
  private func arm(_ state: inout State, for deadline: TimeInterval, now: TimeInterval) {
    guard let delay = state.arm(for: deadline, now: now) else { return }
    // Without this, dispatch's leeway would be a tenth of the delay.
    // An `Int` of nanoseconds would trap after two seconds on a watch, where it has 32 bits.
    source.schedule(deadline: .now() + delay, leeway: .milliseconds(1))
  }

  private func runDueActions() {
    let now = MonotonicTime.seconds
    let due = state.withLock { state in
      let due = state.takeDue(now: now)
      state.armedFor = .infinity
      if let next = state.entries.values.lazy.map(\.deadline).min() { arm(&state, for: next, now: now) }
      return due
    }
    for entry in due { entry.action() }
  }

  /// Without a reference to the clock, whose references all threads would count.
  private struct Timer: WebServiceTimer {
    let number: UInt64

    func cancel() {
      // The dispatch timer stays armed, so that cancelling is cheap. If nothing is due, it is armed for the next
      // deadline. The entry's action is released outside the lock.
      _ = SystemClock.shared.state.withLock { $0.entries.removeValue(forKey: number) }
    }
  }
}

/// The time since the machine started, including its sleep, because a token also expires while a laptop is closed.
package enum MonotonicTime {
  package static var seconds: TimeInterval {
    var time = timespec()
    clock_gettime(Platform.clockWithSleep, &time)
    return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
  }
}
