extension RequestRun {
  /// Hands a transfer to the session, through the configured layers.
  ///
  /// - Parameter timerNumber: the number of the timer for the attempt.
  func send(_ transfer: RequestTransfer, _ timerNumber: Int) -> Event? {
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
      var result = result
      // The session's response lacks the fragment, because it isn't sent.
      if fragment != nil { result.serverResponse = result.serverResponse?.with(fragment: fragment) }
      guard let receiver else { return drive(.ended(transfer: number, result)) }
      receiver.complete(result) { [self] result in drive(.ended(transfer: number, result)) }
    }
    // A layer may hold the request up. The innermost session calls `transferIsSent` when it sends the request.
    var timer = engine.hasLayers ? nil : makeTimer(timerNumber)
    // The session may have completed the transfer already, or a cancel may have ended the request. Such a cancel hasn't
    // found the task, so the task is cancelled here.
    let isWanted = state.withLock { state in
      guard state.machine.isSending(number) else { return false }
      state.resources.transportTask = task
      // Counted in the same step as the check: a request that ends with no attempt has never been sent. With layers,
      // `transferIsSent` counts.
      if !engine.hasLayers, state.machine.countSent(number) != nil { swap(&timer, &state.resources.timer) }
      return true
    }
    timer?.cancel()
    guard isWanted else {
      task.cancel()
      return nil
    }
    if !engine.hasLayers { record(.sent) }
    // Last, because the response may come at any moment on another thread.
    task.resume()
    return nil
  }

  /// The request as the session gets it.
  private func outgoing(_ transfer: RequestTransfer, to receiver: ResponseReceiver?) -> TransportRequest {
    // A plain request without layers goes out as the described object. Each change here would copy it.
    var request = transfer.request
    let number = transfer.number
    if engine.hasLayers {
      let (credentials, attempt, isOffline, hasLeftOrigin) = state.withLock {
        ($0.machine.credentials, $0.machine.attempt, $0.machine.isOffline, $0.machine.hasLeftOrigin)
      }
      request.context = TransferContext(
        engine: engine, observer: Observer(self, transfer: number), identity: identity,
        credentialNames: credentials?.names ?? [], isSigned: authorization.signer != nil && !hasLeftOrigin,
        isRetry: attempt > 1, isOffline: isOffline)
    }
    if let relay { request.onProgress = { relay.report($0, ofTransfer: number) } }
    if let receiver {
      request.receiver = receiver
      sink?.willSend(&request, transfer: number)
    }
    if transfer.connection == .new { request.needsNewConnection = true }
    return request
  }

  // MARK: Receiving

  /// Whether a cancel, a deadline, a reset or a sign-out has ended the request.
  package var isInterrupted: Bool {
    // A sign-out or a shutdown may not have interrupted this request yet.
    state.withLock { $0.machine.interruption != nil } || isOfFormerUser
  }

  /// Whether the user of the request has signed out, or the service was shut down.
  package var isOfFormerUser: Bool { engine.interruption(of: identity) != nil }

  /// Stops the engine's timer if the response is a success, whose body may take any time as a whole. The transport then
  /// limits the time between two bytes. The engine's timer limits any other response.
  ///
  /// - Returns: whether the request still waits for the transfer.
  func responseBegan(_ head: WebServiceResponse, _ transfer: RequestTransfer) -> Bool {
    let (isWanted, timer): (Bool, (any WebServiceTimer)?) = state.withLock { state in
      let isWanted = state.machine.begin(transfer.number, isGood: head.isSuccessful)
      return (isWanted, isWanted && head.isSuccessful ? state.resources.timer.take() : nil)
    }
    timer?.cancel()
    return isWanted
  }

  // MARK: Layers

  /// Observes one transfer. A call that comes after its end changes nothing of the next transfer.
  private final class Observer: TransferObserver {
    private let run: RequestRun
    private let transfer: Int

    init(_ run: RequestRun, transfer: Int) {
      self.run = run
      self.transfer = transfer
    }

    func refusal() -> TransportError? {
      run.engine.interruption(of: run.identity).map { _ in
        .unsent(.cancelled, "the user signed out, or the service was shut down")
      }
    }

    func transferIsSent() {
      if let timer = run.state.withLock({ $0.machine.countSent(transfer) }) { run.startTimer(timer) }
    }

    var hasTimedOut: Bool { run.state.withLock { $0.machine.timedOutTransfer == transfer } }

    /// Does nothing: the completion of the transfer gets the result.
    func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) {}

    func transferDid(_ kind: RequestEvent.Kind) { run.record(kind, ofTransfer: transfer) }

    func transferMayBeReplaced(by stored: @escaping @Sendable () -> WebServiceResponse?) {
      run.state.withLock { if $0.machine.isSending(transfer) { $0.resources.standIn = (transfer, stored) } }
    }

    func transferCarries(secrets: [String]) {
      run.state.withLock { $0.layerSecrets = ($0.layerSecrets + secrets).suffix(AttachedCredentials.formerLimit) }
    }
  }
}
