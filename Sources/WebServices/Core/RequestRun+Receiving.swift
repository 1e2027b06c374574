extension RequestRun {
  /// Makes the receiver that passes the response of a transfer to a sink.
  func makeReceiver(_ transfer: RequestTransfer, for sink: any ResponseSink) -> any SinkReceiver {
    // The closures hold the request weakly: a session may retain the receiver for longer than the request lasts.
    sink.makeReceiver(
      transfer: transfer.number, configuration: engine.configuration, fragment: transfer.request.fragment
    ) { [weak self] head in
      self?.responseBegan(head, transfer) ?? false
    } fail: { [weak self] error in
      self?.drive(.stopped(transfer: transfer.number, error))
    }
  }

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
    let (isWanted, timer): (Bool, (any WebServiceTimer)?) = state.withLock { state in
      let isWanted = state.machine.begin(transfer.number, isGood: head.isSuccessful)
      return (isWanted, isWanted && head.isSuccessful ? state.timer.take() : nil)
    }
    timer?.cancel()
    return isWanted
  }
}
