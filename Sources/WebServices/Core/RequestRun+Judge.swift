import Foundation

extension RequestRun {
  /// Decides what the request does after a transfer has ended. Runs on the thread on which the transfer ended, usually
  /// one of the transport, so it calls no code of an app that may block.
  ///
  /// - Returns: `nil` if the app's own rule for retries decides on another queue.
  func judge(_ result: Result<WebServiceResponse, TransportError>, of transfer: RequestTransfer) -> Event? {
    if case .success(let response) = result { received(response) }
    guard (options.retry ?? engine.configuration.retry).rule != nil else {
      return ResponseJudge.verdict(on: result, in: circumstances(of: result, transfer))
    }
    callApp(after: transfer.number) { [self] in
      ResponseJudge.verdict(on: result, in: circumstances(of: result, transfer))
    }
    return nil
  }

  /// Reports a response. A cached or shared one was received by no transfer of this request.
  func received(_ response: WebServiceResponse) {
    guard response.source == .network else { return }
    record(.received(status: response.statusCode, bytes: Int64(response.body.count), metrics: response.metrics))
  }

  /// Cancels a transfer and judges it by an error of the library.
  ///
  /// - Parameter error: the error; `nil` for a timeout.
  func stop(_ transfer: RequestTransfer, because error: TransportError?) -> Event? {
    let task = state.withLock { $0.resources.transportTask.take() }
    // The error is the one that a transport would make: it must make no difference whose timer fires first. The task is
    // asked before its cancel, because a cancelled task has forgotten what it was waiting for.
    let cause =
      error ?? task?.withdrawIfUnsent().map { TransportError(.timedOut(.whole), waitingFor: $0) }
      ?? TransportError(.timedOut(.whole), message: "no response came in time", mayHaveReachedServer: true)
    let verdict = judge(.failure(cause), of: transfer)
    task?.cancel()
    return verdict
  }

  private func circumstances(
    of result: Result<WebServiceResponse, TransportError>, _ transfer: RequestTransfer
  ) -> ResponseJudge.Circumstances {
    let redirects = options.redirects ?? engine.configuration.redirects
    return state.withLock { state in
      // The library never tried to send this transfer, so it isn't an attempt.
      if case .failure(let error) = result, !error.isOfAttempt { state.machine.takeBackAttempt() }
      return ResponseJudge.Circumstances(
        request: transfer.request, steps: state.machine.redirects + [Redirect.Step(transfer.request)],
        redirect: Redirect(
          policy: redirects,
          credentialNames: (state.machine.credentials?.names ?? []) + contextHeaders.map(\.name),
          redaction: engine.configuration.redaction, keepsCookies: engine.hasCredentialLayer),
        replaceableToken: state.machine.replaceableToken(of: transfer.request),
        canReadChallenge: state.machine.canReadChallenge(of: transfer),
        isStreaming: state.machine.hasBegun && sink?.isStream == true,
        // A closure, because it takes a retry from the budget: only a judge that wants another attempt calls it.
        retryPause: { [self] outcome in retryPause(after: outcome, transfer) })
    }
  }
}
