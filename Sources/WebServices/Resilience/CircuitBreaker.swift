package import Foundation

/// One host's circuit: closed while the host does its work, open while it is left alone, half-open while it is probed.
///
/// A pure state machine; `now` is what a clock shows and never goes back. `CircuitBreakers` keeps one for each host.
package struct CircuitBreaker: Sendable, Equatable {
  /// Where the circuit stands.
  package enum State: Hashable, Sendable {
    /// Everything goes through and is counted.
    case closed
    /// Nothing goes through until the clock shows this.
    case open(until: TimeInterval)
    /// Probes go through; the rest has to wait for what becomes of them.
    case halfOpen
  }

  /// Admits one request, and is recorded with its result. A result of an earlier period can't be taken for a probe's.
  package struct Permit: Hashable, Sendable {
    let period: Int
  }

  /// Whether a request may go out.
  package enum Admission: Hashable, Sendable {
    /// It may; its result has to be recorded with the permit.
    case admitted(Permit)
    /// It may not, for so many seconds more; 0 where the host is being probed.
    case refused(retryAfter: TimeInterval)
  }

  /// The conclusion from a transfer about its host.
  package enum Verdict: Hashable, Sendable {
    /// The host does its work, even where it refuses this request.
    case success
    /// The host doesn't answer, or says that it is in trouble.
    case failure
    /// Nothing: the exchange was cancelled, or what failed is on this side.
    case none

    /// Every answer below 500 is a success, every other one and every failure of the transport's is a failure, but for
    /// those on this side: cancelled, invalidated, no network, a request or a file that can't be used, and an answer
    /// that is larger than the request allows.
    package init(_ result: Result<WebServiceResponse, TransportError>) {
      switch result {
      case .success(let response): self.init(statusCode: response.statusCode)
      case .failure(let error): self.init(error)
      }
    }

    init(statusCode: Int) {
      self = statusCode < 500 ? .success : .failure
    }

    init(_ error: TransportError) {
      switch error.kind {
      case .cancelled, .invalidated, .notConnected, .circuitOpen, .invalidRequest, .file, .tooLarge: self = .none
      default: self = .failure
      }
    }
  }

  /// Where the circuit stands. It leaves `open` when a request asks, not by itself.
  package private(set) var state = State.closed
  private let policy: CircuitBreakerPolicy
  private var window: FailureWindow
  /// Counts the changes of the state.
  private var period = 0
  private var probesLeft = 0
  private var probesSucceeded = 0
  /// When the last probe went out.
  private var lastProbe: TimeInterval = 0

  /// Creates a closed circuit.
  package init(_ policy: CircuitBreakerPolicy = .standard) {
    self.policy = policy.normalized
    window = FailureWindow(length: self.policy.window)
  }

  /// Asks whether a request may go out.
  package mutating func admit(now: TimeInterval) -> Admission {
    switch state {
    case .closed:
      return .admitted(Permit(period: period))
    case .open(let end):
      guard now >= end else { return .refused(retryAfter: end - now) }
      enter(.halfOpen)
      probesLeft = policy.probes
      probesSucceeded = 0
      return admitProbe(now: now)
    case .halfOpen:
      // A probe that has told nothing for so long may never do: another one goes out in its place.
      if probesLeft == 0, now - lastProbe >= policy.openDuration { probesLeft = 1 }
      return admitProbe(now: now)
    }
  }

  /// Tells how a request that was let through has ended. Each permit is recorded once; what came of a request from
  /// before the last change of state doesn't count any more.
  ///
  /// - Parameters:
  ///   - verdict: how the request ended.
  ///   - permit: what it was let through with.
  ///   - now: what the clock shows, in seconds.
  ///   - chance: a number from 0 to 1, drawn anew for each failure, that spreads the end of the open time.
  package mutating func record(_ verdict: Verdict, permit: Permit, now: TimeInterval, chance: Double) {
    guard permit.period == period else { return }
    switch (state, verdict) {
    case (.closed, .success):
      window.count(failure: false, now: now)
    case (.closed, .failure):
      window.count(failure: true, now: now)
      if isFailing(now: now) { open(now: now, chance: chance) }
    case (.halfOpen, .success):
      probesSucceeded += 1
      if probesSucceeded >= policy.probes { close() }
    case (.halfOpen, .failure):
      open(now: now, chance: chance)
    case (.halfOpen, .none):
      probesLeft += 1
    case (.closed, .none), (.open, _):
      break
    }
  }

  /// Whether the state is still that in which the permit was given.
  func isCurrent(_ permit: Permit) -> Bool { permit.period == period }

  /// A permit that needs no time: the circuit is closed, or hasn't changed since the former permit.
  func permitAtOnce(former: Permit?) -> Permit? {
    state == .closed || former.map(isCurrent) == true ? Permit(period: period) : nil
  }

  /// Whether nothing would be lost with this breaker: it is closed and has nothing to count.
  func isIdle(now: TimeInterval) -> Bool {
    state == .closed && window.totals(now: now) == (0, 0)
  }

  private mutating func admitProbe(now: TimeInterval) -> Admission {
    guard probesLeft > 0 else { return .refused(retryAfter: 0) }
    probesLeft -= 1
    lastProbe = now
    return .admitted(Permit(period: period))
  }

  private func isFailing(now: TimeInterval) -> Bool {
    let totals = window.totals(now: now)
    let volume = totals.successes + totals.failures
    return volume >= policy.minimumVolume && Double(totals.failures) >= policy.failureRatio * Double(volume)
  }

  private mutating func open(now: TimeInterval, chance: Double) {
    enter(.open(until: now + policy.openDuration * (1 + (chance >= 0 && chance <= 1 ? chance : 0.5) / 2)))
  }

  private mutating func close() {
    window.clear()
    enter(.closed)
  }

  private mutating func enter(_ next: State) {
    state = next
    period += 1
  }
}
