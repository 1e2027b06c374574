import Foundation

extension RequestRun {
  /// Hands the outcome to the delivery, which takes it to the completion's queue. Releases everything else first: a
  /// session may hold the request for longer.
  func deliver(_ outcome: Result<WebServiceResponse, WebServiceError>) {
    let (task, timer, deadlineTimer, delivery) = state.withLock { state in
      (state.transportTask.take(), state.timer.take(), state.deadlineTimer.take(), state.delivery.take())
    }
    // Released here, outside the lock.
    _ = task
    timer?.cancel()
    deadlineTimer?.cancel()
    delivery?.run(self, outcome)
  }

  /// Delivers an interruption and cancels what is under way.
  func abandon(_ cause: RequestStateMachine.Interruption, phase: WebServiceError.Phase) {
    let (task, wait) = state.withLock { ($0.transportTask.take(), $0.connectivityWait.take()) }
    var failure = RequestFailure(cause)
    if let unsent = task?.withdrawIfUnsent() {
      failure.message = [failure.message, unsent.message].filter { !$0.isEmpty }.joined(separator: "; ")
      if !unsent.isAttempt { state.withLock { $0.machine.takeBackAttempt() } }
    }
    deliver(.failure(error(failure, phase: phase)))
    wait?.cancel()
    task?.cancel()
  }

  /// Takes the result for the completion, on the completion's queue: `nil` if the completion has run already. An
  /// interruption since the response counts for more than the response.
  func claim<Value>(_ result: Result<Value, WebServiceError>) -> Result<Value, WebServiceError>? {
    let (claim, slot) = state.withLock { ($0.machine.claim(), $0.slot) }
    if let slot { engine.registry.remove(slot) }
    let final: Result<Value, WebServiceError>
    switch claim {
    case .outcome: final = result
    case .interruption(let cause): final = .failure(error(RequestFailure(cause), phase: .deliver))
    case nil: return nil
    }
    record(.delivered(RequestEvent.Outcome(final)))
    return final
  }

  /// The error of a failure, with what is known of the request.
  func error(_ failure: RequestFailure, phase: WebServiceError.Phase) -> WebServiceError {
    let (request, described, credentials, cause, attempts) = state.withLock { state in
      let machine = state.machine
      return (
        machine.request, machine.described, machine.credentials, machine.lastFailure, machine.sentAttempts
      )
    }
    return WebServiceError(
      failure.after(cause), phase: phase, of: data, configuration: engine.configuration, attemptCount: attempts,
      request: request, described: described, credentials: credentials?.secrets ?? [])
  }
}

// MARK: Awaited requests

extension RequestRun {
  /// Starts the request and waits for its outcome. Cancelling the Swift task interrupts the request.
  func outcome() async -> Result<WebServiceResponse, WebServiceError> {
    await awaiting { continuation in
      state.withLock { $0.delivery = Delivery { _, outcome in continuation.resume(returning: outcome) } }
      start()
    }
  }

  /// Waits for a callback of this request. Cancelling the Swift task interrupts the request.
  @inline(__always)
  func awaiting<Value: Sendable>(_ start: (UnsafeContinuation<Value, Never>) -> Void) async -> Value {
    await withTaskCancellationHandler {
      await withUnsafeContinuation(start)
    } onCancel: {
      interrupt(.cancelled)
    }
  }

  /// The result for a caller who has awaited it.
  func claimed<Value>(_ result: Result<Value, WebServiceError>) throws(WebServiceError) -> Value {
    try (claim(result) ?? result).get()
  }
}

extension RequestEvent.Outcome {
  fileprivate init<Value>(_ result: Result<Value, WebServiceError>) {
    switch result {
    case .success: self = .success
    case .failure(let error) where error.kind == .cancelled: self = .cancelled
    case .failure(let error): self = .failure(error)
    }
  }
}
