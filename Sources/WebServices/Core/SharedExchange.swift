import Foundation

/// One caller's part in an exchange that equal requests share.
final class SharedExchange: URLSessionTaskProtocol, CoalescerMember {
  private struct State {
    var isOver = false
    var membership: Coalescer<CoalescingKey, SharedExchange>.Membership?
  }

  private let request: TransportRequest
  private let key: CoalescingKey
  private let exchanges: Exchanges
  private let context: ExchangeContext
  private let completion: Exchanges.Completion
  private let state = Locked(State())

  init(
    _ request: TransportRequest, key: CoalescingKey, exchanges: Exchanges, context: ExchangeContext,
    completion: @escaping Exchanges.Completion
  ) {
    self.request = request
    self.key = key
    self.exchanges = exchanges
    self.context = context
    self.completion = completion
  }

  func resume() {
    if state.withLock({ $0.isOver }) { return }
    let membership = exchanges.coalescer.join(key, as: self)
    if membership.isFirst {
      start(membership)
    } else {
      context.owner.exchangeWasSent()
      context.owner.exchangeDid(.coalesced)
    }
    let isOver = state.withLock { state in
      if !state.isOver { state.membership = membership }
      return state.isOver
    }
    if isOver { membership.cancel() }
  }

  /// Sends what all of them wait for.
  private func start(_ membership: Coalescer<CoalescingKey, SharedExchange>.Membership) {
    let task = exchanges.networkTask(with: request, context: context) { membership.end(with: $0) }
    membership.keep(task)
    task.resume()
  }

  func take(_ result: ExchangeResult, isFirst: Bool) {
    completion(isFirst ? result : result.shared)
  }

  func cancel() {
    let former = state.withLock { state in
      defer { state = State(isOver: true) }
      return state
    }
    former.membership?.cancel()
  }
}
