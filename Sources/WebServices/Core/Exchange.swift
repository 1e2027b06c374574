import Foundation

/// One exchange that something may stand in the way of: a cache that knows the answer, an equal exchange that is under
/// way, no network, an open circuit, limits.
///
/// The caller's part and the one that goes to the network end apart from each other: a caller may leave what others
/// share.
final class Exchange: URLSessionTaskProtocol {
  let request: TransportRequest
  /// `nil` where no cache has anything to do with the request.
  let cache: ResponseCache?
  let exchanges: Exchanges
  let context: ExchangeContext
  /// Whose circuit and limits it is about; empty where nothing is kept of hosts.
  let host: String
  let state: Locked<ExchangeState>
  /// Whether it is on its way with its first step: no cache is asked before, and no equal one looked for.
  private let isAlone: Bool

  init(
    _ request: TransportRequest, cache: ResponseCache?, exchanges: Exchanges, context: ExchangeContext,
    completion: Exchanges.Completion
  ) {
    self.request = request
    self.cache = cache
    self.exchanges = exchanges
    host = exchanges.tellsHostsApart ? request.target?.origin.hostAndPort ?? "" : ""
    isAlone = cache == nil && !context.coalesces
    self.context = context
    let stage = isAlone ? ExchangeState.Stage.underWay : .preparing
    state = Locked(ExchangeState(stage: stage, completion: completion))
  }

  func resume() {
    if let cache { ask(cache) } else { setOut(with: request) }
  }

  /// Goes on behind the cache.
  ///
  /// - Parameters:
  ///   - request: as it is to be sent.
  ///   - plan: what the cache wants to see again with the answer.
  func setOut(with request: TransportRequest, plan: CachePlan? = nil) {
    if context.coalesces, let key = CoalescingKey(request) {
      share(request, key: key, plan: plan)
    } else if isAlone || state.withLock({ $0.setOut(plan: plan) }) {
      pass(request)
    }
  }

  func cancel() {
    switch state.withLock({ $0.cancel() }) {
    case .leave(let membership, _): leave(membership)
    case .end(let task): task.cancel()
    case .conclude: conclude(.cancelledInQueue)
    case .tell(let completion): completion?.run(.cancelledInQueue)
    }
  }

  /// It has been to the network, or won't go there.
  func conclude(_ result: ExchangeResult) {
    if let conclusion = state.withLock({ $0.conclude() }) { conclude(result, conclusion) }
  }

  private func conclude(_ result: ExchangeResult, _ conclusion: ExchangeState.Conclusion) {
    conclusion.wait?.cancel()
    giveBack(conclusion.passage, verdict: verdict(on: result, conclusion))
    guard let membership = conclusion.membership else { return tell(conclusion.end, result) }
    let others = exchanges.coalescer.end(membership)
    tell(conclusion.end, result)
    for other in others { other.take(result.shared) }
  }

  func tell(_ end: ExchangeState.End, _ result: ExchangeResult) {
    guard let completion = end.completion else { return }
    if let cache, let plan = end.plan {
      settle(result, with: cache, plan: plan, completion: completion)
    } else {
      completion.run(result)
    }
  }
}

extension Exchange: WithdrawableTask {
  /// The last of those who share an exchange takes all of it back; where others wait on, it may still be sent for them.
  func withdraw() -> TransportWait? {
    guard let membership = state.withLock({ $0.sharedMembership }) else { return takeBack() }
    guard case .nobody(let opener) = exchanges.coalescer.leave(membership) else { return nil }
    let wait = opener.takeBack()
    opener.stop()
    return wait
  }

  /// Takes back what hasn't been sent.
  private func takeBack() -> TransportWait? {
    switch state.withLock({ $0.takeBack() }) {
    case .task(let task):
      return task.withdrawIfUnsent()
    case .network(let conclusion):
      conclude(.cancelledInQueue, conclusion)
      return .network
    case .turn(let conclusion):
      conclude(.cancelledInQueue, conclusion)
      return .turn(host: host, limit: exchanges.limiter?.placesPerHost)
    case nil:
      return nil
    }
  }
}
