import Foundation

extension RequestRun {
  /// Ends the request with an interruption, and cancels the transfer or the wait in progress.
  func abandon(
    _ cause: RequestStateMachine.Interruption, phase: WebServiceError.Phase, _ resources: RequestRunState.Resources
  ) {
    let task = resources.transportTask
    var failure = WebServiceError(interruption: cause)
    if let unsent = task?.withdrawIfUnsent() {
      failure.details.message = [failure.message, unsent.message].filter { !$0.isEmpty }.joined(separator: "; ")
      if !unsent.isAttempt { state.withLock { $0.machine.takeBackAttempt() } }
    }
    handOver(.failure(error(failure, phase: phase)), resources)
    task?.cancel()
  }

  /// Claims the right to run the completion. Call this on the completion's queue, right before the completion. Returns
  /// `nil` if the completion has run already. An interruption since the response replaces the response.
  ///
  /// - Parameter failure: the error of the outcome; `nil` for a success.
  package func claim(failure: WebServiceError?) -> Result<Void, WebServiceError>? {
    let (claim, slot) = state.withLock { ($0.machine.claim(), $0.slot) }
    // Removed before the completion runs, so that `requestCount` doesn't count the request inside its own completion.
    let late = slot.flatMap { engine.remove($0, of: identity) }
    let error: WebServiceError?
    switch claim {
    // A shutdown or a sign-out may not have interrupted this request yet.
    case .outcome: error = failure ?? late.map { self.error(WebServiceError(interruption: $0), phase: .deliver) }
    case .interruption(let cause): error = self.error(WebServiceError(interruption: cause), phase: .deliver)
    case nil: return nil
    }
    record(.delivered(error.map { $0.kind == .cancelled ? .cancelled : .failure($0) } ?? .success))
    return error.map { .failure($0) } ?? .success(())
  }

  /// Claims the right to run the completion with a result, as the method above does.
  package func claim<Value>(_ result: Result<Value, WebServiceError>) -> Result<Value, WebServiceError>? {
    // `flatMap` isn't specialized for the caller's type, and would copy the value through a generic `Result`.
    let failure: WebServiceError? = if case .failure(let error) = result { error } else { nil }
    switch claim(failure: failure) {
    case .success?: return result
    case .failure(let error)?: return .failure(error)
    case nil: return nil
    }
  }

  /// The error of a failure, with the facts of the request.
  package func error(_ failure: WebServiceError, phase: WebServiceError.Phase) -> WebServiceError {
    let (request, described, secrets, cause, attempts) = state.withLock { state in
      let machine = state.machine
      return (machine.request, machine.described, state.secrets, machine.lastFailure, machine.sentAttempts)
    }
    return failure.after(cause).completed(
      phase: phase, of: data, configuration: engine.configuration, attemptCount: attempts, request: request,
      described: described, credentials: secrets)
  }
}

// MARK: Awaited requests

extension RequestRun {
  /// Starts the request and waits for its outcome. Cancelling the Swift task interrupts the request.
  func outcome() async -> Result<WebServiceResponse, WebServiceError> {
    await awaiting { continuation in
      start(Delivery { _, outcome in continuation.resume(returning: outcome) }, isCancelled: Task.isCancelled)
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
