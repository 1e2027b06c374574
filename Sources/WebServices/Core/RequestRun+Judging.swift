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
  func answer(_ response: WebServiceResponse, insteadOf error: any Error) {
    if error as? TokenError == .expired {
      advance(.accepted(exchange: state.withLock { $0.machine.exchange }), with: .response(response))
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
    let (isWanted, timer): (Bool, (any WebServiceTimer)?) = state.withLock { state in
      guard state.machine.state == .sending, state.machine.exchange == exchange else { return (false, nil) }
      state.isStreaming = true
      defer { state.timer = nil }
      return (true, state.timer)
    }
    timer?.cancel()
    return isWanted
  }
}
