import Foundation

/// Takes the pieces of one exchange: on to the reader where the status is a success, and into memory where it isn't, for
/// the error or the redirect that will come of it.
final class StreamReceiver: TransportReceiver {
  /// How many bytes of an answer that isn't a success are taken, and how many of them are kept.
  struct Limits: Sendable {
    var taken: Int
    var kept: Int
  }

  fileprivate struct State {
    var isForwarding = false
    var collected = Data()
    var count = 0
    var isTooLarge = false
    var head: WebServiceResponse?
  }

  private let reader: any AnswerReader
  private let limits: Limits
  private let fragment: String?
  private let begin: @Sendable (WebServiceResponse) -> Bool
  private let overflow: @Sendable (TransportError) -> Void
  private let state = Locked(State())

  /// - Parameters:
  ///   - reader: where the pieces of a good answer go.
  ///   - fragment: the fragment that belongs to the request's URL.
  ///   - begin: called with the head; says, of a good answer's, whether it is still wanted.
  ///   - overflow: called once where the body of another answer is too large; it ends the exchange.
  init(
    reader: any AnswerReader, limits: Limits, fragment: String? = nil,
    begin: @escaping @Sendable (WebServiceResponse) -> Bool,
    overflow: @escaping @Sendable (TransportError) -> Void = { _ in }
  ) {
    self.reader = reader
    self.limits = limits
    self.fragment = fragment
    self.begin = begin
    self.overflow = overflow
  }

  func didReceive(head: WebServiceResponse) {
    let head = head.with(fragment: fragment)
    state.withLock { $0.head = head }
    guard begin(head), head.isSuccessful else { return }
    state.withLock { $0.isForwarding = true }
    reader.receive(head: head)
  }

  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    let (isForwarding, tooLarge): (Bool, TransportError?) = state.withLock { state in
      guard !state.isForwarding else { return (true, nil) }
      guard !state.isTooLarge else { return (false, nil) }
      state.isTooLarge = piece.count > limits.taken - state.count
      state.count += piece.count
      state.collected.append(piece.prefix(max(0, limits.kept - state.collected.count)))
      return (false, state.isTooLarge ? .tooLarge(limit: limits.taken, response: state.answer) : nil)
    }
    guard !isForwarding else { return reader.receive(piece, proceed: proceed) }
    proceed()
    if let tooLarge { overflow(tooLarge) }
  }

  /// Hands on the exchange's result with what was kept of the body, once the reader has taken what is its own.
  func complete(_ result: ExchangeResult, then judge: @escaping @Sendable (ExchangeResult) -> Void) {
    guard case .ended(let ended, let source) = result else { return judge(result) }
    let completed = completed(ended)
    reader.close { failure in
      judge(.ended(failure.map { .failure($0) } ?? completed, source))
    }
  }

  private func completed(
    _ result: Result<WebServiceResponse, TransportError>
  ) -> Result<WebServiceResponse, TransportError> {
    let (collected, isTooLarge) = state.withLock { ($0.collected, $0.isTooLarge) }
    switch result {
    case .success(var response):
      if !collected.isEmpty { response.body = collected }
      return isTooLarge ? .failure(.tooLarge(limit: limits.taken, response: response)) : .success(response)
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
