public import Foundation

/// The time that the library lives by: every timeout and every token's expiry asks it, so that a test can turn it.
///
/// It is asked on any thread, the transport's included, so it must not block.
public protocol WebServiceClock: Sendable {
  /// Seconds since some fixed moment. Never goes back, whatever happens to the wall clock, and goes on while the
  /// machine sleeps.
  var now: TimeInterval { get }

  /// Runs the action once `delay` seconds from now, on a queue of the clock's, unless it is cancelled before.
  func schedule(after delay: TimeInterval, _ action: @escaping @Sendable () -> Void) -> any WebServiceTimer
}

/// An action that a clock will run.
public protocol WebServiceTimer: Sendable {
  /// Keeps the action from running, and lets go of it: what it holds is the request. Too late, it does nothing.
  func cancel()
}
