import Foundation

/// The circuits of all hosts that a service talks to. Any thread may use it.
public final class CircuitBreakers: Sendable {
  fileprivate struct Entry {
    var breaker: CircuitBreaker
    /// When it was asked last, in admissions.
    var lastUse: UInt64

    mutating func admit(now: TimeInterval, use: UInt64) -> CircuitBreaker.Admission {
      lastUse = use
      return breaker.admit(now: now)
    }
  }

  fileprivate struct State {
    var entries: [String: Entry] = [:]
    var uses: UInt64 = 0
  }

  private let policy: CircuitBreakerPolicy
  private let clock: any WebServiceClock
  private let random: any RandomSource
  private let state = Locked(State())

  /// Creates circuits that are all closed.
  public init(
    _ policy: CircuitBreakerPolicy = .standard, clock: any WebServiceClock = SystemClock.shared,
    random: any RandomSource = SystemRandomSource()
  ) {
    self.policy = policy.normalized
    self.clock = clock
    self.random = random
  }

  /// How many hosts are kept an eye on.
  var count: Int { state.withLock { $0.entries.count } }

  /// Asks whether a request to the host may go out.
  ///
  /// - Parameter host: the host in lower case, with its port where that isn't the scheme's own.
  /// - Throws: a `CircuitOpenError` where it may not.
  public func admit(host: String) throws(CircuitOpenError) -> CircuitBreaker.Permit {
    let now = clock.now
    switch state.withLock({ $0.admit(host, policy: policy, now: now) }) {
    case .admitted(let permit): return permit
    case .refused(let seconds): throw CircuitOpenError(host: host, retryAfter: seconds)
    }
  }

  /// Tells how a request that was let through has ended; once for each permit, also where it was never sent (`.none`).
  public func record(_ verdict: CircuitBreaker.Verdict, host: String, permit: CircuitBreaker.Permit) {
    let now = clock.now
    // Drawn outside the lock: the source may be anybody's.
    let chance = verdict == .failure ? random.unit : 0
    state.withLock { $0.entries[host]?.breaker.record(verdict, permit: permit, now: now, chance: chance) }
  }

  /// Where a host's circuit stands; closed for a host that isn't known.
  public func state(of host: String) -> CircuitBreaker.State {
    state.withLock { $0.entries[host]?.breaker.state ?? .closed }
  }
}

extension CircuitBreakers.State {
  fileprivate mutating func admit(
    _ host: String, policy: CircuitBreakerPolicy, now: TimeInterval
  ) -> CircuitBreaker.Admission {
    uses += 1
    if let admission = entries[host]?.admit(now: now, use: uses) { return admission }
    if entries.count >= policy.maximumHosts { makeRoom(now: now) }
    var entry = CircuitBreakers.Entry(breaker: CircuitBreaker(policy), lastUse: uses)
    defer { entries[host] = entry }
    return entry.admit(now: now, use: uses)
  }

  /// Forgets hosts without results, and where there is none, the tenth that wasn't asked for longest.
  fileprivate mutating func makeRoom(now: TimeInterval) {
    let count = entries.count
    entries = entries.filter { !$0.value.breaker.isIdle(now: now) }
    guard entries.count == count else { return }
    let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(count / 10 + 1)
    for (host, _) in oldest { entries[host] = nil }
  }
}
