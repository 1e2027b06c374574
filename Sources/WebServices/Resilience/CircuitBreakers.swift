import Foundation

/// The circuits of all hosts that a service talks to. Any thread may use it.
public final class CircuitBreakers: Sendable {
  /// One host's circuit. The lock of `state` guards everything in it.
  fileprivate final class Entry: @unchecked Sendable {
    let host: String
    var breaker: CircuitBreaker
    /// When it was asked last, in admissions.
    var lastUse: UInt64 = 0

    init(host: String, policy: CircuitBreakerPolicy) {
      self.host = host
      breaker = CircuitBreaker(policy)
    }
  }

  fileprivate struct State: Sendable {
    var entries: [String: Entry] = [:]
    /// The entry that was asked for last: most requests go to the same host.
    var last: Entry?
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
    try admit(host: host, now: clock.now)
  }

  /// The same at a moment that the clock has just shown.
  func admit(host: String, now: TimeInterval) throws(CircuitOpenError) -> CircuitBreaker.Permit {
    switch state.withLock({ $0.use(host, policy: policy, now: now).admit(now: now) }) {
    case .admitted(let permit): return permit
    case .refused(let seconds): throw CircuitOpenError(host: host, retryAfter: seconds)
    }
  }

  /// Asks again for a request that was let through and had to wait before it went out.
  ///
  /// - Returns: what it is let through with now.
  func renew(
    _ permit: CircuitBreaker.Permit, host: String, now: TimeInterval
  ) throws(CircuitOpenError) -> CircuitBreaker.Permit {
    switch state.withLock({ $0.use(host, policy: policy, now: now).renew(permit, now: now) }) {
    case .admitted(let permit): return permit
    case .refused(let seconds): throw CircuitOpenError(host: host, retryAfter: seconds)
    }
  }

  /// Tells how a request that was let through has ended; once for each permit, also where it was never sent (`.none`).
  public func record(_ verdict: CircuitBreaker.Verdict, host: String, permit: CircuitBreaker.Permit) {
    let now = clock.now
    // Drawn outside the lock: the source may be anybody's.
    let chance = verdict == .failure ? random.unit : 0
    state.withLock { $0.entry(host)?.breaker.record(verdict, permit: permit, now: now, chance: chance) }
  }

  /// Where a host's circuit stands; closed for a host that isn't known.
  public func state(of host: String) -> CircuitBreaker.State {
    state.withLock { $0.entries[host]?.breaker.state ?? .closed }
  }
}

extension CircuitBreakers.Entry {
  fileprivate func admit(now: TimeInterval) -> CircuitBreaker.Admission { breaker.admit(now: now) }

  fileprivate func renew(_ permit: CircuitBreaker.Permit, now: TimeInterval) -> CircuitBreaker.Admission {
    breaker.isCurrent(permit) ? .admitted(permit) : breaker.admit(now: now)
  }
}

extension CircuitBreakers.State {
  fileprivate func entry(_ host: String) -> CircuitBreakers.Entry? {
    if let last, last.host == host { return last }
    return entries[host]
  }

  /// The entry of a host that a request goes to, made where there is none yet.
  fileprivate mutating func use(
    _ host: String, policy: CircuitBreakerPolicy, now: TimeInterval
  ) -> CircuitBreakers.Entry {
    uses += 1
    let entry = entry(host) ?? makeEntry(host, policy: policy, now: now)
    entry.lastUse = uses
    last = entry
    return entry
  }

  private mutating func makeEntry(
    _ host: String, policy: CircuitBreakerPolicy, now: TimeInterval
  ) -> CircuitBreakers.Entry {
    if entries.count >= policy.maximumHosts { makeRoom(now: now) }
    let entry = CircuitBreakers.Entry(host: host, policy: policy)
    entries[host] = entry
    return entry
  }

  /// Forgets hosts without results, and where there is none, the tenth that wasn't asked for longest.
  private mutating func makeRoom(now: TimeInterval) {
    last = nil
    let count = entries.count
    entries = entries.filter { !$0.value.breaker.isIdle(now: now) }
    guard entries.count == count else { return }
    let oldest = entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(count / 10 + 1)
    for (host, _) in oldest { entries[host] = nil }
  }
}
