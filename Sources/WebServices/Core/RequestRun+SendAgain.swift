import Dispatch
import Foundation

/// How a request is sent once more: by a redirect, with another token or signature, or as another attempt.
extension RequestRun {
  // MARK: Redirects

  /// Prepares the step that a redirect leads to. Credentials that are made for one URL are made again for the next.
  ///
  /// - Parameter next: the step's request, with the credentials that it may keep.
  func follow(_ next: TransportRequest, _ step: RequestStep, after transfer: Int) -> Event? {
    let isToBeSigned = step.authorization.signer != nil
    // Reading a stream again and signing call an app's code, which must not run on the transport's thread.
    guard isToBeSigned || next.body.isStream else { return .authorized(next, nil) }
    callApp(after: transfer) { [self] in
      isToBeSigned
        ? attachCredentials(to: step, token: state.withLock { $0.machine.credentials?.token }) : .authorized(next, nil)
    }
    return nil
  }

  // MARK: Refused tokens

  /// Requests a replacement for a token that the server refused.
  func reauthorize(_ token: AccessToken, _ step: RequestStep, after transfer: Int, _ timer: Int) {
    startTimer(timer)
    if step.request.body.isReplayable { record(.retried(after: 0, cause: .unauthorized)) }
    callApp(after: transfer) { [self] in
      askTokenManager(after: transfer) {
        engine.tokenManager.replaceRefusedToken(
          token, ofType: step.authorization, through: engine.service, completion: $0)
      }
    }
  }

  /// Gives the challenge of a 401 to the request's signer, and signs again if the signer can respond to it.
  func readChallenge(of response: WebServiceResponse, _ step: RequestStep, after transfer: Int, _ timer: Int) {
    startTimer(timer)
    callApp(after: transfer) { [self] in
      let (sent, token) = state.withLock { ($0.machine.request, $0.machine.credentials?.token) }
      guard step.authorization.signer?.onChallenge?(response, sent ?? step.request) == true else {
        // The 401 is the response.
        return .tokenReceived(after: transfer, .failure(TokenError.expired))
      }
      record(.retried(after: 0, cause: .challenge))
      return sign(step, token: token)
    }
  }

  // MARK: Retries

  /// The next attempt, for which the budget has paid; `nil` if there is none.
  ///
  /// - Parameter failure: the failure that the result is.
  func retry(
    after result: Result<WebServiceResponse, TransportError>, as failure: WebServiceError, _ transfer: RequestTransfer
  ) -> Retry? {
    let configuration = engine.configuration
    let policy = options.retry ?? configuration.retry
    let request = transfer.request
    let repeatability = Repeatability(
      method: request.method, headers: request.headers, declaredIdempotent: options.isIdempotent,
      bodyIsReplayable: request.body.isReplayable)
    let isStale = if case .failure(let error) = result { error.isStaleConnection } else { false }
    // Independent of policy and budget: any client with kept connections meets this, and another connection mends it.
    // Only idempotent methods may be repeated automatically (RFC 9112, section 9.3.1).
    if isStale, repeatability.isIdempotent, repeatability.bodyIsReplayable, transfer.connection == .any {
      return Retry(delay: nil, after: result, failure)
    }
    // Independent of policy and budget too: the sink limits how often it continues.
    if let count = sink?.resume(after: result, method: (state.withLock { $0.machine.described } ?? request).method) {
      let delay = count == 0 ? 0 : policy.backoff.delay(retry: count, random: configuration.random)
      guard repeatability.bodyIsReplayable, allowsWaiting(delay) else { return nil }
      state.withLock { $0.continuations += 1 }
      return Retry(delay: delay > 0 ? delay : nil, after: result, failure)
    }
    let attempt = state.withLock { $0.machine.attempt - $0.continuations }
    let retry = policy.retry(
      after: result, attempt: attempt, of: repeatability, now: configuration.wallClock(), random: configuration.random)
    // The budget comes last, so that it pays only for retries that are made.
    guard let retry, allowsWaiting(retry.delay), configuration.retryBudget.withdraw() else { return nil }
    var next = Retry(delay: retry.delay, after: result, failure)
    if let change = retry.change {
      var request = transfer.step.request.without(state.withLock { $0.machine.credentials })
      change(&request.headers)
      next.step = RequestStep(request, authorization: transfer.step.authorization)
    }
    return next
  }

  /// Waits for the next attempt.
  func pause(_ retry: Retry, _ step: RequestStep, _ number: Int) {
    record(.retried(after: retry.delay ?? 0, cause: retry.cause))
    guard let delay = retry.delay else {
      // Not on this thread, which may be the transport's: the next stations call an app's code.
      return UserCallbackQueue.shared.enqueue { [self] in drive(.checked(isOffline: isOffline(step))) }
    }
    record(.waiting(.retryDelay))
    let timer = engine.configuration.clock.schedule(after: delay) { [self] in
      driveFromTimer(.checked(isOffline: self.isOffline(step)), step)
    }
    keep(timer, number)
  }
}
