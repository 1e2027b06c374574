import Foundation

extension RequestRun {
  /// Ends the request with an interruption, and cancels the transfer or the wait in progress.
  func abandon(_ failure: WebServiceError, _ resources: RequestRunState.Resources) {
    let task = resources.transportTask
    var failure = failure
    if let unsent = task?.withdrawIfUnsent() {
      failure.details.message = [failure.message, unsent.message].filter { !$0.isEmpty }.joined(separator: "; ")
      if !unsent.isAttempt { state.withLock { $0.machine.takeBackAttempt() } }
    } else if failure.phase == .send {
      state.withLock { $0.machine.mayHaveBeenApplied = true }
    }
    handOver(.failure(failure), resources)
    task?.cancel()
  }

  /// Claims the right to run the completion. Call this on the completion's queue, right before the completion. Returns
  /// `nil` if the completion has run already. An interruption since the response replaces the response.
  ///
  /// A failure has the facts of the request only from here on. Each request passes here, or stays in progress for ever.
  ///
  /// - Parameter failure: the error of the outcome; `nil` for a success.
  package func claim(failure: WebServiceError?) -> Result<Void, WebServiceError>? {
    let (claim, slot) = state.withLock { ($0.machine.claim(), $0.slot) }
    // Removed before the completion runs, so that `requestCount` doesn't count the request inside its own completion.
    let late = slot.flatMap { engine.remove($0, of: identity) }
    let reason: WebServiceError?
    switch claim {
    // A shutdown or a sign-out may not have interrupted this request yet.
    case .outcome: reason = failure ?? late.map { WebServiceError(interruption: $0, phase: .deliver) }
    case .interruption(let cause): reason = WebServiceError(interruption: cause, phase: .deliver)
    case nil: return nil
    }
    relay?.stop()
    let error = reason.map(withFacts)
    if let status = error?.statusCode { state.withLock { $0.status = status } }
    record(.delivered(error.map { $0.kind == .cancelled ? .cancelled : .failure($0) } ?? .success))
    return error.map { .failure($0) } ?? .success(())
  }

  /// Runs the completion, unless it has run already. Call this on the completion's queue, once the value is made: a
  /// cancel during the parser's work still counts.
  func complete<Value>(
    with result: Result<Value, WebServiceError>, _ completion: (Result<Value, WebServiceError>) -> Void
  ) {
    // `flatMap` isn't specialized for the caller's type, and would copy the value through a generic `Result`.
    let failure: WebServiceError? = if case .failure(let error) = result { error } else { nil }
    switch claim(failure: failure) {
    case .success?: completion(result)
    case .failure(let error)?: completion(.failure(error))
    case nil: break
    }
  }

  /// Claims the right to run the completion with a result, and cancels a transfer that is still running: the reader of
  /// a stream may end before its transfer.
  package func end<Value>(with result: Result<Value, WebServiceError>) -> Result<Value, WebServiceError> {
    var claimed: Result<Value, WebServiceError>?
    complete(with: result) { claimed = $0 }
    if let claimed { return claimed }
    interrupt(.cancelled)
    // Its value is the cancel, if the transfer has ended meanwhile. The reader's own reason counts.
    complete(with: result) { _ in }
    return result.mapError(withFacts)
  }

  /// The error of a failure, with the facts of the request: how far it has come, and the secrets to be hidden.
  package func withFacts(_ failure: WebServiceError) -> WebServiceError {
    let (machine, secrets) = state.withLock { ($0.machine, $0.secrets) }
    let configuration = engine.configuration
    var details = failure.details
    details.add(machine.lastFailure)
    let redaction = configuration.redaction.hiding(secretsOf: machine.request, and: secrets)
    let shown = DescriptionRedaction(redaction)
    details.decodingFailure?.redaction = shown
    details.response?.prepare(hiding: shown, bodyLimit: configuration.errorBodyLimit)
    if var cause = details.underlying as? TransportError {
      // The cause of a timeout is another attempt's. A redirect to a GET says that the server has applied the request,
      // whatever became of the GET.
      let isNowGet = machine.request?.method != machine.described?.method
      if isNowGet || machine.mayHaveBeenApplied || failure.mayHaveReachedServer == true {
        cause.mayHaveReachedServer = true
      }
      cause.response?.prepare(hiding: shown, bodyLimit: configuration.errorBodyLimit)
      details.underlying = cause
    }
    if var cause = details.underlying as? any Error & OwnRedaction {
      cause.redaction = shown
      details.underlying = cause
    }
    // A validator or a parser may throw an error of the library that an app has made.
    if var cause = details.underlying as? WebServiceError, cause.redaction == .standard {
      cause.details.response?.prepare(hiding: shown, bodyLimit: configuration.errorBodyLimit)
      cause.redaction = redaction
      details.underlying = cause
    }
    // A failure with its own response comes from judging the response, even if the machine was still sending.
    if details.phase == .send, failure.response != nil { details.phase = .judge }
    details.method = machine.request?.method ?? data._method
    details.url = machine.request?.address ?? data.path
    details.attemptCount = machine.sentAttempts
    details.redaction = redaction
    var error = failure
    error.details = details
    return error
  }

  // MARK: Awaited requests

  /// Starts the request and waits for its outcome. Cancelling the Swift task interrupts the request.
  func outcome() async -> Result<WebServiceResponse, WebServiceError> {
    await awaiting { continuation in
      start(isCancelled: Task.isCancelled) { _, outcome in continuation.resume(returning: outcome) }
    }
  }

  /// Waits for a callback of this request. Cancelling the Swift task interrupts the request.
  @inline(__always)
  package func awaiting<Value: Sendable>(_ start: (UnsafeContinuation<Value, Never>) -> Void) async -> Value {
    // In a task that is cancelled already, `onCancel` runs before `start`. The machine keeps the interruption until the
    // request is prepared.
    await withTaskCancellationHandler {
      // Unsafe: the delivery runs once, and a checked continuation allocates an object for its check.
      await withUnsafeContinuation(start)
    } onCancel: {
      interrupt(.cancelled)
    }
  }
}

extension WebServiceResponse {
  /// Prepares the response for an error, which hides secrets in it and keeps the beginning of its body.
  fileprivate mutating func prepare(hiding redaction: DescriptionRedaction, bodyLimit: Int) {
    self.redaction = redaction
    // Any other body isn't copied.
    if body.count > bodyLimit { body = Data(body.prefix(max(0, bodyLimit))) }
  }
}
