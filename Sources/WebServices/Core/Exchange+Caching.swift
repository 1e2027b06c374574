import Dispatch

extension Exchange {
  /// Where a cache is asked that may have to read files.
  static let cacheQueue = DispatchQueue(
    label: "WebServices.Cache", qos: .userInitiated, attributes: .concurrent)

  /// Whether a cache has anything to do with the request: what is collected in memory, and what may make a stored answer
  /// obsolete.
  static func concernsCache(_ request: TransportRequest) -> Bool {
    guard case .memory = request.destination else { return !request.method.isSafe }
    return true
  }

  func ask(_ cache: ResponseCache) {
    guard cache.store.isImmediate else { return Self.cacheQueue.async { [self] in follow(makePlan(cache), cache) } }
    follow(makePlan(cache), cache)
  }

  private func makePlan(_ cache: ResponseCache) -> CachePlan {
    let identity = cache.identity(
      of: request, credentialNames: context.credentialNames, fields: exchanges.credentialFields)
    return cache.plan(for: request, identity: identity, policy: context.cachePolicy, isRetry: context.isRetry)
  }

  private func follow(_ plan: CachePlan, _ cache: ResponseCache) {
    switch plan.step {
    case .deliver(let response):
      deliver(response)
    case .deliverAndSend(let response, let request):
      deliver(response)
      exchanges.refresh(cache, plan: plan, request: request, context: context)
    case .send(let request):
      setOut(with: request, plan: plan)
    }
  }

  private func deliver(_ response: WebServiceResponse) {
    guard let completion = state.withLock({ $0.takeEnd() }).completion else { return }
    if response.headers["Age"] != nil { context.owner.exchangeDid(.cached(.hit)) }
    completion.run(.ended(.success(response), .cache))
  }

  /// Lets the cache make of an outcome what it will, and tells that.
  func settle(
    _ result: ExchangeResult, with cache: ResponseCache, plan: CachePlan,
    completion: Exchanges.Completion
  ) {
    guard cache.store.isImmediate else {
      return Self.cacheQueue.async { [self] in take(result, with: cache, plan: plan, completion: completion) }
    }
    take(result, with: cache, plan: plan, completion: completion)
  }

  private func take(
    _ result: ExchangeResult, with cache: ResponseCache, plan: CachePlan, completion: Exchanges.Completion
  ) {
    switch result {
    case .ended(.success(let response), let source):
      switch cache.outcome(of: response, plan: plan) {
      case nil:
        completion.run(result)
      case .response(let answer) where answer.statusCode != response.statusCode:
        // What came isn't what is given.
        if source == .network {
          context.owner.exchangeDid(
            .received(
              status: response.statusCode, bytes: Int64(response.body.count), metrics: response.metrics))
        }
        context.owner.exchangeDid(.cached(response.statusCode == 304 ? .revalidated : .stale))
        completion.run(.ended(.success(answer), .cache))
      case .response(let answer):
        completion.run(.ended(.success(answer), source))
      case .sendAgain(let plan):
        sendAgain(plan, completion: completion)
      }
    case .ended(.failure(let error), _) where error.kind == .cancelled:
      completion.run(result)
    case .ended(.failure, _), .circuitOpen, .noNetwork:
      guard let standIn = cache.handleError(plan: plan) else { return completion.run(result) }
      context.owner.exchangeDid(.cached(.stale))
      completion.run(.ended(.success(standIn), .cache))
    }
  }

  /// The server confirmed what isn't stored: the whole answer is asked for.
  private func sendAgain(_ plan: CachePlan, completion: Exchanges.Completion) {
    let next = Exchange(plan.request, cache: cache, exchanges: exchanges, context: context, completion: completion)
    let isWanted = state.withLock { $0.goOn(with: next) }
    isWanted ? next.setOut(with: plan.request, plan: plan) : next.cancel()
  }
}
