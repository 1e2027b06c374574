extension RequestRun {
  /// Makes what takes the response in pieces; `nil` if the response is collected in memory.
  func makeReceiver(_ transfer: RequestTransfer) -> StreamReceiver? {
    let limit = engine.configuration.responseLimit
    switch plan.sink {
    case .memory:
      return nil
    case .stream(let relay):
      return makeReceiver(transfer, reader: relay, kept: limit)
    case .file(let file):
      let writer = file.makeWriter(exchange: transfer.number) { [weak self] error in
        self?.drive(.stopped(transfer: transfer.number, error))
      }
      return makeReceiver(transfer, reader: writer, kept: min(limit, engine.configuration.errorBodyLimit))
    }
  }

  private func makeReceiver(_ transfer: RequestTransfer, reader: any AnswerReader, kept: Int) -> StreamReceiver {
    let limits = StreamReceiver.Limits(taken: engine.configuration.responseLimit, kept: kept)
    return StreamReceiver(reader: reader, limits: limits, fragment: transfer.request.fragment) { [weak self] head in
      self?.responseBegan(head, transfer) ?? false
    } overflow: { [weak self] error in
      self?.drive(.stopped(transfer: transfer.number, error))
    }
  }

  /// Leaves the time of a success to the transport: its body comes at the reader's pace. The engine's timer limits any
  /// other response.
  ///
  /// - Returns: whether the request still waits for the transfer.
  private func responseBegan(_ head: WebServiceResponse, _ transfer: RequestTransfer) -> Bool {
    if head.isSuccessful {
      return stopTimer(of: transfer.number, plan.sink.file == nil ? .streaming : .flowing)
    }
    let former = state.withLock { $0.machine.setProgress(.waiting, of: transfer.number) }
    if former == .flowing { startTimer(transfer.request.timeouts, attempt: transfer.attempt) }
    return former != nil
  }

  /// Takes the progress of a transfer. If the response goes to a file, the time of the request's body counts from byte to
  /// byte too.
  func progressHandler(
    transfer: Int, report: (@Sendable (TransportProgress) -> Void)?
  ) -> (@Sendable (TransportProgress) -> Void)? {
    guard plan.sink.file != nil else { return report }
    return { [weak self] progress in
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
