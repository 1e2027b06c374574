public import Foundation
public import WebServicesCore

/// A clock that only a test moves. Pass it to a configuration, wait for the timer that you expect, then
/// ``advance(by:)``. A clock that skips waits advances itself, so that a test of retries needs neither.
public final class VirtualClock: WebServiceClock {
  /// A timer that hasn't fired.
  fileprivate struct Entry: Sendable {
    var deadline: TimeInterval
    var action: @Sendable () -> Void
  }

  fileprivate struct State: Sendable {
    var now: TimeInterval
    var nextIdentifier = 0
    var entries: [Int: Entry] = [:]
  }

  /// Guards time and timers. Actions run without the lock, because they may schedule further actions.
  private let state: Watched<State>

  /// The longest delay that the clock skips.
  private let longestSkip: TimeInterval
  /// Skips one wait after the other, and never inside the call that schedules it.
  private let queue = DispatchQueue(label: "WebServicesTesting.VirtualClock")

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - now: the start time in seconds.
  ///   - longestSkip: the clock advances itself over each wait of at most this many seconds. Choose less than the
  ///     timeouts, which otherwise pass at once too. `nil` skips nothing.
  public init(now: TimeInterval = 0, skippingWaitsUpTo longestSkip: TimeInterval? = nil) {
    state = Watched(State(now: now))
    self.longestSkip = longestSkip ?? -.infinity
  }

  /// The current time in seconds.
  public var now: TimeInterval { state.withLock { $0.now } }

  /// The number of timers that haven't fired.
  public var pendingTimerCount: Int { state.withLock { $0.entries.count } }

  /// Waits until this many timers are scheduled, or the Swift task is cancelled.
  ///
  /// - Parameter count: the number of timers that haven't fired. If there are more already, the method returns at once.
  public func waitForTimers(_ count: Int) async {
    await state.wait { $0.entries.count >= count }
  }

  /// Schedules an action.
  ///
  /// - Parameters:
  ///   - delay: the delay in seconds. A negative delay counts as 0.
  ///   - action: runs once, on the thread that advances the clock so far. The clock releases it once it has run or was
  ///     cancelled.
  /// - Returns: the timer that cancels the action.
  public func schedule(
    after delay: TimeInterval, _ action: @escaping @Sendable () -> Void
  ) -> any WebServiceTimer {
    let identifier = state.withLock { state in
      state.nextIdentifier += 1
      state.entries[state.nextIdentifier] = Entry(deadline: state.now + max(0, delay), action: action)
      return state.nextIdentifier
    }
    if delay <= longestSkip {
      queue.async { [self] in
        guard let deadline = state.withLock({ $0.entries[identifier]?.deadline }) else { return }
        advance(to: deadline)
      }
    }
    return Timer(clock: self, identifier: identifier)
  }

  /// Waits until a timer is due this many seconds from now, to the microsecond, or the Swift task is cancelled.
  public func waitForTimer(after delay: TimeInterval) async {
    await state.wait { state in
      state.entries.values.contains { abs($0.deadline - state.now - delay) < 1e-6 }
    }
  }

  /// Advances the clock and runs all due actions on this thread, in the order of time and to the microsecond. Actions
  /// that are scheduled meanwhile run too if they fall due.
  public func advance(by seconds: TimeInterval) {
    advance(to: now + seconds)
  }

  private func advance(to end: TimeInterval) {
    while let action = state.withLock({ $0.removeNext(until: end) }) { action() }
  }

  private struct Timer: WebServiceTimer {
    let clock: VirtualClock
    let identifier: Int

    func cancel() {
      // The entry's objects are released here, after unlocking.
      _ = clock.state.withLock { $0.entries.removeValue(forKey: identifier) }
    }
  }
}

extension VirtualClock.State {
  fileprivate mutating func removeNext(until end: TimeInterval) -> (@Sendable () -> Void)? {
    // Ten steps of 0.1 add up to less than 1.
    let due = entries.filter { $0.value.deadline <= end + 1e-6 }
    // Timers of the same time fire in the order in which they were scheduled.
    guard let next = due.min(by: { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }) else {
      now = max(now, end)
      return nil
    }
    entries[next.key] = nil
    now = next.value.deadline
    return next.value.action
  }
}
