extension RequestRun {
  /// Decides what the request does after a transfer has ended. Runs on the thread on which the transfer ended, usually
  /// one of the transport, so it calls no code of an app that may block.
  ///
  /// - Returns: `nil` if the app's own rule for retries decides on another queue.
  func judge(_ result: Result<WebServiceResponse, TransportError>, of transfer: RequestTransfer) -> Event? {
    guard (options.retry ?? engine.configuration.retry).rule != nil else { return verdict(on: result, of: transfer) }
    callApp { [self] in verdict(on: result, of: transfer) }
    return nil
  }

  /// Accepts the response, follows a redirect, replaces the token, tries again or fails: the same for every transport.
  /// The validators decide later whether an accepted response is a success.
  private func verdict(on result: Result<WebServiceResponse, TransportError>, of transfer: RequestTransfer) -> Event {
    let machine = state.withLock { state in
      // The library never tried to send this transfer, so it isn't an attempt.
      if case .failure(let error) = result, !error.isOfAttempt { state.machine.takeBackAttempt() }
      return state.machine
    }
    // Another transfer would give the reader of a stream the same bytes twice.
    let isStreaming = machine.hasBegun && sink?.isStream == true
    switch result {
    case .success(let response):
      if isStreaming { return .accepted(response) }
      if response.statusCode == 401 {
        let token = machine.replaceableToken(of: transfer.request)
        let signer = machine.hasLeftOrigin ? nil : authorization.signer
        if token != nil || signer?.onChallenge != nil && !machine.hasReadChallenge {
          return .unauthorized(response, token)
        }
      }
      let redirect = Redirect(
        policy: options.redirects ?? engine.configuration.redirects,
        credentialNames: (machine.credentials?.names ?? []) + contextHeaders.map(\.name),
        redaction: engine.configuration.redaction, keepsCookies: engine.hasCredentialLayer)
      do throws(RedirectPolicy.Refusal) {
        let steps = machine.redirects + [transfer.request]
        if let next = try redirect.next(of: response, to: transfer.request, after: steps) { return .redirected(next) }
      } catch {
        // Without a message: the error has it, and hiding secrets in its URLs takes time.
        return .refused(WebServiceError(.redirect, response: response, underlying: error))
      }
      // Another attempt would bring the same response from the cache.
      guard response.source != .earlierTransfer else { return .accepted(response) }
      let failure = WebServiceError(.statusCode(response.statusCode), response: response)
      return retry(after: result, as: failure, transfer).map(Event.failed) ?? .accepted(response)
    case .failure(let error):
      // The cache has no response. The request waits for the network.
      if error.wait == .network { return .checked(isOffline: nil) }
      let failure = WebServiceError(transport: error)
      guard !isStreaming else { return .refused(failure) }
      return retry(after: result, as: failure, transfer).map(Event.failed) ?? .refused(failure)
    }
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
    let (task, standIn) = state.withLock { state in
      let standIn = state.resources.standIn
      let isOfTimeout = standIn?.transfer == state.machine.timedOutTransfer
      return (state.resources.transportTask.take(), isOfTimeout ? standIn : nil)
    }
    // The error is the one that a transport would make: it must make no difference whose timer fires first. The task is
    // asked before its cancel, because a cancelled task has forgotten what it was waiting for.
    let cause =
      error ?? task?.withdrawIfUnsent().map { TransportError(.timedOut(.whole), waitingFor: $0) }
      ?? TransportError(.timedOut(.whole), message: "the response took too long", mayHaveReachedServer: true)
    // No time is left to follow a stored redirect.
    let stored = standIn?.stored().flatMap { $0.isSuccessful ? $0 : nil }
    if stored != nil { record(.cached(.stale)) }
    defer { task?.cancel() }
    return judge(stored.map(Result.success) ?? .failure(cause), of: transfer)
  }
}
