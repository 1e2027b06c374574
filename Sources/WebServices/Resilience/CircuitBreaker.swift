package import Foundation

/// Decides whether a request may be sent to one host, by the results of the host's earlier requests. Ask `admit` before
/// a request is sent, and `record` its result with the permit.
///
/// A pure state machine. Valid transitions are closed to open, and open to open or closed. While an open circuit waits for
/// its probe, it stays open.
/// `now` is a clock's time and never decreases. `CircuitBreakerSession` keeps one circuit for each host.
package struct CircuitBreaker: Sendable, Equatable {
  /// The state of the circuit.
  package enum State: Hashable, Sendable {
    /// Every request is admitted, and its result is counted.
    case closed
    /// No request is admitted until the clock shows this time. Then one request probes the host. While it does, the
    /// circuit stays open for another time.
    case open(until: TimeInterval)
  }

  /// The permission to send one request, which `record` takes together with the result. `record` ignores a permit of an
  /// earlier period, so that a late result doesn't count as a probe's.
  package struct Permit: Hashable, Sendable {
    let period: Int
  }

  /// Whether a request may be sent.
  package enum Admission: Hashable, Sendable {
    /// The request may be sent. Its result has to be recorded with the permit.
    case admitted(Permit)
    /// The request may not be sent for this many seconds, unless a probe closes the circuit sooner.
    case refused(retryAfter: TimeInterval)
  }

  /// Says whether the end of a transfer shows that the host works.
  package enum Verdict: Hashable, Sendable {
    /// The host works, even if it refuses this request.
    case success
    /// The host doesn't respond, or reports a problem of its own.
    case failure
    /// No verdict: the transfer was cancelled, or the failure is on the client's side.
    case none

    /// A response below 500 is a success. Any other response, and every failure of the transport, is a failure.
    /// Failures on the client's side give no verdict. They are a cancelled request, an invalidated session, no network,
    /// an unusable request or file, and a response that is larger than the request allows.
    package init(_ result: Result<WebServiceResponse, TransportError>) {
      switch result {
      case .success(let response): self = response.statusCode < 500 ? .success : .failure
      case .failure(let error):
        switch error.kind {
        case .cancelled, .invalidated, .notConnected, .refused, .invalidRequest, .file, .tooLarge: self = .none
        default: self = .failure
        }
      }
    }
  }

  /// The state of the circuit. The state changes from `open` only when a request asks for admission.
  package private(set) var state = State.closed
  private let policy: CircuitBreakerPolicy
  /// The results of a closed circuit since the window began.
  private var successes = 0
  private var failures = 0
  /// When the results are counted anew.
  private var windowEnd = -TimeInterval.infinity
  /// Counts the changes of the state. A permit of an earlier period is ignored.
  private var period = 0

  /// Creates a closed circuit.
  package init(_ policy: CircuitBreakerPolicy = .standard) {
    self.policy = policy.normalized
  }

  /// Asks whether a request may be sent.
  package mutating func admit(now: TimeInterval) -> Admission {
    switch state {
    case .closed:
      return .admitted(Permit(period: period))
    case .open(let end):
      guard now >= end else { return .refused(retryAfter: end - now) }
      // A probe may never end, for example in a session that loses it. After this time another one replaces it.
      enter(.open(until: now + policy.openDuration))
      return .admitted(Permit(period: period))
    }
  }

  /// Records the end of an admitted request. Each permit is recorded once. A request from before the last change of
  /// state no longer counts.
  ///
  /// - Parameters:
  ///   - verdict: the outcome of the request.
  ///   - permit: the permit with which the request was admitted.
  ///   - now: the clock's time in seconds.
  ///   - chance: a random number from 0 to 1, drawn for each failure, that spreads the end of the open time.
  package mutating func record(_ verdict: Verdict, permit: Permit, now: TimeInterval, chance: Double) {
    guard permit.period == period else { return }
    switch (state, verdict) {
    case (.closed, .success):
      count(success: true, now: now)
    case (.closed, .failure):
      count(success: false, now: now)
      if isFailing { open(now: now, chance: chance) }
    // Only the probe has a permit of the open period.
    case (.open, .success):
      windowEnd = -.infinity
      enter(.closed)
    case (.open, .failure):
      open(now: now, chance: chance)
    // A probe without a verdict, such as a cancelled one, doesn't show whether the host works. The next request probes.
    case (.open, .none):
      enter(.open(until: now))
    case (.closed, .none):
      break
    }
  }

  /// The permit for a request while the circuit is closed, which takes no time; `nil` if `admit(now:)` has to decide.
  var permitWhileClosed: Permit? { state == .closed ? Permit(period: period) : nil }

  /// Whether an admitted request that had to wait may still be sent: the circuit is closed, or hasn't changed since.
  func stillAdmits(_ permit: Permit) -> Bool { state == .closed || permit.period == period }

  private mutating func count(success: Bool, now: TimeInterval) {
    if now >= windowEnd { (successes, failures, windowEnd) = (0, 0, now + policy.window) }
    if success { successes += 1 } else { failures += 1 }
  }

  private var isFailing: Bool {
    let volume = successes + failures
    return volume >= policy.minimumVolume && Double(failures) >= policy.failureRatio * Double(volume)
  }

  private mutating func open(now: TimeInterval, chance: Double) {
    // An app's own random source may return anything. Half the spread replaces a number outside 0 to 1.
    enter(.open(until: now + policy.openDuration * (1 + (chance >= 0 && chance <= 1 ? chance : 0.5) / 2)))
  }

  private mutating func enter(_ next: State) {
    state = next
    period += 1
  }
}
