extension RequestRun {
  /// Makes the receiver that passes the response of a transfer to a sink.
  func makeReceiver(_ transfer: RequestTransfer, for sink: any ResponseSink) -> ResponseReceiver {
    // The closures hold the request weakly: a session may retain the receiver for longer than the request lasts.
    ResponseReceiver(
      sink: sink, transfer: transfer.number, configuration: engine.configuration, fragment: transfer.request.fragment
    ) { [weak self] head in
      self?.responseBegan(head, transfer) ?? false
    } fail: { [weak self] error in
      self?.drive(.stopped(transfer: transfer.number, error))
    }
  }

  /// Whether the response goes to a file.
  var isDownload: Bool { sink.map { !$0.isStream } ?? false }

  /// Whether a cancel, a deadline, a reset or a sign-out has ended the request.
  package var isInterrupted: Bool {
    // A sign-out may not have interrupted this request yet. Requests without credentials don't ask the registry.
    state.withLock { $0.machine.interruption != nil } || identity != .none && !engine.registry.admits(identity)
  }

  /// Stops the engine's timer if the response is a success, whose body may take any time as a whole. The transport then
  /// limits the time between two bytes. The engine's timer limits any other response.
  ///
  /// - Returns: whether the request still waits for the transfer.
  private func responseBegan(_ head: WebServiceResponse, _ transfer: RequestTransfer) -> Bool {
    if head.isSuccessful {
      return stopTimer(of: transfer.number, isDownload ? .flowing : .streaming)
    }
    let former = state.withLock { $0.machine.setProgress(.waiting, of: transfer.number) }
    // Progress of the request's body has stopped the timer. This response gets the whole time again.
    if former == .flowing { startTimer(transfer.request.timeouts, attempt: transfer.attempt) }
    return former != nil
  }

  /// Makes the progress handler of a transfer. For a download, the handler stops the engine's timer while the request's
  /// body is sent: the transport limits the time between two bytes.
  func progressHandler(
    transfer: Int, report: (@Sendable (TransportRequest.Progress) -> Void)?
  ) -> (@Sendable (TransportRequest.Progress) -> Void)? {
    guard isDownload else { return report }
    return { [weak self] progress in
      // The request's body is being sent, and no head has come.
      if progress.sent > 0, progress.received == 0, progress.expectedToReceive == nil {
        self?.stopTimer(of: transfer, .flowing)
      }
      report?(progress)
    }
  }

  /// - Returns: whether the request still waits for the transfer.
  @discardableResult
  private func stopTimer(of transfer: Int, _ progress: RequestTransfer.Progress) -> Bool {
    let (isWanted, timer): (Bool, (any WebServiceTimer)?) = state.withLock { state in
      guard state.machine.setProgress(progress, of: transfer) != nil else { return (false, nil) }
      return (true, state.timer.take())
    }
    timer?.cancel()
    return isWanted
  }
}
