import Foundation

extension RequestRun {
  // MARK: Read

  /// The read station, where caller's code may run. A failure passes it as it is.
  // Inlined, its temporaries would stay in the frame of each request that is awaited. So in other places.
  @inline(never)
  func read<Value>(
    _ outcome: Result<WebServiceResponse, WebServiceError>, with parser: ResponseParser<Value>
  ) -> Result<Value, WebServiceError> {
    switch outcome {
    case .failure(let error): return .failure(error)
    case .success(let response):
      if let error = refusal(of: response, mapping: parser.mappedStatusCodes) { return .failure(error) }
      do {
        let value = try parser.parse(response, decoder: decoder)
        record(.decoded)
        return .success(value)
      } catch {
        return .failure(readingError(error, response: response))
      }
    }
  }

  /// Asks the validators.
  ///
  /// - Parameter mappedStatusCodes: the statuses that are taken, whatever they say.
  /// - Returns: why the answer is refused.
  func refusal(of response: WebServiceResponse, mapping mappedStatusCodes: [Set<Int>] = []) -> WebServiceError? {
    guard !mappedStatusCodes.contains(where: { $0.contains(response.statusCode) }) else { return nil }
    do {
      for validator in options.validators { try validator.validate(response, decoder: decoder) }
      for validator in engine.configuration.validators { try validator.validate(response, decoder: decoder) }
      return nil
    } catch {
      return validationError(error, response: response)
    }
  }

  private var decoder: JSONDecoder { options.decoder ?? engine.configuration.decoder }

  // MARK: Deliver

  func finish(with outcome: StationOutcome, phase: WebServiceError.Phase) {
    switch outcome {
    case .response(let response):
      deliver(.success(response))
    case .refusal(let refusal):
      deliver(.failure(error(refusal, phase: phase)))
    case .none, .retry:
      deliver(.failure(error(ResponseJudge.Refusal(kind: .unexpected), phase: phase)))
    }
  }

  func abandon(_ cause: RequestStateMachine.Interruption, phase: WebServiceError.Phase) {
    let (task, wait) = state.withLock { state in
      defer {
        state.transportTask = nil
        state.connectivityWait = nil
      }
      return (state.transportTask, state.connectivityWait)
    }
    var refusal = ResponseJudge.Refusal(cause)
    if let unsent = task?.withdrawIfUnsent() {
      refusal.message = [refusal.message, unsent.message].filter { !$0.isEmpty }.joined(separator: "; ")
      if !unsent.isAttempt { state.withLock { $0.takeBackAttempt() } }
    }
    deliver(.failure(error(refusal, phase: phase)))
    wait?.cancel()
    task?.cancel()
  }

  /// Hands an outcome to the caller's closure, which takes it to the completion's queue. What that closure holds is not
  /// kept longer than it is needed, whatever a session still holds of us.
  func deliver(_ outcome: Result<WebServiceResponse, WebServiceError>) {
    var (timer, deadline): ((any WebServiceTimer)?, (any WebServiceTimer)?)
    var delivery: Delivery?
    state.withLock { state in
      swap(&timer, &state.timer)
      swap(&deadline, &state.deadlineTimer)
      state.transportTask = nil
      if state.isStarting { state.earlyOutcome = outcome } else { swap(&delivery, &state.delivery) }
    }
    timer?.cancel()
    deadline?.cancel()
    delivery?.run(self, outcome)
  }

  /// The last step, on the completion's own queue: `nil` where the completion has run already. What ended the request
  /// since it was answered counts for more than the answer.
  func claim<Value>(_ result: Result<Value, WebServiceError>) -> Result<Value, WebServiceError>? {
    let (action, slot) = state.withLock { ($0.machine.handle(.delivering), $0.slot) }
    if let slot { engine.registry.remove(slot) }
    switch action {
    case .complete:
      record(.delivered(RequestEvent.Outcome(result)))
      return result
    case .completeInterrupted(let cause):
      let error = error(ResponseJudge.Refusal(cause), phase: .deliver)
      record(.delivered(RequestEvent.Outcome(.failure(error) as Result<Value, WebServiceError>)))
      return .failure(error)
    default:
      return nil
    }
  }
}

extension RequestRun {
  // MARK: Awaited

  /// Starts the request and waits for what it comes to; cancelling the Swift task ends it.
  func outcome() async -> Result<WebServiceResponse, WebServiceError> {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        state.withLock { $0.delivery = Delivery { _, outcome in continuation.resume(returning: outcome) } }
        start()
      }
    } onCancel: {
      interrupt(.cancelled)
    }
  }

  /// What the caller is given who has waited.
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
