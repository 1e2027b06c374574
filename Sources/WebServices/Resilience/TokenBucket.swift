package import Foundation

/// Counts requests against a rate limit. `wait` says how long the next request has to wait, and `take` counts it.
///
/// The state is one number: the time when the bucket will be full again (the generic cell rate algorithm). In any span
/// of time, at most the limit's burst and its rate times the span are let through, to the microsecond.
package struct TokenBucket: Sendable, Equatable {
  /// Shorter waits count as 0: a timer that fires a rounding error too early must not be set again.
  static let tolerance: TimeInterval = 1e-6

  /// The seconds that one request takes from the bucket.
  private let interval: TimeInterval
  /// How far in the future `fullAt` may lie when a request is sent: the burst without this request.
  private let slack: TimeInterval
  private var fullAt: TimeInterval = -.infinity

  /// Creates a full bucket.
  package init(_ limit: RequestLimits.Rate) {
    // NaN becomes the lower bound.
    interval = 1 / min(max(0.001, limit.requestsPerSecond), 1_000_000)
    slack = interval * Double(max(1, limit.burst) - 1)
  }

  /// The seconds until a request may be sent; 0 if it may be sent now.
  package func wait(now: TimeInterval) -> TimeInterval {
    let wait = fullAt - slack - now
    return wait > Self.tolerance ? wait : 0
  }

  /// Counts one request, unless the request has to wait.
  ///
  /// - Returns: the seconds to wait, as `wait(now:)`; 0 if the request was counted.
  package mutating func take(now: TimeInterval) -> TimeInterval {
    let wait = wait(now: now)
    if wait == 0 { fullAt = max(fullAt, now) + interval }
    return wait
  }

  /// Whether the bucket is full, so that it can be forgotten.
  func isFull(now: TimeInterval) -> Bool { fullAt <= now }
}
