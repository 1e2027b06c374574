import Foundation

/// Holds requests back until their host may get another one. It limits requests in flight and requests per second, and
/// pauses a host that accepts none. Call `acquire`, send when `onReady` is called, then release the host's permit. Any
/// thread may use it.
///
/// Waiting requests go by priority, see `TicketQueue`. Adding, granting and cancelling cost the same however many wait.
final class RequestLimiter: Sendable {
  typealias Handler = @Sendable () -> Void

  fileprivate struct State: Sendable {
    private(set) var hosts: [String: HostLimiter] = [:]
    /// The number of hosts from which on idle hosts are removed.
    private var sweepCount = 64

    /// Changes the state of a host, which is made if necessary.
    mutating func update<Output>(
      _ host: String, _ limits: RequestLimits, now: TimeInterval, _ body: (inout HostLimiter) -> Output
    ) -> Output {
      if hosts.count >= sweepCount, hosts.index(forKey: host) == nil {
        hosts = hosts.filter { !$0.value.isIdle(now: now) }
        // The number of hosts has to double before the next sweep, so that it costs each request next to nothing.
        sweepCount = max(64, hosts.count * 2)
      }
      return body(&hosts[host, default: HostLimiter(limits)])
    }

    /// Changes the state of a host. A host is kept while a request waits for it or has a permit.
    mutating func update<Output>(_ host: String, _ body: (inout HostLimiter) -> Output) -> Output? {
      hosts.index(forKey: host).map { body(&hosts.values[$0]) }
    }
  }

  private let limits: RequestLimits
  private let clock: any WebServiceClock
  /// Guards all hosts and every ticket's `onReady`. Clock, timers and handlers are called without the lock.
  fileprivate let state = Locked(State())

  init(_ limits: RequestLimits, clock: any WebServiceClock) {
    self.limits = limits
    self.clock = clock
  }

  /// How many requests wait, at all hosts together.
  var waitingCount: Int { state.withLock { $0.hosts.values.reduce(0) { $0 + $1.queue.count } } }
  /// How many permits are in use.
  var inFlightCount: Int { state.withLock { $0.hosts.values.reduce(0) { $0 + $1.inFlight } } }
  /// The number of simultaneous requests to one host; `nil` for no limit.
  var permitsPerHost: Int? { limits.concurrentRequestsPerHost }
  /// How many hosts are kept.
  var hostCount: Int { state.withLock { $0.hosts.count } }

  /// Requests a permit.
  ///
  /// - Parameters:
  ///   - host: the host in lower case, with its port unless that is the default port.
  ///   - onReady: called once the request has a permit, unless the ticket was cancelled. Release the permit. The handler
  ///     runs before this call returns, or later on a thread that releases a permit or on the clock's. It has to return
  ///     at once.
  /// - Returns: the request's place in the queue.
  @discardableResult
  func acquire(
    host: String, priority: RequestOptions.Priority = .normal, onReady: @escaping Handler
  ) -> Ticket {
    let now = clock.now
    let ticket = Ticket(self, host, priority, onReady)
    state.withLock { $0.update(host, limits, now: now) { $0.queue.append(ticket) } }
    grantPermits(at: host)
    return ticket
  }

  /// Takes a free permit that no request waits for; `false` without one. Release it with `release`.
  func acquireIfFree(host: String, now: TimeInterval) -> Bool {
    state.withLock { $0.update(host, limits, now: now) { $0.takePermit(now: now) } }
  }

  /// Releases a permit of a host. Call this once for each.
  func release(_ host: String) {
    let isAwaited = state.withLock { state in
      state.update(host) { host in
        host.inFlight -= 1
        return !host.queue.isEmpty
      }
    }
    if isAwaited == true { grantPermits(at: host) }
  }

  /// Sends nothing to the host for this many seconds, at most `serverWaitLimit`.
  func pause(_ host: String, for seconds: TimeInterval) {
    // Both are compared with 0, since either may be NaN.
    guard seconds > 0, limits.serverWaitLimit > 0 else { return }
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
      let step = state.withLock { $0.update(host) { $0.nextStep(isDraining: isDraining, now: now) } }
      switch step {
      case .grant(let onReady):
        isDraining = true
        onReady()
      case .wait(let seconds, let timer):
        return set(timer, host, after: seconds)
      case .nothing, nil:
        return
      }
    }
  }

  private func set(_ cancellation: TaskCancellation, _ host: String, after seconds: TimeInterval) {
    // Weak, because a clock may hold the timer for longer than the service lives.
    let timer = clock.schedule(after: seconds) { [weak self] in
      guard let self else { return }
      _ = state.withLock { $0.update(host) { $0.timer = nil } }
      grantPermits(at: host)
    }
    cancellation.set { timer.cancel() }
  }
}

extension RequestLimiter {
  /// A request's place in the queue of a host. The lock of `limiter` guards `onReady`.
  final class Ticket: @unchecked Sendable {
    let limiter: RequestLimiter
    let host: String
    let priority: RequestOptions.Priority
    /// `nil` once the ticket has left the queue, with a permit or cancelled.
    var onReady: Handler?

    fileprivate init(
      _ limiter: RequestLimiter, _ host: String, _ priority: RequestOptions.Priority,
      _ onReady: @escaping Handler
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

/// One host's permits and queue. `nextStep` says what to do for waiting tickets. `now` is a clock's time and never
/// decreases. Pure: the limiter calls each method with its lock held.
struct HostLimiter: Sendable {
  /// The next step of the limiter, to be done after unlocking.
  enum Step {
    /// Call the handler with a permit, then ask for the next step.
    case grant(RequestLimiter.Handler)
    /// Set the timer for this many seconds.
    case wait(TimeInterval, TaskCancellation)
    case nothing
  }

  /// The most requests in flight.
  private let permits: Int
  /// The requests per second; `nil` without such a limit.
  private var bucket: TokenBucket?
  var queue = TicketQueue()
  /// The permits in use.
  var inFlight = 0
  /// Until when the server accepts no request.
  var pausedUntil: TimeInterval = -.infinity
  /// Whether a thread is handing out permits.
  private var isDraining = false
  /// Cancels the timer; `nil` without one. No permit is ever free before the timer fires: the rate limit and the pause only
  /// move to later times.
  var timer: TaskCancellation?

  init(_ limits: RequestLimits) {
    permits = limits.concurrentRequestsPerHost.map { max(1, $0) } ?? .max
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

  /// The next step for waiting requests. One thread at a time drains the queue, and looks again before it ends. Other
  /// threads have nothing to do.
  mutating func nextStep(isDraining: Bool, now: TimeInterval) -> Step {
    guard isDraining || !self.isDraining else { return .nothing }
    self.isDraining = false
    guard !queue.isEmpty, inFlight < permits else { return .nothing }
    let wait = wait(now: now)
    guard wait == 0 else {
      guard timer == nil else { return .nothing }
      let timer = TaskCancellation()
      self.timer = timer
      return .wait(wait, timer)
    }
    guard let onReady = queue.popFirst()?.onReady.take() else { return .nothing }
    countRequest(now: now)
    self.isDraining = true
    return .grant(onReady)
  }

  /// Takes a ticket out of the queue.
  ///
  /// - Returns: the handler to release and the timer to cancel after unlocking; `nil` if the ticket doesn't wait.
  mutating func cancel(_ ticket: RequestLimiter.Ticket) -> (onReady: RequestLimiter.Handler, timer: TaskCancellation?)?
  {
    guard let onReady = ticket.onReady.take() else { return nil }
    queue.didCancel()
    // Nobody is left to wait for the timer.
    return (onReady, queue.isEmpty ? timer.take() : nil)
  }

  private mutating func countRequest(now: TimeInterval) {
    _ = bucket?.take(now: now)
    inFlight += 1
  }

  /// The seconds until the rate limit and the pause let a request through.
  private func wait(now: TimeInterval) -> TimeInterval {
    let pause = pausedUntil - now
    return max(pause > TokenBucket.tolerance ? pause : 0, bucket?.wait(now: now) ?? 0)
  }
}

/// The tickets of requests that wait for one host: the highest priority first, then the order of arrival. A low priority
/// may wait for as long as requests with a higher one come.
struct TicketQueue: Sendable {
  typealias Ticket = RequestLimiter.Ticket

  /// One line for each priority; the index is the priority's raw value. Cancelled tickets stay until they are taken out
  /// or are the majority.
  private var lines = RequestOptions.Priority.allCases.map { _ in ArraySlice<Ticket>() }
  /// How many tickets wait.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ ticket: Ticket) {
    lines[ticket.priority.rawValue].append(ticket)
    count += 1
  }

  /// Takes the next ticket out.
  mutating func popFirst() -> Ticket? {
    for index in lines.indices.reversed() {
      while let ticket = lines[index].popFirst() {
        guard ticket.isWaiting else { continue }
        count -= 1
        if isEmpty { self = TicketQueue() }
        return ticket
      }
    }
    return nil
  }

  /// Counts a cancelled ticket, whose `isWaiting` is `false` already.
  mutating func didCancel() {
    count -= 1
    // An empty queue keeps no ticket, because tickets retain the limiter. Otherwise the majority has to be cancelled, so
    // that copying the others costs a constant time for each cancelled ticket.
    let cancelled = lines.reduce(-count) { $0 + $1.count }
    guard isEmpty || cancelled > max(16, count) else { return }
    lines = lines.map { ArraySlice($0.filter(\.isWaiting)) }
  }
}
