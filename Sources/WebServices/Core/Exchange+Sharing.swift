extension Exchange {
  /// Takes part in an equal exchange that is under way, or begins one.
  func share(_ request: TransportRequest, key: CoalescingKey, plan: CachePlan?) {
    let membership = exchanges.coalescer.join(key, as: self)
    let isWanted = state.withLock { $0.setOut(plan: plan, membership: membership) }
    if !isWanted { leave(membership) }
    if membership.isFirst {
      pass(request)
    } else if isWanted {
      context.owner.exchangeWasSent()
      context.owner.exchangeDid(.coalesced)
    }
  }

  /// Takes the outcome of the exchange that it has joined.
  func take(_ result: ExchangeResult) {
    tell(state.withLock { $0.takeEnd() }, result)
  }

  /// Leaves what others may share.
  func leave(_ membership: ExchangeState.Membership) {
    if case .nobody(let opener) = exchanges.coalescer.leave(membership) { opener.stop() }
  }

  /// Ends what others have shared, and have all left.
  private func stop() {
    if let task = state.withLock({ $0.stop() }) { task.cancel() } else { conclude(.cancelledInQueue) }
  }
}
