import Foundation

/// Takes the pieces of one exchange: on to the reader where the status is a success, and into memory where it isn't, for
/// the error or the redirect that will come of it.
final class StreamReceiver: TransportReceiver {
  fileprivate struct State {
    var isForwarding = false
    var collected = Data()
    var isTooLarge = false
    var head: WebServiceResponse?
  }

  private let relay: StreamRelay
  private let errorLimit: Int
  private let begin: @Sendable () -> Bool
  private let overflow: @Sendable (TransportError) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - relay: where the pieces of a good answer go.
  ///   - errorLimit: the largest body, in bytes, of another one.
  ///   - begin: called with the head of a good answer; says whether it is still wanted.
  ///   - overflow: called once where the body of another answer is too large; it ends the exchange.
  init(
    relay: StreamRelay, errorLimit: Int, begin: @escaping @Sendable () -> Bool,
    overflow: @escaping @Sendable (TransportError) -> Void = { _ in }
  ) {
    self.relay = relay
    self.errorLimit = errorLimit
    self.begin = begin
    self.overflow = overflow
  }

  func didReceive(head: WebServiceResponse) {
    state.withLock { $0.head = head }
    guard head.isSuccessful, begin() else { return }
    state.withLock { $0.isForwarding = true }
    relay.receive(head: head)
  }

  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    let (isForwarding, tooLarge): (Bool, TransportError?) = state.withLock { state in
      guard !state.isForwarding else { return (true, nil) }
      guard !state.isTooLarge else { return (false, nil) }
      state.isTooLarge = piece.count > errorLimit - state.collected.count
      if !state.isTooLarge { state.collected.append(piece) }
      return (false, state.isTooLarge ? .tooLarge(limit: errorLimit, response: state.answer) : nil)
    }
    guard !isForwarding else { return relay.receive(piece, proceed: proceed) }
    proceed()
    if let tooLarge { overflow(tooLarge) }
  }

  /// The exchange's result with what was kept of the body.
  func completed(_ result: ExchangeResult) -> ExchangeResult {
    guard case .ended(let result, let source) = result else { return result }
    return .ended(completed(result), source)
  }

  private func completed(
    _ result: Result<WebServiceResponse, TransportError>
  ) -> Result<WebServiceResponse, TransportError> {
    let (collected, isTooLarge) = state.withLock { ($0.collected, $0.isTooLarge) }
    switch result {
    case .success(var response):
      if !collected.isEmpty { response.body = collected }
      return isTooLarge ? .failure(.tooLarge(limit: errorLimit, response: response)) : .success(response)
    case .failure(var error):
      if !collected.isEmpty { error.response?.body = collected }
      return .failure(error)
    }
  }
}

extension StreamReceiver.State {
  /// The head and what was kept of the body.
  fileprivate var answer: WebServiceResponse? {
    var answer = head
    answer?.body = collected
    return answer
  }
}
