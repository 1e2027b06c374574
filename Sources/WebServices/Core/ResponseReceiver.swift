import Foundation

/// Receives the response of one transfer from the transport. The body of a good response goes to the sink. Another body
/// is collected in memory, because an error or a redirect needs it.
final class ResponseReceiver: TransportRequest.Receiver {
  private struct State {
    /// The head, with the collected beginning of a body that isn't good.
    var response: WebServiceResponse?
    var isForwarding = false
    /// The size of a body that isn't good.
    var count = 0
  }

  private let sink: any ResponseSink
  private let transfer: RequestTransfer
  /// The largest body of a response that isn't good, and how many bytes of it are kept.
  private let limit: Int
  private let keptLimit: Int
  private let begin: @Sendable (WebServiceResponse) -> Bool
  private let fail: @Sendable (TransportError) -> Void
  /// Guards the response so far. The sink and the closures are called after unlocking.
  private let state = Locked(State())

  /// The closures hold the request weakly: a session may retain the receiver for longer than the request lasts.
  init(of transfer: RequestTransfer, in run: RequestRun, for sink: any ResponseSink) {
    self.sink = sink
    self.transfer = transfer
    limit = run.engine.configuration.responseLimit
    // The validators may accept any response of a stream, whose reader then needs the whole body.
    keptLimit = sink.isStream ? limit : min(limit, run.engine.configuration.errorBodyLimit)
    begin = { [weak run] head in run?.responseBegan(head, transfer) ?? false }
    fail = { [weak run] error in run?.drive(.stopped(transfer: transfer.number, error)) }
  }

  func didReceive(head: WebServiceResponse) {
    let head = head.with(fragment: transfer.request.fragment)
    // A layer that sends again inside of one transfer passes on a second response.
    state.withLock { $0 = State(response: head) }
    // `begin` comes first for any head: a head that isn't good takes back that a good one has begun the body.
    guard begin(head), head.isSuccessful else { return }
    state.withLock { $0.isForwarding = true }
    sink.begin(head, transfer: transfer.number, fail: fail)
  }

  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    let (isForwarding, error) = state.withLock { state in
      state.isForwarding ? (true, nil) : (false, collect(piece, in: &state))
    }
    guard !isForwarding else { return sink.receive(piece, transfer: transfer.number, proceed: proceed) }
    // The collected bytes are bounded, so the transport needn't wait.
    proceed()
    if let error { fail(error) }
  }

  /// Collects a piece of a body that isn't good. Called with the lock held.
  ///
  /// - Returns: an error if the body is too large. The request waits for the first of them.
  private func collect(_ piece: Data, in state: inout State) -> TransportError? {
    guard let kept = state.response?.body.count else { return nil }
    state.count += piece.count
    state.response?.body.append(piece.prefix(max(0, keptLimit - kept)))
    return state.count > limit ? .tooLarge(limit: limit, response: state.response) : nil
  }

  /// Completes the transfer's result with the collected body, once the sink has taken its pieces.
  func complete(_ result: TransferResult, then done: @escaping @Sendable (TransferResult) -> Void) {
    var result = result
    // A layer that responds by itself has passed nothing on.
    if case .success(let whole) = result, state.withLock({ $0.response == nil }) {
      result = result.delivered(to: TransportRequest(url: whole.url, receiver: self))
    }
    let collected = state.withLock { $0.response?.body ?? Data() }
    if !collected.isEmpty { result.serverResponse?.body = collected }
    sink.end(result, transfer: transfer.number, then: done)
  }
}
