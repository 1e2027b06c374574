extension Exchange: CoalescerMember {
  /// Takes part in an equal exchange that is under way, or begins one.
  func share(_ request: TransportRequest, key: CoalescingKey, plan: CachePlan?) {
    let membership = exchanges.coalescer.join(key, as: self)
    let isWanted = state.withLock { $0.setOut(plan: plan, membership: membership) }
    if !isWanted { membership.cancel() }
    if membership.isFirst {
      pass(request)
    } else if isWanted {
      context.owner.exchangeWasSent()
      context.owner.exchangeDid(.coalesced)
    }
  }

  func take(_ result: ExchangeResult, isFirst: Bool) {
    let (completion, plan) = state.withLock { $0.takeEnd() }
    tell(completion, isFirst ? result : result.shared, plan: plan)
  }

  func stop() {
    if let task = state.withLock({ $0.stop() }) { task.cancel() } else { conclude(.cancelledInQueue) }
  }
}
