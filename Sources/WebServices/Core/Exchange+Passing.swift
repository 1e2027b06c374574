import Foundation

/// The way out, past all that may hold a request up before it is sent: no network, an open circuit, limits.
extension Exchange {
  private typealias Passage = ExchangeState.Passage

  /// Waits for a network where there was none.
  func pass(_ request: TransportRequest) {
    guard context.isOffline else { return admit(request) }
    if context.connectivity != .failAtOnce { context.owner.exchangeDid(.waiting(.connectivity)) }
    let wait = ConnectivityWait(
      context.connectivity, reachability: exchanges.reachability, clock: exchanges.clock
    ) { [self] isConnected in
      isConnected ? admit(request) : conclude(.noNetwork)
    }
    if !state.withLock({ $0.hold(wait) }) { wait.cancel() }
  }

  /// Asks the host's circuit, and takes a place or waits for one.
  private func admit(_ request: TransportRequest) {
    // A cache that is asked on another queue and a network that is waited for take time, in which a user may sign out.
    guard context.owner.mayBeSent else { return conclude(.cancelledInQueue) }
    let now = exchanges.clock.now
    do throws(CircuitOpenError) {
      let permit = try exchanges.breakers?.admit(host: host, now: now)
      guard let limiter = exchanges.limiter else { return send(request, Passage(permit: permit, time: now)) }
      if let place = limiter.acquireAtOnce(host: host, now: now) {
        send(request, Passage(permit: permit, place: place, time: now))
      } else if hold(Passage(permit: permit, time: now)) {
        queue(request, at: limiter)
      }
    } catch {
      refuse(error)
    }
  }

  private func queue(_ request: TransportRequest, at limiter: RequestLimiter) {
    let ticket = limiter.acquire(host: host, priority: context.priority) { [self] in
      leaveQueue(request, with: $0)
    }
    let (isWanted, isWaiting) = state.withLock { $0.queue(with: ticket) }
    if isWaiting { context.owner.exchangeDid(.waiting(.limit)) }
    // It has been given back already where it was granted at once.
    if !isWanted { ticket.release() }
  }

  /// A place was given. The circuit is asked again: what has waited isn't sent to a host that was found to fail
  /// meanwhile. Nor is it sent for one that is about to end with others, who leave it their places.
  private func leaveQueue(_ request: TransportRequest, with ticket: RequestLimiter.Ticket) {
    let now = exchanges.clock.now
    let former = state.withLock { $0.permit }
    guard hold(Passage(ticket: ticket, time: now)) else { return }
    guard context.owner.mayBeSent else { return conclude(.cancelledInQueue) }
    guard let former, let breakers = exchanges.breakers else { return send(request, Passage(time: now)) }
    do throws(CircuitOpenError) {
      send(request, Passage(permit: try breakers.renew(former, host: host, now: now), time: now))
    } catch {
      refuse(error)
    }
  }

  private func send(_ request: TransportRequest, _ passage: Passage) {
    let task = exchanges.session.transferTask(with: request) { [self] result in
      note(result)
      conclude(.ended(result))
    }
    guard hold(passage, task) else { return task.cancel() }
    tellSent()
    context.owner.exchangeDid(.sent)
    task.resume()
  }

  /// Notes what has to be given back in the end, and gives it back at once where the end has been.
  ///
  /// - Returns: whether the exchange is still wanted.
  private func hold(_ passage: Passage, _ task: (any URLSessionTaskProtocol)? = nil) -> Bool {
    let isWanted = state.withLock { $0.hold(passage, task) }
    if !isWanted { giveBack(passage, verdict: .none) }
    return isWanted
  }

  // MARK: What came of it

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
    conclude(.circuitOpen(error))
  }

  func giveBack(_ passage: ExchangeState.Passage, verdict: CircuitBreaker.Verdict) {
    if let permit = passage.permit { exchanges.breakers?.record(verdict, host: host, permit: permit) }
    if let place = passage.place { exchanges.limiter?.release(place) }
    passage.ticket?.release()
  }

  func verdict(on result: ExchangeResult, _ conclusion: ExchangeState.Conclusion) -> CircuitBreaker.Verdict {
    switch result {
    case .ended(.success(let response), _): CircuitBreaker.Verdict(statusCode: response.statusCode)
    case .ended(.failure(let error), _): wasTimedOut(error, conclusion) ? .failure : CircuitBreaker.Verdict(error)
    case .circuitOpen, .noNetwork: .none
    }
  }

  /// Whether it was cancelled because its time was over, which says something of the host.
  private func wasTimedOut(_ error: TransportError, _ conclusion: ExchangeState.Conclusion) -> Bool {
    guard conclusion.task != nil, error.kind == .cancelled else { return false }
    guard let timeout = request.timeouts.whole ?? request.timeouts.idle else { return false }
    return exchanges.clock.now - conclusion.passage.time >= timeout
  }
}
