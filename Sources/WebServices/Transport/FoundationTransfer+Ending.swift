import Foundation

/// How a transfer ends, once.
extension FoundationTransfer {
  /// Ends the transfer, unless it has ended: cancels what still runs and tells the owner.
  ///
  /// - Parameters:
  ///   - hops: whether the thread is a caller's or a timer's, which must not run the completion.
  ///   - isDue: whether the transfer is to end in the state that it is in.
  ///   - result: what to tell, of the state that the transfer is in.
  func end(
    hops: Bool, where isDue: (State) -> Bool = { _ in true },
    _ result: (State) -> Result<WebServiceResponse, TransportError>
  ) {
    let taken = state.withLock { state -> State? in
      guard state.phase != .ended, isDue(state) else { return nil }
      state.phase = .ended
      let taken = state
      state = State(phase: .ended)
      return taken
    }
    guard let taken else { return }
    let result = result(taken)
    taken.timers?.stop()
    taken.redirectTimer?.cancel()
    let connections = taken.session?.connections
    if let task = taken.task { connections?.calls.async { task.cancel() } }
    taken.session?.forget(self)
    let completion = taken.completion
    if let sink = taken.sink {
      sink.close { completion?(result) }
    } else if hops, let connections {
      connections.hops.async { completion?(result) }
    } else {
      completion?(result)
    }
  }
}

extension FoundationTransfer: WithdrawableTask {
  /// Ends the transfer where Foundation hasn't been told to send.
  ///
  /// - Returns: what the transfer waited for.
  func withdraw() -> TransportWait? {
    var wait: TransportWait?
    end(hops: true, where: { !$0.wasLaunched }) { state in
      wait = state.wait
      return state.failure(.cancelled, "cancelled")
    }
    return wait
  }
}

extension FoundationTransfer.State {
  /// The response as far as it has come.
  var response: WebServiceResponse? {
    guard var response = head else { return nil }
    response.body = body
    var metrics = metrics ?? TransportMetrics(total: 0)
    if let timers, self.metrics == nil {
      metrics.firstByte = firstByte.map { $0 - timers.start }
      metrics.total = MonotonicTime.seconds - timers.start
    }
    metrics.bytesSent = progress.sent
    metrics.bytesReceived = progress.received
    response.metrics = metrics
    return response
  }

  func failure(
    _ kind: TransportError.Kind, _ message: String
  ) -> Result<WebServiceResponse, TransportError> {
    guard wasLaunched else { return .failure(TransportError(kind, waitingFor: wait)) }
    return .failure(TransportError(kind, message: message, mayHaveReachedServer: true, response: response))
  }
}
