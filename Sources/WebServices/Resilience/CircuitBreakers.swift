import Foundation

/// The circuits of all hosts that a service talks to. Call `admit` before a request is sent and `record` after its end,
/// from any thread.
package final class CircuitBreakers: Sendable {
  private let policy: CircuitBreakerPolicy
  private let clock: any WebServiceClock
  private let random: RandomSource
  /// Guards all circuits. Clock and random source are called without the lock, because an app may supply them.
  private let circuits = Locked(HostRegistry<CircuitBreaker>())

  /// Creates circuits that are all closed.
  package init(
    _ policy: CircuitBreakerPolicy = .standard, clock: any WebServiceClock = SystemClock.shared,
    random: RandomSource = .system
  ) {
    self.policy = policy.normalized
    self.clock = clock
    self.random = random
  }

  /// How many hosts are watched.
  var count: Int { circuits.withLock { $0.count } }

  /// Asks whether a request to the host may be sent.
  ///
  /// - Parameters:
  ///   - host: the host in lower case, with its port unless that is the default port.
  ///   - former: the permit of an admitted request that had to wait since. It stays valid while the circuit doesn't
  ///     change.
  /// - Throws: a `CircuitOpenError` if the request may not be sent.
  package func admit(
    host: String, former: CircuitBreaker.Permit? = nil
  ) throws(CircuitOpenError) -> CircuitBreaker.Permit {
    // Most circuits are closed and need no clock.
    if let permit = circuits.withLock({ $0[host]?.permitAtOnce(former: former) }) { return permit }
    let now = clock.now
    let admission = circuits.withLock { circuits -> CircuitBreaker.Admission in
      if circuits.count >= policy.maximumHosts, !circuits.contains(host) { Self.makeRoom(in: &circuits) }
      return circuits.update(host, orInsert: CircuitBreaker(policy)) { circuit in
        if let former, circuit.isCurrent(former) { return .admitted(former) }
        return circuit.admit(now: now)
      }
    }
    switch admission {
    case .admitted(let permit): return permit
    case .refused(let seconds): throw CircuitOpenError(host: host, retryAfter: seconds)
    }
  }

  /// Records the end of an admitted request. Call this once for each permit, even if the request was never sent
  /// (`.none`).
  package func record(_ verdict: CircuitBreaker.Verdict, host: String, permit: CircuitBreaker.Permit) {
    let now = clock.now
    // Drawn outside the lock, because an app may supply the source.
    let chance = verdict == .failure ? random.unit : 0
    _ = circuits.withLock { circuits in
      circuits.update(host) { $0.record(verdict, permit: permit, now: now, chance: chance) }
    }
  }

  /// The state of a host's circuit; closed for an unknown host.
  package func state(of host: String) -> CircuitBreaker.State {
    circuits.withLock { $0[host]?.state ?? .closed }
  }

  /// Forgets the closed circuits and their results; all circuits if none is closed.
  private static func makeRoom(in circuits: inout HostRegistry<CircuitBreaker>) {
    let count = circuits.count
    circuits.removeAll { $0.state == .closed }
    if circuits.count == count { circuits = HostRegistry() }
  }
}
