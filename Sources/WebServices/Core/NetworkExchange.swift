import Foundation

/// One exchange past all that may hold it up before it goes out: no network, an open circuit, limits.
final class NetworkExchange: URLSessionTaskProtocol {
  private struct State {
    var isOver = false
    var wait: ConnectivityWait?
    var passage = Passage(time: 0)
    var task: (any URLSessionTaskProtocol)?
    var completion: Exchanges.Completion?
  }

  /// What the exchange was let through with, to be given back.
  private struct Passage {
    var permit: CircuitBreaker.Permit?
    var ticket: RequestLimiter.Ticket?
    /// When that was, on the clock.
    var time: TimeInterval

    mutating func add(_ other: Passage) {
      permit = other.permit ?? permit
      ticket = other.ticket ?? ticket
      time = other.time
    }
  }

  private let request: TransportRequest
  private let exchanges: Exchanges
  private let context: ExchangeContext
  private let host: String
  private let state: Locked<State>

  init(
    _ request: TransportRequest, exchanges: Exchanges, context: ExchangeContext,
    completion: @escaping Exchanges.Completion
  ) {
    self.request = request
    self.exchanges = exchanges
    self.context = context
    host = request.url.hostAndPort
    state = Locked(State(completion: completion))
  }

  // MARK: Its way out

  func resume() {
    guard context.isOffline else { return setOut() }
    if context.connectivity != .failAtOnce { context.owner.exchangeDid(.waiting(.connectivity)) }
    let wait = ConnectivityWait(
      context.connectivity, reachability: exchanges.reachability, clock: exchanges.clock
    ) { [self] isConnected in
      isConnected ? setOut() : end(with: .noNetwork)
    }
    let isWanted = state.withLock { state in
      if !state.isOver { state.wait = wait }
      return !state.isOver
    }
    if !isWanted { wait.cancel() }
  }

  private func setOut() {
    let now = exchanges.clock.now
    do throws(CircuitOpenError) {
      let permit = try exchanges.breakers?.admit(host: host, now: now)
      guard let limiter = exchanges.limiter else { return send(Passage(permit: permit, time: now)) }
      if let ticket = limiter.acquireAtOnce(host: host, priority: context.priority, now: now) {
        send(Passage(permit: permit, ticket: ticket, time: now))
      } else if hold(Passage(permit: permit, time: now)) {
        queue(at: limiter)
      }
    } catch {
      refuse(error)
    }
  }

  private func queue(at limiter: RequestLimiter) {
    let ticket = limiter.acquire(host: host, priority: context.priority) { [self] in leaveQueue(with: $0) }
    let (isOver, isWaiting) = state.withLock { state in
      defer { if !state.isOver { state.passage.ticket = ticket } }
      return (state.isOver, !state.isOver && state.passage.ticket == nil)
    }
    if isWaiting { context.owner.exchangeDid(.waiting(.limit)) }
    // It has been given back already where it was granted at once.
    if isOver { ticket.release() }
  }

  /// A place was given. The circuit is asked again: what has waited isn't sent to a host that was found to fail
  /// meanwhile.
  private func leaveQueue(with ticket: RequestLimiter.Ticket) {
    let now = exchanges.clock.now
    let former = state.withLock { $0.passage.permit }
    guard hold(Passage(ticket: ticket, time: now)) else { return }
    guard let former, let breakers = exchanges.breakers else { return send(Passage(time: now)) }
    do throws(CircuitOpenError) {
      send(Passage(permit: try breakers.renew(former, host: host, now: now), time: now))
    } catch {
      refuse(error)
    }
  }

  private func send(_ passage: Passage) {
    guard context.owner.mayBeSent else {
      if hold(passage) { end(with: .cancelledInQueue) }
      return
    }
    let task = exchanges.session.transferTask(with: request) { [self] result in
      note(result)
      end(with: .ended(result))
    }
    guard hold(passage, task) else { return task.cancel() }
    context.owner.exchangeWasSent()
    context.owner.exchangeDid(.sent)
    task.resume()
  }

  /// Notes what has to be given back in the end, and gives it back at once where the end has been.
  ///
  /// - Returns: whether the exchange is still wanted.
  private func hold(_ passage: Passage, _ task: (any URLSessionTaskProtocol)? = nil) -> Bool {
    let isWanted = state.withLock { state in
      guard !state.isOver else { return false }
      state.passage.add(passage)
      state.task = task
      return true
    }
    if !isWanted { giveBack(passage, verdict: .none) }
    return isWanted
  }

  // MARK: Its end

  func cancel() {
    let task = state.withLock { $0.task }
    // Once it is under way, the session ends it.
    guard let task else { return end(with: .cancelledInQueue) }
    task.cancel()
  }

  /// What the server says of its limits.
  private func note(_ result: Result<WebServiceResponse, TransportError>) {
    guard let limiter = exchanges.limiter, case .success(let response) = result else { return }
    if let limit = ServerRateLimit(response.headers, now: Date()) {
      limiter.note(limit, host: host)
    }
    if response.statusCode == 429 || response.statusCode == 503,
      let seconds = RetryAfter.delay(in: response.headers, now: Date())
    {
      limiter.pause(host, for: seconds)
    }
  }

  private func refuse(_ error: CircuitOpenError) {
    context.owner.exchangeDid(.waiting(.breaker))
    end(with: .circuitOpen(error))
  }

  private func end(with result: ExchangeResult) {
    var former = State(isOver: true)
    state.withLock { swap(&former, &$0) }
    guard let completion = former.completion else { return }
    former.wait?.cancel()
    giveBack(former.passage, verdict: isTimedOut(former, result) ? .failure : result.verdict)
    completion(result)
  }

  private func giveBack(_ passage: Passage, verdict: CircuitBreaker.Verdict) {
    if let permit = passage.permit { exchanges.breakers?.record(verdict, host: host, permit: permit) }
    passage.ticket?.release()
  }

  /// Whether the exchange was cancelled because its time was over, which says something of the host.
  private func isTimedOut(_ state: State, _ result: ExchangeResult) -> Bool {
    guard state.task != nil, case .ended(.failure(let error), _) = result, error.kind == .cancelled,
      let timeout = request.timeouts.whole ?? request.timeouts.idle
    else { return false }
    return exchanges.clock.now - state.passage.time >= timeout
  }
}

extension ExchangeResult {
  fileprivate var verdict: CircuitBreaker.Verdict {
    switch self {
    case .ended(let result, _): CircuitBreaker.Verdict(ExchangeOutcome(result))
    case .circuitOpen, .noNetwork: .none
    }
  }
}
