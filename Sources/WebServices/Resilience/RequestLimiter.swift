import Foundation

/// Holds requests back until their host may get another one. It limits requests in flight and requests per second, and
/// pauses a host that accepts none. Call `acquire`, send when `onReady` is called, then release the permit. Any thread
/// may use it.
///
/// Waiting requests go by priority, see `TicketQueue`. Adding, granting and cancelling cost the same however many wait.
final class RequestLimiter: Sendable {
  typealias Handler = @Sendable (Permit) -> Void

  private let limits: RequestLimits
  private let clock: any WebServiceClock
  /// Guards all hosts and every ticket's `onReady`. Clock, timers and handlers are called without the lock.
  fileprivate let state: Locked<RequestLimiterState>

  init(_ limits: RequestLimits, clock: any WebServiceClock) {
    self.limits = limits
    self.clock = clock
    state = Locked(RequestLimiterState(limits: limits))
  }

  /// How many requests wait, at all hosts together.
  var waitingCount: Int { state.withLock { $0.hosts.values.reduce(0) { $0 + $1.queue.count } } }
  /// How many permits are in use.
  var inFlightCount: Int { state.withLock { $0.hosts.values.reduce(0) { $0 + $1.inFlight } } }
  /// The number of simultaneous requests to one host; `nil` for no limit.
  var permitsPerHost: Int? { limits.maximumConcurrentRequestsPerHost }
  /// How many hosts are kept.
  var hostCount: Int { state.withLock { $0.hosts.count } }

  /// Requests a permit.
  ///
  /// - Parameters:
  ///   - host: the host in lower case, with its port unless that is the default port.
  ///   - onReady: called once the request may be sent, unless the ticket was cancelled. Release the permit that it
  ///     receives. It runs before this call returns, or later on a thread that releases a permit or on the clock's. It
  ///     has to return at once.
  /// - Returns: the request's place in the queue.
  @discardableResult
  func acquire(
    host: String, priority: RequestOptions.Priority = .normal, onReady: @escaping Handler
  ) -> Ticket {
    let now = clock.now
    let ticket = state.withLock { state in
      let ticket = Ticket(limiter: self, host: host, priority: priority, onReady: onReady)
      state.keep(host, now: now)
      _ = state.update(host) { $0.queue.append(ticket) }
      return ticket
    }
    grantPermits(at: host)
    return ticket
  }

  /// Takes a free permit that no request waits for; `nil` without one. Release it with `release`.
  func acquireIfFree(host: String, now: TimeInterval) -> Permit? {
    state.withLock { state in
      state.keep(host, now: now)
      return state.update(host) { $0.takePermit(now: now) } == true ? Permit(host: host) : nil
    }
  }

  /// Releases a permit. Call this once for each.
  func release(_ permit: Permit) {
    if state.withLock({ $0.update(permit.host) { $0.releasePermit() } }) == true { grantPermits(at: permit.host) }
  }

  /// Sends nothing to the host for this many seconds, at most `longestServerWait`.
  func pause(_ host: String, for seconds: TimeInterval) {
    // Both are compared with 0, since either may be NaN.
    guard seconds > 0, limits.longestServerWait > 0 else { return }
    let bounded = min(seconds, limits.longestServerWait)
    let now = clock.now
    state.withLock { state in
      state.keep(host, now: now)
      _ = state.update(host) { $0.pausedUntil = max($0.pausedUntil, now + bounded) }
    }
  }

  /// Grants the free permits of a host to waiting requests.
  ///
  /// Only one thread at a time grants permits of a host. A handler may release its permit at once, and granting the
  /// next permit from within that call, again and again, would overflow the stack.
  private func grantPermits(at host: String) {
    var isDraining = false
    while true {
      let now = clock.now
      let step = state.withLock { $0.update(host) { $0.nextStep(isDraining: isDraining, now: now) } }
      switch step {
      case .grant(let onReady):
        isDraining = true
        onReady(Permit(host: host))
      case .wait(let seconds, let number):
        return setTimer(host, after: seconds, number: number)
      case .nothing, nil:
        return
      }
    }
  }

  private func setTimer(_ host: String, after seconds: TimeInterval, number: UInt64) {
    // Weak, because a clock may hold the timer for longer than the service lives.
    let timer = clock.schedule(after: seconds) { [weak self] in
      guard let self else { return }
      _ = state.withLock { $0.update(host) { $0.timerFired(number) } }
      grantPermits(at: host)
    }
    // The timer may have fired, or the last waiting request left, before the timer was stored.
    let isWanted = state.withLock { $0.update(host) { $0.keep(timer, number: number) } }
    if isWanted != true { timer.cancel() }
  }
}

extension RequestLimiter {
  /// The permission to send one request to a host.
  struct Permit: Sendable {
    fileprivate let host: String
  }

  /// A request's place in the queue of a host. The lock of `limiter` guards `onReady`.
  final class Ticket: @unchecked Sendable {
    let limiter: RequestLimiter
    let host: String
    let priority: RequestOptions.Priority
    /// `nil` once the ticket has left the queue, with a permit or cancelled.
    var onReady: Handler?

    fileprivate init(
      limiter: RequestLimiter, host: String, priority: RequestOptions.Priority, onReady: @escaping Handler
    ) {
      self.limiter = limiter
      self.host = host
      self.priority = priority
      self.onReady = onReady
    }

    /// Whether the ticket is in the queue. Read with the limiter's lock held.
    var isWaiting: Bool { onReady != nil }

    /// Leaves the queue.
    ///
    /// - Returns: whether the ticket still waited: `onReady` then never runs.
    @discardableResult
    func cancel() -> Bool {
      let former = limiter.state.withLock { $0.update(host) { $0.cancel(self) } ?? nil }
      former?.timer?.cancel()
      // The handler is released here, outside the lock.
      return former != nil
    }
  }
}
