import Foundation

/// One exchange past all that may hold it up before it goes out: no network, an open circuit, limits.
final class NetworkExchange: URLSessionTaskProtocol {
  private struct State {
    var isOver = false
    var wait: ConnectivityWait?
    var ticket: RequestLimiter.Ticket?
    var permit: CircuitBreaker.Permit?
    var task: (any URLSessionTaskProtocol)?
    var completion: Exchanges.Completion?
    /// When it went out, on the clock.
    var sentTime: TimeInterval?
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
    guard context.isOffline else { return passBreaker() }
    if context.connectivity != .failAtOnce { context.record(.waiting(.connectivity)) }
    let wait = ConnectivityWait(
      context.connectivity, reachability: exchanges.reachability, clock: exchanges.clock
    ) { [self] isConnected in
      isConnected ? passBreaker() : end(with: .noNetwork)
    }
    keep {
      $0.wait = wait
    } orElse: {
      wait.cancel()
    }
  }

  private func passBreaker() {
    guard let breakers = exchanges.breakers else { return passLimits() }
    do throws(CircuitOpenError) {
      let permit = try breakers.admit(host: host)
      keep {
        $0.permit = permit
      } orElse: {
        breakers.record(.none, host: host, permit: permit)
      }
      passLimits()
    } catch {
      context.record(.waiting(.breaker))
      end(with: .circuitOpen(error))
    }
  }

  private func passLimits() {
    guard let limiter = exchanges.limiter else { return send() }
    let ticket = limiter.acquire(host: host, priority: context.priority) { [self] ticket in
      keep {
        $0.ticket = ticket
      } orElse: {
        ticket.release()
      }
      send()
    }
    let (isOver, isWaiting) = state.withLock { state in
      defer { if !state.isOver { state.ticket = ticket } }
      return (state.isOver, !state.isOver && state.ticket == nil)
    }
    if isWaiting { context.record(.waiting(.limit)) }
    // It has been given back already where it was granted at once.
    if isOver { ticket.release() }
  }

  private func send() {
    guard !state.withLock({ $0.isOver }) else { return }
    guard context.mayBeSent() else { return end(with: .cancelledInQueue) }
    let task = exchanges.session.transferTask(with: request) { [self] result in
      note(result)
      end(with: .ended(result))
    }
    let now = exchanges.clock.now
    keep {
      $0.task = task
      $0.sentTime = now
    } orElse: {
      task.cancel()
    }
    guard !state.withLock({ $0.isOver }) else { return }
    context.onSent()
    context.record(.sent)
    task.resume()
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
    guard case .success(let response) = result, let limiter = exchanges.limiter else { return }
    let now = Date()
    if let limit = ServerRateLimit(response.headers, now: now) { limiter.note(limit, host: host) }
    if response.statusCode == 429 || response.statusCode == 503,
      let seconds = RetryAfter.delay(in: response.headers, now: now)
    {
      limiter.pause(host, for: seconds)
    }
  }

  private func end(with result: ExchangeResult) {
    let former = state.withLock { state in
      defer { state = State(isOver: true) }
      return state
    }
    guard let completion = former.completion else { return }
    former.wait?.cancel()
    if let permit = former.permit {
      let verdict = isTimedOut(former, result) ? .failure : result.verdict
      exchanges.breakers?.record(verdict, host: host, permit: permit)
    }
    former.ticket?.release()
    completion(result)
  }

  /// Whether the exchange was cancelled because its time was over, which says something of the host.
  private func isTimedOut(_ state: State, _ result: ExchangeResult) -> Bool {
    guard case .ended(.failure(let error), _) = result, error.kind == .cancelled, let sent = state.sentTime,
      let timeout = request.timeouts.whole ?? request.timeouts.idle
    else { return false }
    return exchanges.clock.now - sent >= timeout
  }

  /// Notes what has to be given back in the end, unless the end has been.
  private func keep(_ note: (inout State) -> Void, orElse giveBack: () -> Void) {
    let isKept = state.withLock { state in
      guard !state.isOver else { return false }
      note(&state)
      return true
    }
    if !isKept { giveBack() }
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

extension URL {
  /// The host in lower case, with the port where it isn't the scheme's own: what circuits and limits are kept for.
  var hostAndPort: String {
    let host = host?.lowercased() ?? ""
    return port.map { "\(host):\($0)" } ?? host
  }
}
