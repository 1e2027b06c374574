/// Starts one exchange after the other: past the cache, then shared with equal ones, then past the circuit breaker and
/// the limits, to the session. What isn't configured costs nothing.
final class Exchanges: Sendable {
  /// Takes the end of an exchange. A type of its own, since an optional function is wrapped anew, in an object, wherever
  /// it is handed on.
  struct Completion: Sendable {
    let run: @Sendable (ExchangeResult) -> Void
  }

  let session: any URLSessionProtocol
  let reachability: ReachabilityProbe
  let clock: any WebServiceClock
  let cache: ResponseCache?
  let coalescer = Coalescer<CoalescingKey, Exchange>()
  let background = BackgroundExchanges()
  let breakers: CircuitBreakers?
  let limiter: RequestLimiter?
  /// Tells which of a request's fields are somebody's credentials.
  let credentialFields: CredentialFields

  init(session: any URLSessionProtocol, reachability: ReachabilityProbe, configuration: WebServiceConfiguration) {
    self.session = session
    self.reachability = reachability
    clock = configuration.clock
    credentialFields = CredentialFields(redaction: configuration.redaction)
    cache = configuration.cache
    breakers = configuration.circuitBreaker.map { policy in
      CircuitBreakers(policy, clock: configuration.clock, random: configuration.random)
    }
    limiter = configuration.limits.isLimiting ? RequestLimiter(configuration.limits, clock: configuration.clock) : nil
  }

  /// Whether an exchange may have to wait, or be answered by something else than the session.
  var mayHoldUp: Bool { cache != nil || breakers != nil || limiter != nil }

  /// Whether anything is kept of each host.
  var tellsHostsApart: Bool { breakers != nil || limiter != nil }

  /// Prepares an exchange; nothing happens before the task is resumed.
  ///
  /// - Parameter completion: called once at most, on a thread that it must not hold up, also before `resume()` has
  ///   returned; not called where the caller has left what others share.
  func task(
    with request: TransportRequest, context: consuming ExchangeContext, completion: Completion
  ) -> any URLSessionTaskProtocol {
    let cache = Exchange.concernsCache(request) ? cache : nil
    return Exchange(request, cache: cache, exchanges: self, context: context, completion: completion)
  }

  /// Asks the server for a newer answer than the one that the cache had, for those who ask next.
  func refresh(_ cache: ResponseCache, plan: CachePlan, request: TransportRequest, context: ExchangeContext) {
    let number = background.makeNumber()
    let completion = Completion { [self] result in
      background.remove(number: number)
      Exchange.cacheQueue.async {
        switch result {
        case .ended(.success(let response), _): _ = cache.handle(response, plan: plan)
        case .ended(.failure, _), .circuitOpen, .noNetwork: _ = cache.handleError(plan: plan)
        }
      }
    }
    let task = Exchange(
      request, cache: nil, exchanges: self, context: context.inBackground, completion: completion)
    // A cancelled task tells its end: the cache learns that nobody asks any more.
    guard background.add(task, number: number, identity: context.owner.identity) else { return task.cancel() }
    task.resume()
  }
}
