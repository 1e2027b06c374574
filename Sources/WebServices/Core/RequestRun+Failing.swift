import Foundation

extension RequestRun {
  // MARK: Timers

  func startTimer() {
    let (timeout, attempt) = state.withLock { state in
      (state.request?.timeouts.whole ?? state.request?.timeouts.idle, state.machine.attempt)
    }
    let timer = engine.configuration.clock.schedule(after: timeout ?? engine.configuration.timeout) { [weak self] in
      self?.timeOut(attempt: attempt)
    }
    let obsolete: (any WebServiceTimer)? = state.withLock { state in
      guard state.machine.isWaiting else { return timer }
      defer { state.timer = timer }
      return state.timer
    }
    obsolete?.cancel()
  }

  private func timeOut(attempt: Int) {
    guard state.withLock({ $0.machine.attempt == attempt && !$0.isTransportTimed }) else { return }
    interrupt(.timedOut)
  }

  // MARK: Errors

  func refuse(_ kind: WebServiceError.Kind, _ message: String, underlying: (any Error)? = nil) {
    advance(
      .refused(exchange: nil),
      with: .refusal(ResponseJudge.Refusal(kind: kind, message: message, underlying: underlying)))
  }

  /// A decoding failure, told with the answer that it happened on.
  func readingError(_ underlying: any Error, response: WebServiceResponse) -> WebServiceError {
    let refusal = ResponseJudge.Refusal(
      kind: .undecodableBody, message: "the body is not what was expected", response: response,
      underlying: underlying)
    return error(refusal, phase: .read, attempt: state.withLock { $0.machine.attempt })
  }

  /// A file that couldn't be written, or an answer that doesn't belong there, told with that answer.
  func fileError(_ underlying: any Error, response: WebServiceResponse) -> WebServiceError {
    let isWrong = underlying is WrongPart
    let refusal = ResponseJudge.Refusal(
      kind: isWrong ? .sessionFailure : .file,
      message: isWrong
        ? "the server sent another part of the file than it was asked for" : "the answer couldn't be put into its file",
      response: response, underlying: underlying)
    return error(refusal, phase: .read, attempt: state.withLock { $0.machine.attempt })
  }

  /// A validator's refusal, told with the answer that it refused.
  func validationError(_ underlying: any Error, response: WebServiceResponse) -> WebServiceError {
    let isPlainStatus = underlying as? ResponseValidationError == .statusCode(response.statusCode)
    let refusal = ResponseJudge.Refusal(
      kind: response.isSuccessful && !isPlainStatus ? .invalidResponse : .statusCode(response.statusCode),
      message: isPlainStatus ? "" : "a validator refused the answer", response: response,
      underlying: isPlainStatus ? nil : underlying)
    return error(refusal, phase: .judge, attempt: state.withLock { $0.machine.attempt })
  }

  func error(
    _ refusal: ResponseJudge.Refusal, phase: WebServiceError.Phase, attempt: Int
  ) -> WebServiceError {
    let (request, credentials) = state.withLock { ($0.request, $0.credentials) }
    let circumstances = FailureCircumstances(
      phase: phase, attempt: attempt, request: request, credentials: credentials,
      configuration: engine.configuration)
    return circumstances.error(refusal, describedAs: data)
  }
}
