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
