public import Foundation

/// The machine's clock.
///
/// Every request sets a timer and nearly every one cancels it again, so both cost next to nothing: one dispatch timer is
/// armed for the earliest deadline there was, and looks what is due when it fires.
public final class SystemClock: WebServiceClock {
  /// The clock that the whole process shares.
  public static let shared = SystemClock()

  private let timers: SystemTimers

  init() {
    timers = SystemTimers()
    timers.activate()
  }

  deinit {
    timers.end()
  }

  /// Seconds since the machine started, its sleep included.
  public var now: TimeInterval { MonotonicTime.seconds }

  /// How many timers wait.
  var pendingCount: Int { timers.pendingCount }

  /// Runs the action once the delay is over, on a serial queue of the clock's.
  public func schedule(
    after delay: TimeInterval, _ action: @escaping @Sendable () -> Void
  ) -> any WebServiceTimer {
    timers.add(due: now + max(0, delay), action)
  }
}
