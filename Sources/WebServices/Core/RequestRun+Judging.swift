import Dispatch
import Foundation

extension RequestRun {
  // MARK: Judge

  func judge(_ result: ExchangeResult, of request: TransportRequest, exchange: Int) {
    // Nearly every answer is one, and nothing has to be gathered for it.
    if let response = ResponseJudge.goodAnswer(in: result) {
      guard state.withLock({ $0.isUnderWay(exchange) }) else { return }
      note(result)
      engine.configuration.retryBudget.deposit(now: engine.configuration.clock.now)
      return advance(.accepted(exchange: exchange), with: .response(response))
    }
    if state.withLock({ $0.isUnderWay(exchange) }) { settle(result, of: request, exchange: exchange) }
  }

  /// Decides what follows from the end of an exchange that isn't a good response.
  private func settle(_ result: ExchangeResult, of request: TransportRequest, exchange: Int) {
    let found: (Int, ResponseJudge.Circumstances)? = state.withLock { state in
      // What comes of an exchange that is no longer waited for, costs no retry and isn't told.
      guard state.isLast(exchange) else { return nil }
      if !result.isOfAttempt { state.takeBackAttempt() }
      let circumstances = ResponseJudge.Circumstances(
        request: request, steps: state.steps + [Redirect.Step(request)], redirect: redirect(state),
        canReauthorize: state.canReauthorize(request), isStreaming: state.isStreaming, retryDelay: { _ in nil })
      return (state.machine.attempt, circumstances)
    }
    guard let (attempt, circumstances) = found else { return }
    var inFull = circumstances
    inFull.retryDelay = { self.retryDelay(after: $0, attempt: attempt, of: request) }
    note(result)
    switch ResponseJudge.verdict(on: result, in: inFull) {
    case .accept(let response):
      advance(.accepted(exchange: exchange), with: .response(response))
    case .follow(let next):
      follow(next, after: exchange)
    case .reauthorize(let response):
      advance(.unauthorized(exchange: exchange), with: .response(response))
    case .retry(let delay, let cause, let refusal):
      record(.retried(after: delay, cause: cause))
      advance(.failed(exchange: exchange), with: .retry(after: delay, refusal))
    case .refuse(let refusal):
      advance(.refused(exchange: exchange), with: .refusal(refusal))
    }
  }

  private func note(_ result: ExchangeResult) {
    guard engine.monitors.want(.received), case .ended(.success(let response), .network) = result else { return }
    record(
      .received(status: response.statusCode, bytes: Int64(response.body.count), metrics: response.metrics))
  }

  /// How long to wait before the request is sent once more; `nil` where it isn't.
  private func retryDelay(
    after outcome: ExchangeOutcome, attempt: Int, of request: TransportRequest
  ) -> TimeInterval? {
    let configuration = engine.configuration
    let policy = options.retry ?? configuration.retry
    let repeatability = Repeatability(
      method: request.method, headers: request.headers, declaredIdempotent: options.isIdempotent,
      bodyIsReplayable: request.body.isReplayable)
    if isStale(outcome), repeatability.isIdempotent, repeatability.bodyIsReplayable, takesAnotherConnection() {
      return 0
    }
    guard policy.maximumAttempts > attempt, !isResumable(outcome) else { return nil }
    let decision = policy.decision(
      after: outcome, attempt: attempt, of: repeatability, now: Date(), random: configuration.random)
    guard case .retry(let delay) = decision, allowsWaiting(delay),
      configuration.retryBudget.withdraw(now: configuration.clock.now)
    else { return nil }
    return delay
  }

  /// A connection that was kept and turned out to be closed costs no attempt of the policy's, but this happens once.
  private func takesAnotherConnection() -> Bool {
    state.withLock { state in
      guard !state.hasTakenAnotherConnection else { return false }
      state.hasTakenAnotherConnection = true
      state.needsNewConnection = true
      return true
    }
  }

  private func isStale(_ outcome: ExchangeOutcome) -> Bool {
    if case .failed(let error) = outcome { error.isStaleConnection } else { false }
  }

  /// Whether it is a download that broke and can go on where it stands, which is better than to begin anew.
  private func isResumable(_ outcome: ExchangeOutcome) -> Bool {
    guard let file = plan.sink.file, case .failed(let error) = outcome, let response = error.response,
      Download.canBeBroken(error), let bytes = file.size, bytes > 0,
      let described = state.withLock({ $0.described })
    else { return false }
    var progress = DownloadProgress()
    return response.statusCode == 206 || progress.broke(response, bytes: bytes, method: described.method)
  }

  /// Waits for the next attempt.
  func pause(after outcome: StationOutcome) {
    guard case .retry(let delay, let refusal) = outcome else { return }
    state.withLock { $0.lastFailure = refusal }
    if (refusal.underlying as? TransportError)?.isStaleConnection == true, delay == 0 {
      return AppCode.queue.async { [self] in advance(.resumed) }
    }
    record(.waiting(.retryDelay))
    let timer = engine.configuration.clock.schedule(after: delay) { [self] in goOn(with: .resumed) }
    keep(timer) { $0.machine.state == .pausing }
  }

  /// Goes on from a clock's thread, which every timer waits for: where an app's code is asked next, on another one.
  func goOn(with event: RequestStateMachine.Event) {
    let type = authorizationOfStep
    let asksApp = type.needsToken || type.isBoundToRequest
    guard asksApp || state.withLock({ $0.step?.request.body.isStream ?? false }) else { return advance(event) }
    AppCode.queue.async { [self] in advance(event) }
  }

  /// No other token could be had. Where there is none to be had, the 401 is the answer; else the reason is.
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

  /// Ends an exchange from this side, for what has come of its answer.
  func refuse(_ error: TransportError, exchange: Int) {
    end(exchange) { _ in error }
  }

  /// Ends an exchange from this side.
  ///
  /// - Parameter error: makes the error; what it does to the task has no other effect on the request.
  func end(_ exchange: Int, with error: ((any URLSessionTaskProtocol)?) -> TransportError) {
    let (request, task, isDue) = state.withLock { state in
      let task = state.machine.exchange == exchange ? state.transportTask : nil
      return (state.request, task, state.end(exchange))
    }
    if isDue, let request { settle(.ended(.failure(error(task))), of: request, exchange: exchange) }
    task?.cancel()
  }
}
