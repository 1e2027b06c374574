import Foundation

/// The state of a `RequestLimiter`: a `HostLimiter` for each host. Pure: the limiter calls each method with its lock
/// held.
struct RequestLimiterState: Sendable {
  private let limits: RequestLimits
  private(set) var hosts = HostRegistry<HostLimiter>()
  /// The number of hosts from which on idle hosts are removed.
  private var sweepCount = 64

  init(limits: RequestLimits) {
    self.limits = limits
  }

  /// The slot of a host, which is made if necessary.
  mutating func slot(of host: String, now: TimeInterval) -> HostRegistry<HostLimiter>.Slot {
    if !hosts.contains(host), hosts.count >= sweepCount { sweep(now: now) }
    return hosts.slot(of: host, orInsert: HostLimiter(limits))
  }

  /// Changes the state of a host. A host is kept while a request waits for it or has a permit.
  mutating func update<Output>(
    _ slot: HostRegistry<HostLimiter>.Slot, _ body: (inout HostLimiter) -> Output
  ) -> Output? { hosts.update(slot, body) }

  /// Removes hosts that have nothing to remember. A sweep happens only once the number of hosts has doubled, so it
  /// costs each request next to nothing.
  private mutating func sweep(now: TimeInterval) {
    hosts.removeAll { $0.isIdle(now: now) }
    sweepCount = max(64, hosts.count * 2)
  }
}

/// One host's permits and queue. `admit` gives a permit or queues a ticket, and `nextStep` says what to do for waiting
/// tickets. `now` is a clock's time and never decreases.
struct HostLimiter: Sendable {
  typealias Ticket = RequestLimiter.Ticket
  typealias Handler = @Sendable (Ticket) -> Void

  /// The next step of the limiter, to be done after unlocking.
  enum Step {
    /// Call the handler with the ticket, then ask for the next step.
    case grant(Ticket, Handler)
    /// Set a timer.
    case wait(TimeInterval, number: UInt64)
    case nothing
  }

  /// Says what to do after unlocking, once a ticket was cancelled or released.
  enum Ending {
    /// The ticket left the queue. Cancel the timer, and release the handler without the lock.
    case left(Handler?, (any WebServiceTimer)?)
    /// The permit is free. `isAwaited` says whether a request waits for one.
    case freed(isAwaited: Bool)
    case nothing
  }

  /// The most requests in flight.
  private let permits: Int
  /// The requests per second; `nil` without such a limit.
  private var bucket: TokenBucket?
  private(set) var queue = TicketQueue()
  /// The permits in use.
  private(set) var inFlight = 0
  /// Until when the server accepts no request.
  var pausedUntil: TimeInterval = -.infinity
  /// Whether a thread is handing out permits.
  private var isDraining = false
  private var timer: (any WebServiceTimer)?
  /// Whether a timer is set, or is being set. No permit is ever free before it fires: the rate limit and the pause only
  /// move to later times.
  private var hasTimer = false
  /// The number of the last timer. A timer with an older number is ignored.
  private var timerNumber: UInt64 = 0

  init(_ limits: RequestLimits) {
    permits = limits.maximumConcurrentRequestsPerHost.map { max(1, $0) } ?? .max
    bucket = limits.rate.map(TokenBucket.init)
  }

  /// Whether the host has nothing to remember: a new `HostLimiter` would behave in the same way.
  func isIdle(now: TimeInterval) -> Bool {
    queue.isEmpty && inFlight == 0 && !isDraining && pausedUntil <= now && bucket?.isFull(now: now) != false
  }

  /// Gives the ticket a free permit if no request waits for it. Otherwise the ticket joins the queue.
  mutating func admit(_ ticket: Ticket, onReady: @escaping Handler, now: TimeInterval) -> Bool {
    guard takePermit(now: now) else {
      ticket.onReady = onReady
      queue.append(ticket)
      return false
    }
    ticket.phase = .ready
    return true
  }

  /// Takes a free permit that no request waits for; `false` without one.
  mutating func takePermit(now: TimeInterval) -> Bool {
    guard queue.isEmpty, inFlight < permits, wait(now: now) == 0 else { return false }
    countRequest(now: now)
    return true
  }

  /// Frees one permit.
  ///
  /// - Returns: whether a request waits for a permit.
  mutating func releasePermit() -> Bool {
    inFlight -= 1
    return !queue.isEmpty
  }

  /// The next step for waiting requests. One thread at a time drains the queue, and looks again before it ends. Other
  /// threads have nothing to do.
  mutating func nextStep(isDraining: Bool, now: TimeInterval) -> Step {
    guard isDraining || !self.isDraining else { return .nothing }
    self.isDraining = false
    guard !queue.isEmpty, inFlight < permits else { return .nothing }
    let wait = wait(now: now)
    guard wait == 0 else { return setTimer(after: wait) }
    guard let ticket = queue.popFirst(), let onReady = ticket.onReady else { return .nothing }
    countRequest(now: now)
    ticket.phase = .ready
    ticket.onReady = nil
    self.isDraining = true
    return .grant(ticket, onReady)
  }

  /// Ends a ticket: takes it out of the queue, or frees its permit.
  ///
  /// - Parameter ifReady: whether to free the permit of a ticket that has one.
  mutating func end(_ ticket: Ticket, ifReady: Bool) -> Ending {
    switch ticket.phase {
    case .waiting:
      let onReady = ticket.onReady
      ticket.onReady = nil
      ticket.phase = .over
      queue.didCancel()
      guard queue.isEmpty else { return .left(onReady, nil) }
      // Nothing is left to wait for the timer.
      defer { (timer, hasTimer) = (nil, false) }
      return .left(onReady, timer)
    case .ready where ifReady:
      ticket.phase = .over
      return .freed(isAwaited: releasePermit())
    case .ready, .over:
      return .nothing
    }
  }

  /// Forgets the timer with this number. A later timer stays.
  mutating func timerFired(_ number: UInt64) {
    guard number == timerNumber else { return }
    (timer, hasTimer) = (nil, false)
  }

  /// Stores the timer with this number; `false` if it isn't needed any more.
  mutating func keep(_ timer: any WebServiceTimer, number: UInt64) -> Bool {
    guard number == timerNumber, hasTimer else { return false }
    self.timer = timer
    return true
  }

  private mutating func countRequest(now: TimeInterval) {
    _ = bucket?.take(now: now)
    inFlight += 1
  }

  private mutating func setTimer(after wait: TimeInterval) -> Step {
    guard !hasTimer else { return .nothing }
    hasTimer = true
    timerNumber += 1
    return .wait(wait, number: timerNumber)
  }

  /// The seconds until the rate limit and the pause let a request through.
  private func wait(now: TimeInterval) -> TimeInterval {
    let pause = pausedUntil - now
    return max(pause > TokenBucket.tolerance ? pause : 0, bucket?.wait(now: now) ?? 0)
  }
}
