import Foundation

extension RequestRun {
  /// Hands a transfer to the session, past the layers that are configured.
  func send(_ transfer: RequestTransfer) -> Event? {
    // A service that shuts down interrupts its requests one by one. No request is sent meanwhile.
    guard engine.registry.isOpen else { return .interrupted(.invalidated) }
    if transfer.isFollowing { recordRedirect(to: transfer) }
    let receiver = makeReceiver(transfer)
    let (task, isHeldUp) = makeTask(transfer, receiver: receiver) { [self] result in
      drive(.ended(transfer: transfer.number, result))
    }
    let isWanted = state.withLock { state in
      guard state.machine.isSending(transfer.number) else { return false }
      state.transportTask = task
      // Counted in the same step as the check: a request that ends with no attempt has never been sent.
      if !isHeldUp { _ = state.machine.noteSent() }
      return true
    }
    guard isWanted else {
      task.cancel()
      return nil
    }
    if !isHeldUp {
      startTimer(of: transfer)
      record(.sent)
    }
    task.resume()
    return nil
  }

  private func recordRedirect(to transfer: RequestTransfer) {
    record(
      .redirected(to: RedactedURL(transfer.request.urlForm, redaction: eventRedaction)),
      ofTransfer: transfer.number - 1)
  }

  /// - Returns: the task, and whether a layer may hold it up before it is sent.
  private func makeTask(
    _ transfer: RequestTransfer, receiver: ResponseReceiver?, then end: @escaping @Sendable (ExchangeResult) -> Void
  ) -> (any URLSessionTaskProtocol, isHeldUp: Bool) {
    let fragment = transfer.request.fragment
    let completion = Exchanges.Completion { result in
      let result = result.with(fragment: fragment)
      if let receiver { receiver.complete(result, then: end) } else { end(result) }
    }
    let outgoing = outgoing(transfer, to: receiver)
    guard let context = exchangeContext(transfer) else {
      return (engine.session.transferTask(with: outgoing) { completion.run(.ended($0)) }, false)
    }
    return (engine.exchanges.task(with: outgoing, context: context, completion: completion), true)
  }

  /// The facts that the layers need; `nil` if there are no layers.
  private func exchangeContext(_ transfer: RequestTransfer) -> ExchangeContext? {
    let coalesces = options.coalesces ?? engine.configuration.coalescesRequests
    guard !options.bypassesLimits, coalesces || engine.exchanges.mayHoldUp else { return nil }
    return ExchangeContext(
      priority: options.priority ?? engine.configuration.priority,
      cachePolicy: options.cachePolicy ?? engine.configuration.cachePolicy, connectivity: connectivity,
      coalesces: coalesces, isOffline: transfer.step.isOffline,
      credentialNames: state.withLock { $0.machine.credentials?.names ?? [] }, isRetry: transfer.attempt > 1,
      owner: self)
  }

  /// The request as the session gets it: the same object for a plain request.
  private func outgoing(_ transfer: RequestTransfer, to receiver: ResponseReceiver?) -> TransportRequest {
    var request = transfer.request
    guard receiver != nil || transfer.described != nil || transfer.needsNewConnection else { return request }
    if let receiver { request.destination = .receiver(receiver) }
    // A redirect may have brought along the secrets of the request as it was described.
    if let described = transfer.described {
      request.secrets += RequestSecrets(redaction: engine.configuration.redaction).values(in: described)
    }
    request.needsNewConnection = transfer.needsNewConnection
    request.onProgress = progressHandler(transfer: transfer.number, report: request.onProgress)
    return request
  }

  /// A redirect spends the time that is left of the attempt, unless the time counts from byte to byte.
  private func startTimer(of transfer: RequestTransfer) {
    guard !transfer.isFollowing || isDownload else { return }
    startTimer(transfer.request.timeouts, attempt: transfer.attempt)
  }
}

extension RequestRun: ExchangeOwner {
  var mayBeSent: Bool { engine.registry.admits(identity) }

  func exchangeWasSent() {
    if let transfer = state.withLock({ $0.machine.noteSent() }) { startTimer(of: transfer) }
  }

  func exchangeDid(_ kind: RequestEvent.Kind) { record(kind) }
}
