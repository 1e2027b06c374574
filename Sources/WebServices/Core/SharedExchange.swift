import Foundation

/// One caller's part in an exchange that equal requests share.
final class SharedExchange: URLSessionTaskProtocol {
  typealias Start = @Sendable (@escaping Exchanges.Completion) -> any URLSessionTaskProtocol

  private enum Phase {
    case idle
    case joined(Coalescer<CoalescingKey, ExchangeResult>.Membership)
    case over
  }

  private let coalescer: Coalescer<CoalescingKey, ExchangeResult>
  private let key: CoalescingKey
  private let context: ExchangeContext
  private let completion: Exchanges.Completion
  private let start: Start
  private let phase = Locked(Phase.idle)

  init(
    _ coalescer: Coalescer<CoalescingKey, ExchangeResult>, key: CoalescingKey, context: ExchangeContext,
    completion: @escaping Exchanges.Completion, start: @escaping Start
  ) {
    self.coalescer = coalescer
    self.key = key
    self.context = context
    self.completion = completion
    self.start = start
  }

  func resume() {
    if phase.withLock({ if case .over = $0 { true } else { false } }) { return }
    let hasStarted = Locked(false)
    let membership = coalescer.join(key) { [completion] result in
      completion(hasStarted.withLock { $0 } ? result : result.shared)
    } start: { [start] completion in
      hasStarted.withLock { $0 = true }
      let task = start(completion)
      task.resume()
      return { task.cancel() }
    }
    if !hasStarted.withLock({ $0 }) {
      context.onSent()
      context.record(.coalesced)
    }
    let isCancelled = phase.withLock { phase in
      if case .over = phase { return true }
      phase = .joined(membership)
      return false
    }
    if isCancelled { membership.cancel() }
  }

  func cancel() {
    let former = phase.withLock { phase in
      defer { phase = .over }
      return phase
    }
    if case .joined(let membership) = former { membership.cancel() }
  }
}
