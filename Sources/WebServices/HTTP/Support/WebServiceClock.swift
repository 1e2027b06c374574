public import Foundation

/// The clock of a service. Every timeout and every token's expiry uses it, so that a test can advance it.
///
/// Any thread may call a clock, also a transport's, so a clock must not block.
public protocol WebServiceClock: Sendable {
  /// The seconds since a fixed moment. The value never decreases, even if the wall clock does, and increases while the
  /// machine sleeps.
  var now: TimeInterval { get }

  /// Runs the action once `delay` seconds from now, on a queue of the clock's, unless it is cancelled before.
  func schedule(after delay: TimeInterval, _ action: @escaping @Sendable () -> Void) -> any WebServiceTimer
}

/// An action that a clock will run.
public protocol WebServiceTimer: Sendable {
  /// Cancels the action and releases it, because it retains the request. Does nothing once the action has run.
  func cancel()
}
