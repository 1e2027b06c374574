package import Foundation

/// The rest of a rate limit. It needs one number: when the bucket will be full again.
///
/// In any span of time no more than the limit's burst and its rate times the span are let through, to the microsecond.
package struct TokenBucket: Sendable, Equatable {
  /// Waits below this are none: a timer that fires a rounding error too early must not be set again.
  static let tolerance: TimeInterval = 1e-6

  private let interval: TimeInterval
  private let slack: TimeInterval
  private var fullAt: TimeInterval = -.infinity

  /// Creates a full bucket.
  package init(_ limit: RateLimit) {
    let rate = limit.requestsPerSecond.isNaN ? 1_000_000 : min(max(0.001, limit.requestsPerSecond), 1_000_000)
    interval = 1 / rate
    slack = interval * Double(max(1, limit.burst) - 1)
  }

  /// The seconds until a request may go out; 0 where it may now.
  package func wait(now: TimeInterval) -> TimeInterval {
    let wait = fullAt - slack - now
    return wait > Self.tolerance ? wait : 0
  }

  /// Takes what one request needs, unless it has to wait.
  ///
  /// - Returns: the seconds to wait, as `wait(now:)`; 0 where it was taken.
  package mutating func take(now: TimeInterval) -> TimeInterval {
    let wait = wait(now: now)
    if wait == 0 { fullAt = max(fullAt, now) + interval }
    return wait
  }

  /// Whether nothing would be lost with this bucket.
  func isFull(now: TimeInterval) -> Bool { fullAt <= now }
}
