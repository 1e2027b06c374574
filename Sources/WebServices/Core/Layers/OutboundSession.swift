/// The innermost session of a service with layers. It tells the engine that a request is sent, and makes sure that
/// every session runs a completion only once.
struct OutboundSession: WrappingSession {
  let next: any URLSessionProtocol

  func transferTask(with request: TransportRequest, completion: @escaping Completion) -> any URLSessionTaskProtocol {
    let observer = request.context.observer
    let isFirst = Once()
    let end: Completion = { result in
      guard isFirst() else { return }
      observer?.transferDidEnd(result)
      completion(result)
    }
    return OutboundTask(task: next.transferTask(with: request, completion: end), observer: observer, end: end)
  }
}

/// Passes a task through. The first call, `resume` or `cancel`, decides whether the request is sent. A `HeldTask` would
/// do more than that, and every request with a layer would pay for it.
private struct OutboundTask: WithdrawableTask {
  let task: any URLSessionTaskProtocol
  let observer: (any TransferObserver)?
  let end: HeldTask.Completion
  private let isFirstCall = Once()

  func resume() {
    guard isFirstCall() else { return }
    if let refusal = observer?.refusal() { return drop(refusal) }
    observer?.transferIsSent()
    observer?.transferDid(.sent)
    task.resume()
  }

  func cancel() { isFirstCall() ? drop(.cancelledUnsent) : task.cancel() }

  func withdraw() -> UnsentReason? { task.withdrawIfUnsent() }

  /// Ends a task that was never resumed. An app's session needn't complete such a task.
  private func drop(_ error: TransportError) {
    end(.failure(error))
    task.cancel()
  }
}
