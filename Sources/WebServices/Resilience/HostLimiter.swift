package import Foundation

/// One host's permits and queue. `nextStep` says what to do for waiting requests. `now` is a clock's time and never
/// decreases. Pure: the limiter calls each method with its lock held.
struct HostLimiter: Sendable {
  /// The next step of the limiter, to be done after unlocking.
  enum Step {
    /// Call the handler with a permit, then ask for the next step.
    case grant(RequestLimiter.Handler)
    /// Set the timer for this many seconds.
    case wait(TimeInterval, TaskCancellation)
  }

  /// The most requests in flight.
  private let permits: Int
  /// The requests per second; `nil` without such a limit.
  private var bucket: TokenBucket?
  /// The handlers of the requests that wait, by their tickets.
  var queue = WaitingQueue<Int, RequestLimiter.Handler>(priorities: RequestOptions.Priority.allCases.count)
  /// The permits in use.
  private(set) var inFlight = 0
  /// Until when the server accepts no request.
  var pausedUntil: TimeInterval = -.infinity
  /// Whether a thread is handing out permits.
  private var isDraining = false
  /// Cancels the timer; `nil` without one. No permit is ever free before the timer fires: the rate limit and the pause
  /// only move to later times.
  var timer: TaskCancellation?

  init(_ limits: RequestLimits) {
    permits = limits.concurrentRequestsPerHost.map { max(1, $0) } ?? .max
    bucket = limits.rate.map(TokenBucket.init)
  }

  /// Whether the host has nothing to remember: a new `HostLimiter` would behave in the same way.
  func isIdle(now: TimeInterval) -> Bool {
    queue.isEmpty && inFlight == 0 && !isDraining && pausedUntil <= now && bucket?.isFull(now: now) != false
  }

  /// Takes a free permit; `false` without one.
  mutating func takePermit(now: TimeInterval) -> Bool {
    guard inFlight < permits, wait(now: now) == 0 else { return false }
    bucket?.take(now: now)
    inFlight += 1
    return true
  }

  /// - Returns: whether a request waits for the permit.
  mutating func releasePermit() -> Bool {
    inFlight -= 1
    return !queue.isEmpty
  }

  /// The next step for waiting requests; `nil` if there is none. One thread at a time drains the queue, and looks again
  /// before it ends. Other threads have nothing to do.
  mutating func nextStep(isDraining: Bool, now: TimeInterval) -> Step? {
    guard isDraining || !self.isDraining else { return nil }
    self.isDraining = false
    guard !queue.isEmpty else { return nil }
    if takePermit(now: now), let onReady = queue.popFirst() {
      self.isDraining = true
      return .grant(onReady)
    }
    // A permit that is in use is released, and a timer that is set fires.
    guard inFlight < permits, timer == nil else { return nil }
    let timer = TaskCancellation()
    self.timer = timer
    return .wait(wait(now: now), timer)
  }

  /// Takes a ticket out of the queue.
  ///
  /// - Returns: the handler to release and the timer to cancel after unlocking; `nil` if the ticket doesn't wait.
  mutating func cancel(_ ticket: Int) -> (onReady: RequestLimiter.Handler, timer: TaskCancellation?)? {
    guard let onReady = queue.remove(ticket) else { return nil }
    // Nobody is left to wait for the timer.
    return (onReady, queue.isEmpty ? timer.take() : nil)
  }

  /// The seconds until the rate limit and the pause let a request through.
  private func wait(now: TimeInterval) -> TimeInterval {
    let pause = pausedUntil - now
    return max(pause > TokenBucket.tolerance ? pause : 0, bucket?.wait(now: now) ?? 0)
  }
}

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

  /// Counts a request that is sent now, because `wait(now:)` is 0.
  package mutating func take(now: TimeInterval) { fullAt = max(fullAt, now) + interval }

  /// Whether the bucket is full, so that it can be forgotten.
  func isFull(now: TimeInterval) -> Bool { fullAt <= now }
}
