extension RequestRun {
  /// Takes an answer in pieces; `nil` where it is collected in memory.
  func makeReceiver(exchange: Int) -> StreamReceiver? {
    switch plan.sink {
    case .memory: nil
    case .stream(let relay): makeReceiver(exchange: exchange, reader: relay, kept: engine.configuration.responseLimit)
    case .file(let file):
      makeReceiver(
        exchange: exchange, reader: file.makeWriter(exchange: exchange, onFailure: refusing(exchange)),
        kept: min(engine.configuration.responseLimit, engine.configuration.errorBodyLimit))
    }
  }

  private func makeReceiver(exchange: Int, reader: any AnswerReader, kept: Int) -> StreamReceiver {
    let refuse = refusing(exchange)
    let limits = StreamReceiver.Limits(taken: engine.configuration.responseLimit, kept: kept)
    let fragment = state.withLock { $0.request?.fragment }
    return StreamReceiver(reader: reader, limits: limits, fragment: fragment) { [weak self] head in
      self?.answerBegan(head, exchange: exchange) ?? false
    } overflow: {
      refuse($0)
    }
  }

  /// What ends an exchange for a reason of ours.
  private func refusing(_ exchange: Int) -> @Sendable (TransportError) -> Void {
    { [weak self] in self?.refuse($0, exchange: exchange) }
  }

  /// The head of an answer has come: what comes behind that of a good one, comes at the reader's pace.
  ///
  /// - Returns: whether the answer is still wanted.
  private func answerBegan(_ head: WebServiceResponse, exchange: Int) -> Bool {
    guard head.isSuccessful else { return takeTimeFromTransport(exchange: exchange) }
    let isWanted = leaveTimeToTransport(exchange: exchange)
    if isWanted, case .stream = plan.sink { state.withLock { $0.isStreaming = true } }
    return isWanted
  }

  /// What is told of the progress of an exchange. Where the answer goes into a file, the time counts from byte to byte of
  /// the request too.
  func progressHandler(
    exchange: Int, report: (@Sendable (TransportProgress) -> Void)?
  ) -> (@Sendable (TransportProgress) -> Void)? {
    guard plan.sink.file != nil else { return report }
    return { [weak self] progress in
      if progress.sent > 0, progress.received == 0, progress.expectedToReceive == nil {
        self?.leaveTimeToTransport(exchange: exchange)
      }
      report?(progress)
    }
  }

  /// - Returns: whether the exchange is still wanted.
  @discardableResult
  private func leaveTimeToTransport(exchange: Int) -> Bool {
    let (isWanted, timer): (Bool, (any WebServiceTimer)?) = state.withLock { state in
      guard state.isUnderWay(exchange) else { return (false, nil) }
      state.isTransportTimed = true
      defer { state.timer = nil }
      return (true, state.timer)
    }
    timer?.cancel()
    return isWanted
  }

  /// An answer that isn't wanted may not take any time.
  ///
  /// - Returns: whether the exchange is still waited for.
  private func takeTimeFromTransport(exchange: Int) -> Bool {
    let (isWanted, wasTransportTimed) = state.withLock { state in
      guard state.isUnderWay(exchange) else { return (false, false) }
      defer { state.isTransportTimed = false }
      return (true, state.isTransportTimed)
    }
    if wasTransportTimed { startTimer() }
    return isWanted
  }
}
