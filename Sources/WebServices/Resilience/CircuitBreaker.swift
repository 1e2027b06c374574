package import Foundation

/// Decides whether a request may be sent to one host, by the results of the host's earlier requests. Ask `admit` before
/// a request is sent, and `record` its result with the permit.
///
/// A pure state machine. Valid transitions are closed to open, and open to open or closed. While an open circuit waits
/// for its probes, it stays open. `now` is a clock's time and never decreases. `CircuitBreakerSession` keeps one
/// circuit for each host.
package struct CircuitBreaker: Sendable, Equatable {
  /// When the next request probes the host; `nil` while the circuit is closed, and every request is admitted. While a
  /// request probes the host, the circuit stays open for another time.
  package private(set) var openUntil: TimeInterval?
  /// Counts the changes of the state. The period is also the permission to send a request, which `record` takes
  /// together with the result. A permit of an earlier period is ignored, so that a late result doesn't count as a
  /// probe's.
  private(set) var period = 0
  private let policy: CircuitBreakerPolicy
  /// The results of a closed circuit since the window began.
  private var successes = 0
  private var failures = 0
  /// When the results are counted anew.
  private var windowEnd = -TimeInterval.infinity

  /// Creates a closed circuit.
  package init(_ policy: CircuitBreakerPolicy = .standard) { self.policy = policy.normalized }

  /// The permit for a request; `nil` if the circuit is open. The result of an admitted request has to be recorded.
  package mutating func admit(now: TimeInterval) -> Int? {
    guard let end = openUntil else { return period }
    guard now >= end else { return nil }
    // A probe may never end, for example in a session that loses it. After this time another request probes too.
    openUntil = now + policy.openDuration
    return period
  }

  /// Records the end of an admitted request. Each permit is recorded once. A request from before the last change of
  /// state no longer counts.
  ///
  /// - Parameters:
  ///   - isWorking: whether the end shows that the host works; `nil` if it shows nothing.
  ///   - permit: the permit with which the request was admitted.
  ///   - now: the clock's time in seconds.
  ///   - chance: a random number from 0 to 1, drawn for each failure, that spreads the end of the open time.
  package mutating func record(_ isWorking: Bool?, permit: Int, now: TimeInterval, chance: Double) {
    guard permit == period else { return }
    switch (openUntil, isWorking) {
    case (nil, let isWorking?):
      if now >= windowEnd { (successes, failures, windowEnd) = (0, 0, now + policy.window) }
      if isWorking { successes += 1 } else { failures += 1 }
      let volume = successes + failures
      guard !isWorking, volume >= policy.minimumVolume, Double(failures) >= policy.failureRatio * Double(volume)
      else { return }
      open(now: now, chance: chance)
    case (nil, nil): break
    // Only probes have a permit of the open period. The first of them to end decides, however long it took.
    case (_, true?): (openUntil, windowEnd, period) = (nil, -.infinity, period + 1)
    case (_, false?): open(now: now, chance: chance)
    // A probe without a verdict, such as a cancelled one, doesn't show whether the host works. The next request probes.
    case (_, nil): openUntil = now
    }
  }

  private mutating func open(now: TimeInterval, chance: Double) {
    openUntil = now + policy.openDuration * (1 + chance / 2)
    period += 1
  }
}

extension TransferResult {
  /// Whether the end of a transfer shows that the host works, even if it refuses this request; `nil` if it shows
  /// nothing.
  ///
  /// A response below 500 shows that it works. Any other response, and every failure of the transport, shows that it
  /// doesn't. Failures on the client's side show nothing. They are a cancelled request, an invalidated session, no
  /// network, an unusable request or file, and a response that is larger than the request allows.
  package var showsWorkingHost: Bool? {
    switch self {
    case .success(let response): response.statusCode < 500
    case .failure(let error):
      switch error.kind {
      case .cancelled, .invalidated, .notConnected, .refusedBySession, .invalidRequest, .file, .tooLarge: nil
      default: false
      }
    }
  }
}
