import Foundation

/// Holds requests back until their host may get another one. It limits requests in flight and requests per second, and
/// pauses a host that accepts none. Call `acquire`, send when `onReady` is called, then release the ticket. Any thread
/// may use it.
///
/// Waiting requests go by priority, see `TicketQueue`. Adding, granting and cancelling cost the same however many wait.
final class RequestLimiter: Sendable {
  fileprivate typealias Slot = HostRegistry<HostLimiter>.Slot

  private let limits: RequestLimits
  private let clock: any WebServiceClock
  /// Guards all hosts and every ticket's `phase` and `onReady`. Clock, timers and handlers are called without the lock.
  private let state: Locked<RequestLimiterState>

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
  ///   - onReady: called with the returned ticket once the request may be sent, unless the ticket was cancelled. It
  ///     runs before this call returns, or later on a thread that releases a permit or on the clock's. It has to return
  ///     at once.
  /// - Returns: the ticket that releases the permit.
  @discardableResult
  func acquire(
    host: String, priority: RequestPriority = .normal, onReady: @escaping @Sendable (Ticket) -> Void
  ) -> Ticket {
    let now = clock.now
    let (ticket, isReady) = state.withLock { state in
      let slot = state.slot(of: host, now: now)
      let ticket = Ticket(limiter: self, host: host, slot: slot, priority: priority)
      return (ticket, state.update(slot) { $0.admit(ticket, onReady: onReady, now: now) } ?? false)
    }
    if isReady {
      onReady(ticket)
    } else {
      // The first waiting request needs a timer for the rate limit or for a pause.
      grantPermits(at: ticket.slot)
    }
    return ticket
  }

  /// Takes a free permit that no request waits for; `nil` without one. Release it with `release`.
  func acquireIfFree(host: String, now: TimeInterval) -> Permit? {
    state.withLock { state in
      let slot = state.slot(of: host, now: now)
      return state.update(slot) { $0.takePermit(now: now) } == true ? Permit(slot: slot) : nil
    }
  }

  /// Releases a permit. Call this once for each.
  func release(_ permit: Permit) {
    if state.withLock({ $0.update(permit.slot) { $0.releasePermit() } }) == true { grantPermits(at: permit.slot) }
  }

  /// Sends nothing to the host for this many seconds, at most `longestServerWait`.
  func pause(_ host: String, for seconds: TimeInterval) {
    // Both are compared with 0, since either may be NaN.
    guard seconds > 0, limits.longestServerWait > 0 else { return }
    let bounded = min(seconds, limits.longestServerWait)
    let now = clock.now
    state.withLock { state in
      let slot = state.slot(of: host, now: now)
      _ = state.update(slot) { $0.pausedUntil = max($0.pausedUntil, now + bounded) }
    }
  }

  /// Grants the free permits of a host to waiting requests.
  ///
  /// Only one thread at a time grants permits of a host. A handler may release its permit at once, and granting the
  /// next permit from within that call, again and again, would overflow the stack.
  private func grantPermits(at slot: Slot) {
    var isDraining = false
    while true {
      let now = clock.now
      let step = state.withLock { $0.update(slot) { $0.nextStep(isDraining: isDraining, now: now) } }
      switch step {
      case .grant(let ticket, let onReady):
        isDraining = true
        onReady(ticket)
      case .wait(let seconds, let number):
        return setTimer(slot, after: seconds, number: number)
      case .nothing, nil:
        return
      }
    }
  }

  private func setTimer(_ slot: Slot, after seconds: TimeInterval, number: UInt64) {
    // Weak, because a clock may hold the timer for longer than the service lives.
    let timer = clock.schedule(after: seconds) { [weak self] in
      guard let self else { return }
      _ = state.withLock { $0.update(slot) { $0.timerFired(number) } }
      grantPermits(at: slot)
    }
    // The timer may have fired, or the last waiting request left, before the timer was stored.
    let isWanted = state.withLock { $0.update(slot) { $0.keep(timer, number: number) } }
    if isWanted != true { timer.cancel() }
  }
}

extension RequestLimiter {
  /// A permit that was free when it was asked for. It has no ticket, because nothing can wait for it or cancel it.
  struct Permit: Sendable {
    fileprivate let slot: Slot
  }

  /// A request's place in the queue of a host, and then its permit. The lock of `limiter` guards `phase` and `onReady`.
  final class Ticket: @unchecked Sendable {
    /// Valid transitions: waiting to ready or over, ready to over.
    enum Phase {
      /// In the queue.
      case waiting
      /// With a permit.
      case ready
      /// Cancelled or released.
      case over
    }

    let limiter: RequestLimiter
    let host: String
    fileprivate let slot: Slot
    let priority: RequestPriority
    var phase = Phase.waiting
    /// `nil` unless the ticket waits.
    var onReady: (@Sendable (Ticket) -> Void)?

    fileprivate init(limiter: RequestLimiter, host: String, slot: Slot, priority: RequestPriority) {
      self.limiter = limiter
      self.host = host
      self.slot = slot
      self.priority = priority
    }

    /// Whether the ticket is in the queue. Read with the limiter's lock held.
    var isWaiting: Bool { phase == .waiting }

    /// Leaves the queue.
    ///
    /// - Returns: whether the ticket still waited: `onReady` then never runs. Otherwise the ticket has a permit, which
    ///   has to be released.
    @discardableResult
    func cancel() -> Bool {
      limiter.end(self, ifReady: false)
    }

    /// Releases the permit, or leaves the queue. Release every ticket that isn't needed any more, or its permit is
    /// lost. A second call does nothing.
    func release() {
      limiter.end(self, ifReady: true)
    }
  }

  @discardableResult
  private func end(_ ticket: Ticket, ifReady: Bool) -> Bool {
    switch state.withLock({ $0.update(ticket.slot) { $0.end(ticket, ifReady: ifReady) } }) {
    case .left(let onReady, let timer):
      timer?.cancel()
      // The handler is released here, outside the lock.
      _ = onReady
      return true
    case .freed(let isAwaited):
      if isAwaited { grantPermits(at: ticket.slot) }
      return false
    case .nothing, nil:
      return false
    }
  }
}
