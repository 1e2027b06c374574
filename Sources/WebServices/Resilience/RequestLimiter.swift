import Foundation

/// Holds requests back until their host may get another one. It limits requests in flight and requests per second, and
/// pauses a host that accepts none. Call `acquire`, send when `onReady` is called, then release the host's permit. Any
/// thread may use it.
///
/// Waiting requests go by priority, see `WaitingQueue`.
final class RequestLimiter: Sendable {
  typealias Handler = @Sendable () -> Void

  struct State: Sendable {
    fileprivate(set) var hosts: [String: HostLimiter] = [:]
    /// The number of hosts from which on idle hosts are removed.
    private var sweepCount = 64
    /// The ticket of the request that came last. A host that was removed and comes back reuses no ticket.
    fileprivate var lastTicket = 0

    /// Changes the state of a host, which is made if necessary.
    fileprivate mutating func update<Output>(
      _ host: String, _ limits: RequestLimits, now: TimeInterval, _ body: (inout HostLimiter) -> Output
    ) -> Output {
      if hosts.count >= sweepCount {
        hosts = hosts.filter { !$0.value.isIdle(now: now) }
        // The number of hosts has to double before the next sweep, so that it costs each request next to nothing.
        sweepCount = max(64, hosts.count * 2)
      }
      return hosts.update(host, default: HostLimiter(limits), body)
    }
  }

  let limits: RequestLimits
  private let clock: any WebServiceClock
  /// Guards all hosts. Clock, timers and handlers are called without the lock. A host is kept while a request waits for
  /// it or has a permit.
  let state = Locked(State())

  init(_ limits: RequestLimits, clock: any WebServiceClock) {
    self.limits = limits
    self.clock = clock
  }

  /// Requests a permit.
  ///
  /// - Parameters:
  ///   - host: the host in lower case, with its port unless that is the default port.
  ///   - onReady: called once the request has a permit, unless the ticket was cancelled. Release the permit. The
  ///     handler runs before this call returns, or later on a thread that releases a permit or on the clock's. It has
  ///     to return at once.
  /// - Returns: the request's ticket in the queue of the host.
  @discardableResult
  func acquire(host: String, priority: RequestOptions.Priority = .normal, onReady: @escaping Handler) -> Int {
    let now = clock.now
    let ticket = state.withLock { state in
      let ticket = state.lastTicket.increment()
      state.update(host, limits, now: now) { $0.queue.append(onReady, for: ticket, priority: priority.rawValue) }
      return ticket
    }
    grantPermits(at: host)
    return ticket
  }

  /// Takes a free permit that no request waits for; `false` without one. Release it with `release`.
  func acquireIfFree(host: String, now: TimeInterval) -> Bool {
    state.withLock { $0.update(host, limits, now: now) { $0.queue.isEmpty && $0.takePermit(now: now) } }
  }

  /// Takes a request out of the queue.
  ///
  /// - Returns: whether the request still waited: `onReady` then never runs.
  @discardableResult
  func cancel(_ ticket: Int, host: String) -> Bool {
    let former = state.withLock { $0.hosts[host]?.cancel(ticket) }
    former?.timer?.cancel()
    // The handler is released here, outside the lock.
    return former != nil
  }

  /// Releases a permit of a host. Call this once for each.
  func release(_ host: String) {
    if state.withLock({ $0.hosts.update(host) { $0.releasePermit() } }) == true { grantPermits(at: host) }
  }

  /// Sends nothing to the host for this many seconds, at most `serverWaitLimit`.
  func pause(_ host: String, for seconds: TimeInterval) {
    // Compared with 0, because it may be NaN, with which `min` would set no limit.
    guard limits.serverWaitLimit > 0 else { return }
    let now = clock.now
    let end = now + min(seconds, limits.serverWaitLimit)
    state.withLock { $0.update(host, limits, now: now) { $0.pausedUntil = max($0.pausedUntil, end) } }
  }

  /// Grants the free permits of a host to waiting requests.
  ///
  /// Only one thread at a time grants permits of a host. A handler may release its permit at once, and granting the
  /// next permit from within that call, again and again, would overflow the stack.
  private func grantPermits(at host: String) {
    var isDraining = false
    while true {
      let now = clock.now
      switch state.withLock({ $0.hosts[host]?.nextStep(isDraining: isDraining, now: now) }) {
      case .grant(let onReady):
        isDraining = true
        onReady()
      case .wait(let seconds, let cancellation):
        // Weak, because a clock may hold the timer for longer than the service lives.
        let timer = clock.schedule(after: seconds) { [weak self] in
          self?.state.withLock { $0.hosts[host]?.timer = nil }
          self?.grantPermits(at: host)
        }
        return cancellation.set { timer.cancel() }
      case nil: return
      }
    }
  }
}
