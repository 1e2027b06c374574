import Foundation

/// The circuits of all hosts that a service talks to. Call `admit` before a request is sent and `record` after its end,
/// from any thread.
package final class CircuitBreakers: Sendable {
  /// One host's circuit.
  fileprivate struct Entry: Sendable {
    var breaker: CircuitBreaker
    /// The number of the last admission that asked this circuit.
    var lastUse: UInt64 = 0
  }

  fileprivate struct State: Sendable {
    var entries = HostRegistry<Entry>()
    var uses: UInt64 = 0
  }

  private let policy: CircuitBreakerPolicy
  private let clock: any WebServiceClock
  private let random: RandomSource
  /// Guards all circuits. Clock and random source are called without the lock, because an app may supply them.
  private let state = Locked(State())

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
  var count: Int { state.withLock { $0.entries.count } }

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
    if let permit = state.withLock({ $0.permitAtOnce(host, former: former) }) { return permit }
    let now = clock.now
    let admission = state.withLock { state in
      state.askCircuit(of: host, policy: policy, now: now) { breaker in
        if let former, breaker.isCurrent(former) { return .admitted(former) }
        return breaker.admit(now: now)
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
    _ = state.withLock { state in
      state.entries.update(host) { $0.breaker.record(verdict, permit: permit, now: now, chance: chance) }
    }
  }

  /// The state of a host's circuit; closed for an unknown host.
  package func state(of host: String) -> CircuitBreaker.State {
    state.withLock { $0.entries[host]?.breaker.state ?? .closed }
  }
}

extension CircuitBreakers.State {
  /// A permit of a circuit that is closed, or that hasn't changed since the former permit.
  fileprivate mutating func permitAtOnce(
    _ host: String, former: CircuitBreaker.Permit?
  ) -> CircuitBreaker.Permit? {
    uses += 1
    return entries.update(host) { [uses] entry -> CircuitBreaker.Permit? in
      entry.lastUse = uses
      return entry.breaker.permitAtOnce(former: former)
    } ?? nil
  }

  /// Asks the circuit of a host, and keeps the circuit from now on.
  fileprivate mutating func askCircuit(
    of host: String, policy: CircuitBreakerPolicy, now: TimeInterval,
    _ question: (inout CircuitBreaker) -> CircuitBreaker.Admission
  ) -> CircuitBreaker.Admission {
    uses += 1
    if entries.count >= policy.maximumHosts, !entries.contains(host) { makeRoom(now: now) }
    return entries.update(host, orInsert: CircuitBreakers.Entry(breaker: CircuitBreaker(policy))) { [uses] entry in
      entry.lastUse = uses
      return question(&entry.breaker)
    }
  }

  /// Removes hosts without results. If there are none, removes the tenth of the hosts with the oldest requests, so that
  /// making room is rare.
  private mutating func makeRoom(now: TimeInterval) {
    let count = entries.count
    entries.removeAll { $0.breaker.isIdle(now: now) }
    guard entries.count == count else { return }
    let uses = entries.values.map(\.lastUse).sorted().prefix(count / 10 + 1)
    if let last = uses.last { entries.removeAll { $0.lastUse <= last } }
  }
}
