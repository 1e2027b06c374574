import Foundation

/// How an exchange ends, once.
extension FoundationTransfer {
  /// Ends the exchange, unless it has ended: cancels what still runs and tells the owner.
  ///
  /// - Parameters:
  ///   - hops: whether the thread is a caller's or a timer's, which must not run the completion.
  ///   - result: what to tell, of the state that the exchange is in.
  func end(
    hops: Bool, _ result: (State) -> Result<WebServiceResponse, TransportError>
  ) {
    let taken = state.withLock { state -> State? in
      guard state.phase != .ended else { return nil }
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
      sink.close { failure in completion?(result.unless(failure)) }
    } else if hops, let connections {
      connections.hops.async { completion?(result) }
    } else {
      completion?(result)
    }
  }
}

extension FoundationTransfer.State {
  /// What has come of the answer.
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
    .failure(
      TransportError(kind, message: message, mayHaveReachedServer: wasLaunched, response: response))
  }
}
