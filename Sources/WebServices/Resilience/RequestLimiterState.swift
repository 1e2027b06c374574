import Foundation

/// The state of a `RequestLimiter`: a `HostLimiter` for each host. Pure: the limiter calls each method with its lock
/// held.
struct RequestLimiterState: Sendable {
  private let limits: RequestLimits
  private(set) var hosts: [String: HostLimiter] = [:]
  /// The number of hosts from which on idle hosts are removed.
  private var sweepCount = 64

  init(limits: RequestLimits) {
    self.limits = limits
  }

  /// Keeps the state of a host, which is made if necessary.
  mutating func keep(_ host: String, now: TimeInterval) {
    guard hosts.index(forKey: host) == nil else { return }
    if hosts.count >= sweepCount { sweep(now: now) }
    hosts[host] = HostLimiter(limits)
  }

  /// Changes the state of a host. A host is kept while a request waits for it or has a permit.
  mutating func update<Output>(_ host: String, _ body: (inout HostLimiter) -> Output) -> Output? {
    hosts.index(forKey: host).map { body(&hosts.values[$0]) }
  }

  /// Removes hosts that have nothing to remember. A sweep happens only once the number of hosts has doubled, so it
  /// costs each request next to nothing.
  private mutating func sweep(now: TimeInterval) {
    hosts = hosts.filter { !$0.value.isIdle(now: now) }
    sweepCount = max(64, hosts.count * 2)
  }
}

/// One host's permits and queue. `nextStep` says what to do for waiting tickets. `now` is a clock's time and never
/// decreases.
struct HostLimiter: Sendable {
  typealias Ticket = RequestLimiter.Ticket
  typealias Handler = RequestLimiter.Handler

  /// The next step of the limiter, to be done after unlocking.
  enum Step {
    /// Call the handler with a permit, then ask for the next step.
    case grant(Handler)
    /// Set a timer.
    case wait(TimeInterval, number: UInt64)
    case nothing
  }

  /// The most requests in flight.
  private let permits: Int
  /// The requests per second; `nil` without such a limit.
  private var bucket: TokenBucket?
  var queue = TicketQueue()
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
    guard let onReady = queue.popFirst()?.onReady.take() else { return .nothing }
    countRequest(now: now)
    self.isDraining = true
    return .grant(onReady)
  }

  /// Takes a ticket out of the queue.
  ///
  /// - Returns: the handler to release and the timer to cancel after unlocking; `nil` if the ticket doesn't wait.
  mutating func cancel(_ ticket: Ticket) -> (onReady: Handler, timer: (any WebServiceTimer)?)? {
    guard let onReady = ticket.onReady.take() else { return nil }
    queue.didCancel()
    guard queue.isEmpty else { return (onReady, nil) }
    // Nothing is left to wait for the timer.
    defer { (timer, hasTimer) = (nil, false) }
    return (onReady, timer)
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
