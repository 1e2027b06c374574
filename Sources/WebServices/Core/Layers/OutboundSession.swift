/// The innermost session of a service with layers. It tells the engine that a request is sent, and makes sure that
/// every session runs a completion only once.
struct OutboundSession: WrappingSession {
  let next: any URLSessionProtocol

  func transferTask(with request: TransportRequest, completion: @escaping Completion) -> any URLSessionTaskProtocol {
    let observer = request.context.observer
    let transfer = Locked(OutboundTransfer(observer: observer, completion: completion))
    let task = next.transferTask(with: request) { transfer.end($0) }
    return OutboundTask(task: task, observer: observer, transfer: transfer)
  }
}

/// The state that a task shares with the completion of its transfer.
private struct OutboundTransfer: Sendable {
  let observer: (any TransferObserver)?
  let completion: HeldTask.Completion
  var isDecided = false
}

extension Locked<OutboundTransfer> {
  /// Whether this is the first call.
  fileprivate func decide() -> Bool { !withLock { exchange(&$0.isDecided, with: true) } }

  /// Ends the transfer, unless it has ended. Releases the completion, because an app's completion may retain the task.
  fileprivate func end(_ result: Result<WebServiceResponse, TransportError>) {
    let ended = OutboundTransfer(observer: nil, completion: { _ in }, isDecided: true)
    let former = withLock { exchange(&$0, with: ended) }
    former.observer?.transferDidEnd(result)
    former.completion(result)
  }
}

/// Passes a task through. The first call, `resume` or `cancel`, decides whether the request is sent. A `HeldTask` would
/// do more than that, and every request with a layer would pay for it.
private struct OutboundTask: WithdrawableTask {
  let task: any URLSessionTaskProtocol
  let observer: (any TransferObserver)?
  let transfer: Locked<OutboundTransfer>

  func resume() {
    guard transfer.decide() else { return }
    if let refusal = observer?.refusal() { return drop(refusal) }
    observer?.transferIsSent()
    observer?.transferDid(.sent)
    task.resume()
  }

  func cancel() { transfer.decide() ? drop(.cancelledUnsent) : task.cancel() }

  func withdraw() -> UnsentReason? { task.withdrawIfUnsent() }

  /// Ends a task that was never resumed. An app's session needn't complete such a task.
  private func drop(_ error: TransportError) {
    transfer.end(.failure(error))
    task.cancel()
  }
}
