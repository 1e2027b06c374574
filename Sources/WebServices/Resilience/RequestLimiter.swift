import Foundation

/// Holds requests back until their host may be sent another one. It limits the requests at once and the requests a
/// second, and it sends none while the server takes none. Any thread may use it.
///
/// Waiting requests go by priority, see `AgingQueue`. Adding, granting and cancelling cost the same however many wait.
final class RequestLimiter: Sendable {
  fileprivate typealias Slot = HostRegistry<HostLimiter>.Slot

  private let limits: RequestLimits
  private let clock: any WebServiceClock
  private let state: Locked<RequestLimiterState>

  init(_ limits: RequestLimits, clock: any WebServiceClock) {
    self.limits = limits
    self.clock = clock
    state = Locked(RequestLimiterState(limits: limits))
  }

  /// How many requests wait, at all hosts together.
  var waitingCount: Int { state.withLock { $0.hosts.values.reduce(0) { $0 + $1.queue.count } } }
  /// How many requests have been granted and not released.
  var inFlightCount: Int { state.withLock { $0.hosts.values.reduce(0) { $0 + $1.inFlight } } }
  /// The number of simultaneous requests to one host; `nil` for no limit.
  var placesPerHost: Int? { limits.maximumConcurrentRequestsPerHost }
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
      grantPlaces(at: ticket.slot)
    }
    return ticket
  }

  /// Takes a free permit that no request waits for; `nil` without one. Release it with `release`.
  func acquireAtOnce(host: String, now: TimeInterval) -> Place? {
    state.withLock { state in
      let slot = state.slot(of: host, now: now)
      return state.update(slot) { $0.takePlace(now: now) } == true ? Place(slot: slot) : nil
    }
  }

  /// Gives a place back, once.
  func release(_ place: Place) {
    if state.withLock({ $0.update(place.slot) { $0.leavePlace() } }) == true { grantPlaces(at: place.slot) }
  }

  /// Applies the limit that a server announced. If nothing is left, no request is sent until the limit resets.
  func note(_ limit: ServerRateLimit, host: String) {
    if let seconds = limit.pause { pause(host, for: seconds) }
  }

  /// Sends nothing to the host for this many seconds, at most `longestServerWait`.
  func pause(_ host: String, for seconds: TimeInterval) {
    // Both are asked, since either may be NaN.
    guard seconds > 0, limits.longestServerWait > 0 else { return }
    let bounded = min(seconds, limits.longestServerWait)
    let now = clock.now
    state.withLock { state in
      let slot = state.slot(of: host, now: now)
      _ = state.update(slot) { $0.pausedUntil = max($0.pausedUntil, now + bounded) }
    }
  }

  /// Grants the free places of a host to waiting requests.
  ///
  /// Only one thread at a time grants places of a host. A handler may release its place at once, and granting the next
  /// place from within that call, again and again, would overflow the stack.
  private func grantPlaces(at slot: Slot) {
    var isDraining = false
    while true {
      let now = clock.now
      let step = state.withLock { $0.update(slot) { $0.nextStep(isDraining: isDraining, now: now) } }
      switch step {
      case .grant(let ticket, let onReady):
        isDraining = true
        onReady(ticket)
      case .wait(let seconds, let number, let obsolete):
        obsolete?.cancel()
        return setTimer(slot, after: seconds, number: number)
      case .nothing, nil:
        return
      }
    }
  }

  private func setTimer(_ slot: Slot, after seconds: TimeInterval, number: UInt64) {
    let timer = clock.schedule(after: seconds) { [weak self] in
      guard let self else { return }
      _ = state.withLock { $0.update(slot) { $0.timerFired(number) } }
      grantPlaces(at: slot)
    }
    let isWanted = state.withLock { $0.update(slot) { $0.keep(timer, number: number) } }
    if isWanted != true { timer.cancel() }
  }
}

extension RequestLimiter {
  /// A place at a host that was free.
  struct Place: Sendable {
    fileprivate let slot: Slot
  }

  /// A request's place in the queue of a host, or the place that it has waited for. The lock of `limiter` guards `phase`
  /// and `onReady`.
  final class Ticket: @unchecked Sendable {
    enum Phase {
      case waiting
      case ready
      case over
    }

    let limiter: RequestLimiter
    let host: String
    fileprivate let slot: Slot
    let priority: RequestPriority
    var phase = Phase.waiting
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
    /// - Returns: whether it still waited: `onReady` then never runs. Otherwise it has a place, which has to be released.
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
      if isAwaited { grantPlaces(at: ticket.slot) }
      return false
    case .nothing, nil:
      return false
    }
  }
}
