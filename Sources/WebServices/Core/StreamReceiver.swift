import Foundation

/// Takes the pieces of one exchange: on to the reader where the status is a success, and into memory where it isn't, for
/// the error or the redirect that will come of it.
final class StreamReceiver: TransportReceiver {
  private struct State {
    var isForwarding = false
    var collected = Data()
    var isTooLarge = false
  }

  private let relay: StreamRelay
  private let errorLimit: Int
  private let begin: @Sendable () -> Bool
  private let state = Locked(State())

  /// - Parameters:
  ///   - relay: where the pieces of a good answer go.
  ///   - errorLimit: the largest body, in bytes, of another one.
  ///   - begin: called with the head of a good answer; says whether it is still wanted.
  init(relay: StreamRelay, errorLimit: Int, begin: @escaping @Sendable () -> Bool) {
    self.relay = relay
    self.errorLimit = errorLimit
    self.begin = begin
  }

  func didReceive(head: WebServiceResponse) {
    guard head.isSuccessful, begin() else { return }
    state.withLock { $0.isForwarding = true }
    relay.receive(head: head)
  }

  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    let isForwarding = state.withLock { state in
      guard !state.isForwarding else { return true }
      state.isTooLarge = state.isTooLarge || state.collected.count + piece.count > errorLimit
      if !state.isTooLarge { state.collected.append(piece) }
      return false
    }
    if isForwarding { relay.receive(piece, proceed: proceed) } else { proceed() }
  }

  /// The exchange's result with what was kept of the body.
  func completed(_ result: Result<WebServiceResponse, TransportError>) -> Result<WebServiceResponse, TransportError> {
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
