extension Exchange {
  /// Takes part in an equal exchange that is under way, or begins one.
  func share(_ request: TransportRequest, key: CoalescingKey, plan: CachePlan?) {
    let membership = exchanges.coalescer.join(key, as: self)
    let isWanted = state.withLock { $0.setOut(plan: plan, membership: membership) }
    if !isWanted { leave(membership) }
    if membership.isFirst {
      pass(request.withoutTimeout)
    } else if isWanted {
      if membership.isSent { context.owner.exchangeWasSent() }
      context.owner.exchangeDid(.coalesced)
    }
  }

  /// Tells all who wait for the response that the request goes out: their timeouts begin.
  func tellSent() {
    guard context.coalesces, let membership = state.withLock({ $0.sharedMembership }) else {
      return context.owner.exchangeWasSent()
    }
    for member in exchanges.coalescer.send(membership) { member.context.owner.exchangeWasSent() }
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
  func stop() {
    if let task = state.withLock({ $0.stop() }) { task.cancel() } else { conclude(.cancelledInQueue) }
  }
}

extension TransportRequest {
  /// The same request for an exchange that may be shared: each caller's engine ends its own part in time, and the last one
  /// the exchange. The transport would end it for all at the first caller's timeout.
  fileprivate var withoutTimeout: TransportRequest {
    var request = self
    request.timeouts.whole = TransportTimeouts.longest
    return request
  }
}
