import Foundation

extension RequestRun {
  // MARK: Judge

  func judge(
    _ result: Result<WebServiceResponse, TransportError>, of request: TransportRequest, exchange: Int
  ) {
    let circumstances = state.withLock { state in
      ResponseJudge.Circumstances(
        request: request, steps: state.steps, redirect: state.redirect(engine.configuration),
        canReauthorize: state.canReauthorize(request), isStreaming: state.isStreaming)
    }
    switch ResponseJudge.verdict(on: result, in: circumstances) {
    case .accept(let response):
      advance(.accepted(exchange: exchange), with: .response(response))
    case .follow(let next):
      state.withLock { $0.follow(next, after: exchange) }
      advance(.redirected(exchange: exchange))
    case .reauthorize(let response):
      advance(.unauthorized(exchange: exchange), with: .response(response))
    case .refuse(let refusal):
      advance(.refused(exchange: exchange), with: .refusal(refusal))
    }
  }

  /// No other token could be had. Where the manager can't renew at all, the 401 is the answer; else the reason is.
  ///
  /// - Parameter exchange: what it answered; a second word of the manager's comes when another one is under way.
  func answer(_ response: WebServiceResponse, to exchange: Int, insteadOf error: any Error) {
    if error as? TokenError == .expired {
      advance(.accepted(exchange: exchange), with: .response(response))
    } else {
      advance(
        .refused(exchange: nil),
        with: .refusal(
          ResponseJudge.Refusal(
            kind: .token, message: "the token was refused, and could not be renewed", response: response,
            underlying: error)))
    }
  }

  func pause(after outcome: StationOutcome) {}

  /// The head of a good answer has come: what comes now, comes at the reader's pace.
  ///
  /// - Returns: whether the answer is still wanted.
  func streamBegan(exchange: Int) -> Bool {
    let isWanted = leaveTimeToTransport(exchange: exchange)
    if isWanted { state.withLock { $0.isStreaming = true } }
    return isWanted
  }

  /// What is told of the progress of an exchange. For a file it is also the sign that the server answers: from then on
  /// the time counts from byte to byte.
  func progressHandler(
    exchange: Int, report: (@Sendable (TransportProgress) -> Void)?
  ) -> (@Sendable (TransportProgress) -> Void)? {
    guard plan.sink.isFile else { return report }
    return { [weak self] progress in
      if progress.sent > 0 || progress.received > 0 || progress.expectedToReceive != nil {
        self?.leaveTimeToTransport(exchange: exchange)
      }
      report?(progress)
    }
  }

  /// - Returns: whether the exchange is still wanted.
  @discardableResult
  private func leaveTimeToTransport(exchange: Int) -> Bool {
    let (isWanted, timer): (Bool, (any WebServiceTimer)?) = state.withLock { state in
      guard state.machine.state == .sending, state.machine.exchange == exchange else { return (false, nil) }
      state.isTransportTimed = true
      defer { state.timer = nil }
      return (true, state.timer)
    }
    timer?.cancel()
    return isWanted
  }

  /// Ends an exchange from this side, for what has come of its answer.
  func refuse(_ error: TransportError, exchange: Int) {
    let (request, task) = state.withLock { ($0.request, $0.transportTask) }
    guard let request else { return }
    judge(.failure(error), of: request, exchange: exchange)
    if state.withLock({ $0.machine.state != .sending }) { task?.cancel() }
  }
}
