/// Starts one exchange after the other: past the cache, then shared with equal ones, then past the circuit breaker and
/// the limits, to the session. What isn't configured costs nothing.
final class Exchanges: Sendable {
  typealias Completion = @Sendable (ExchangeResult) -> Void

  let session: any URLSessionProtocol
  let reachability: any ReachabilityCheckable
  let clock: any WebServiceClock
  let cache: ResponseCache?
  let coalescer = Coalescer<CoalescingKey, SharedExchange>()
  let background = BackgroundExchanges()
  let breakers: CircuitBreakers?
  let limiter: RequestLimiter?
  /// Tells which of a request's fields are somebody's credentials.
  let credentialFields: CredentialFields

  init(session: any URLSessionProtocol, reachability: any ReachabilityCheckable, configuration: WebServiceConfiguration)
  {
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

  /// Prepares an exchange; nothing happens before the task is resumed.
  ///
  /// - Parameter completion: called once, on a thread that it must not hold up, also before `resume()` has returned.
  func task(
    with request: TransportRequest, context: ExchangeContext, completion: @escaping Completion
  ) -> any URLSessionTaskProtocol {
    guard let cache, CachedExchange.concerns(request) else {
      return sharedTask(with: request, context: context, completion: completion)
    }
    return CachedExchange(request, cache: cache, exchanges: self, context: context, completion: completion)
  }

  /// Shares the exchange with equal ones, where the request lets that be.
  func sharedTask(
    with request: TransportRequest, context: ExchangeContext, completion: @escaping Completion
  ) -> any URLSessionTaskProtocol {
    guard context.coalesces, let key = CoalescingKey(request) else {
      return networkTask(with: request, context: context, completion: completion)
    }
    return SharedExchange(request, key: key, exchanges: self, context: context, completion: completion)
  }

  func networkTask(
    with request: TransportRequest, context: ExchangeContext, completion: @escaping Completion
  ) -> any URLSessionTaskProtocol {
    guard breakers != nil || limiter != nil || context.isOffline else {
      return plainTask(with: request, context: context, completion: completion)
    }
    return NetworkExchange(request, exchanges: self, context: context, completion: completion)
  }

  private func plainTask(
    with request: TransportRequest, context: ExchangeContext, completion: @escaping Completion
  ) -> any URLSessionTaskProtocol {
    let task = session.transferTask(with: request) { completion(.ended($0)) }
    return PlainExchange(task: task, context: context)
  }
}

/// An exchange that nothing stands in the way of.
private struct PlainExchange: URLSessionTaskProtocol {
  let task: any URLSessionTaskProtocol
  let context: ExchangeContext

  func resume() {
    context.owner.exchangeWasSent()
    context.owner.exchangeDid(.sent)
    task.resume()
  }

  func cancel() {
    task.cancel()
  }
}
