import Foundation

extension RequestRun {
  /// Hands a transfer to the session, through the configured layers.
  func send(_ transfer: RequestTransfer) -> Event? {
    // A shutdown and a sign-out interrupt their requests one by one. No request is sent meanwhile.
    if let cause = engine.registry.interruption(of: identity) { return .interrupted(cause) }
    if transfer.isFollowing {
      record(
        .redirected(to: RequestEvent.RedactedURL(transfer.request.urlForm, redaction: eventRedaction)),
        // The event belongs to the transfer whose response is the redirect.
        ofTransfer: transfer.number - 1)
    }
    let number = transfer.number
    let fragment = transfer.request.fragment
    // The response of a plain request is collected in memory.
    let receiver = sink.map { ResponseReceiver(of: transfer, in: self, for: $0) }
    let task = engine.session.transferTask(with: outgoing(transfer, to: receiver)) { [self] result in
      // Most URLs have no fragment, and their results aren't copied.
      let result = fragment == nil ? result : result.with(fragment: fragment)
      guard let receiver else { return drive(.ended(transfer: number, result)) }
      receiver.complete(result) { [self] result in drive(.ended(transfer: number, result)) }
    }
    // The session may have completed the transfer already, or a cancel may have ended the request. Such a cancel hasn't
    // found the task, so the task is cancelled here.
    let isWanted = state.withLock { state in
      // Counted in the same step as the check: a request that ends with no attempt has never been sent. With layers,
      // `transferIsSent` counts.
      guard state.machine.countTransferUnderWay(number, isSent: !engine.hasLayers) != nil else { return false }
      state.transportTask = task
      return true
    }
    guard isWanted else {
      task.cancel()
      return nil
    }
    // A layer may hold the request up. The innermost session calls `transferIsSent` when it sends the request.
    if !engine.hasLayers {
      startTimer(of: transfer)
      record(.sent)
    }
    // Last, because the response may come at any moment on another thread.
    task.resume()
    return nil
  }

  /// The request as the session gets it: the same object for a plain request without layers.
  private func outgoing(_ transfer: RequestTransfer, to receiver: ResponseReceiver?) -> TransportRequest {
    var request = transfer.request
    if engine.hasLayers {
      request.context = TransferContext(
        observer: self, transfer: transfer.number, identity: identity,
        credentialNames: state.withLock { $0.machine.credentials?.names ?? [] },
        isSigned: transfer.step.authorization.signer != nil, isRetry: transfer.attempt > 1,
        isOffline: transfer.isOffline)
    }
    // A plain request goes out as the described object. Each change below would copy it.
    guard receiver != nil || transfer.described != nil || transfer.connection == .new else { return request }
    if let receiver {
      request.receiver = receiver
      sink?.willSend(&request, transfer: transfer.number)
    }
    // The caller's description may contain secrets that a redirect repeats.
    if let described = transfer.described { request.formerRequests.append(SecretSource(described)) }
    request.needsNewConnection = transfer.connection == .new
    return request
  }
}

// MARK: Receiving

extension RequestRun {
  /// Whether a cancel, a deadline, a reset or a sign-out has ended the request.
  package var isInterrupted: Bool {
    // A sign-out may not have interrupted this request yet. Requests without credentials don't ask the registry.
    state.withLock { $0.machine.interruption != nil } || identity != .none && !engine.registry.admits(identity)
  }

  /// Stops the engine's timer if the response is a success, whose body may take any time as a whole. The transport then
  /// limits the time between two bytes. The engine's timer limits any other response.
  ///
  /// - Returns: whether the request still waits for the transfer.
  func responseBegan(_ head: WebServiceResponse, _ transfer: RequestTransfer) -> Bool {
    let (isWanted, timer): (Bool, (any WebServiceTimer)?) = state.withLock { state in
      let isWanted = state.machine.begin(transfer.number, isGood: head.isSuccessful)
      return (isWanted, isWanted && head.isSuccessful ? state.timer.take() : nil)
    }
    timer?.cancel()
    return isWanted
  }
}

extension RequestRun: TransferObserver {
  package func refusal() -> TransportError? { engine.registry.admits(identity) ? nil : .cancelledInQueue }

  package func hasTimedOut(transfer: Int) -> Bool { state.withLock { $0.machine.timedOutTransfer == transfer } }

  package func transferIsSent() {
    guard let transfer = state.withLock({ $0.machine.countTransferUnderWay() }) else { return }
    startTimer(of: transfer)
  }

  /// Starts the timer of the transfer's attempt. For a redirect the timer of the step before still runs.
  private func startTimer(of transfer: RequestTransfer) {
    if !transfer.isFollowing { startTimer(attempt: transfer.attempt) }
  }

  /// Does nothing: the completion of the transfer gets the result.
  package func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) {}

  package func transferDid(_ kind: RequestEvent.Kind) { record(kind) }

  package func transferCarries(secrets: [String]) {
    guard !secrets.isEmpty else { return }
    state.withLock { $0.layerSecrets += secrets }
  }
}

extension Result<WebServiceResponse, TransportError> {
  /// Adds the fragment of the request's URL, which isn't sent.
  fileprivate func with(fragment: String?) -> Self {
    map { $0.with(fragment: fragment) }.mapError { error in
      var error = error
      error.response = error.response?.with(fragment: fragment)
      return error
    }
  }
}
