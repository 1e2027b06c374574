import Dispatch
import Foundation

/// How a request is sent once more: by a redirect, with another token, or as another attempt.
extension RequestRun {
  // MARK: Redirects

  /// Prepares the step that a redirect leads to. Credentials that are made for one URL are made again for the next.
  ///
  /// - Parameter next: the step's request, with the credentials that it may keep.
  func follow(_ next: TransportRequest, _ step: RequestStep, after transfer: Int) -> Event? {
    let isToBeSigned = step.authorization.isBoundToRequest
    guard isToBeSigned || next.body.isStream else {
      return .followed(after: transfer, .success(AuthorizedRequest(request: next)))
    }
    callApp(after: transfer) { [self] in
      .followed(
        after: transfer,
        Result { () throws(RequestFailure) in
          isToBeSigned ? try signedAgain(step) : AuthorizedRequest(request: next)
        })
    }
    return nil
  }

  private func signedAgain(_ step: RequestStep) throws(RequestFailure) -> AuthorizedRequest {
    let token = state.withLock { $0.machine.credentials?.token }
    return try authorized(step.request, by: step.authorization, token: token)
  }

  // MARK: Refused tokens

  /// Asks for another token in place of one that the server refused.
  func reauthorize(_ token: AccessToken, _ step: RequestStep, attempt: Int, after transfer: Int) {
    startTimer(step.request.timeouts, attempt: attempt)
    record(.retried(after: 0, cause: .unauthorized))
    callApp(after: transfer) { [self] in
      engine.tokenManager.replaceRefusedToken(token, ofType: step.authorization, through: engine.service) {
        [self] in
        drive(.tokenReceived(after: transfer, $0))
      }
      return nil
    }
  }

  // MARK: Retries

  /// The pause before another attempt; `nil` if there is no other attempt.
  func retryPause(after outcome: ExchangeOutcome, _ transfer: RequestTransfer) -> Retry.Pause? {
    let configuration = engine.configuration
    let policy = options.retry ?? configuration.retry
    let request = transfer.request
    let repeatability = Repeatability(
      method: request.method, headers: request.headers, declaredIdempotent: options.isIdempotent,
      bodyIsReplayable: request.body.isReplayable)
    if isStale(outcome), repeatability.isIdempotent, repeatability.bodyIsReplayable, transfer.connection == .any {
      return .newConnection
    }
    guard policy.maximumAttempts > transfer.attempt, !isResumable(outcome, transfer) else { return nil }
    let decision = policy.decision(
      after: outcome, attempt: transfer.attempt, of: repeatability, now: Date(), random: configuration.random)
    guard case .retry(let delay) = decision, allowsWaiting(delay),
      configuration.retryBudget.withdraw(now: configuration.clock.now)
    else { return nil }
    return .seconds(delay)
  }

  private func isStale(_ outcome: ExchangeOutcome) -> Bool {
    if case .failed(let error) = outcome { error.isStaleConnection } else { false }
  }

  /// Whether the outcome is a broken download that can be resumed, which is better than to begin again.
  private func isResumable(_ outcome: ExchangeOutcome, _ transfer: RequestTransfer) -> Bool {
    guard let sink, case .failed(let error) = outcome else { return false }
    return sink.canResume(after: error, method: (transfer.described ?? transfer.request).method)
  }

  /// Waits for the next attempt.
  func pause(_ retry: Retry, _ step: RequestStep) {
    switch retry.pause {
    case .newConnection:
      record(.retried(after: 0, cause: retry.cause))
      AppCode.queue.async { [self] in drive(.resumed) }
    case .seconds(let delay):
      record(.retried(after: delay, cause: retry.cause))
      record(.waiting(.retryDelay))
      let timer = engine.configuration.clock.schedule(after: delay) { [self] in driveFromTimer(.resumed, step) }
      keep(timer) { $0.phase == .admit }
    }
  }
}
