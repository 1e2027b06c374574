import Foundation

/// One request on its way through the seven stations.
///
/// The state machine says what comes next; this does it. It knows nothing of the model: reading and delivering are the
/// caller's closure, which gets the answer where no caller's code may run yet and takes it to the right queue.
final class RequestRun: Sendable {
  /// Takes an outcome to where the completion runs.
  typealias Delivery = @Sendable (RequestRun, Result<WebServiceResponse, WebServiceError>) -> Void

  // What the caller's `data` says is asked on the caller's thread alone: from `describe` and `authorize`, not when an
  // answer is there.

  /// What a station has to hand on besides the event.
  private enum StationOutcome {
    case none
    case response(WebServiceResponse)
    case refusal(ResponseJudge.Refusal)
  }

  private let state: Locked<RequestRunState>
  private let data: any WebServiceRequestData
  private let engine: Engine

  init(_ data: any WebServiceRequestData, engine: Engine, delivery: @escaping Delivery) {
    self.data = data
    self.engine = engine
    state = Locked(RequestRunState(delivery: delivery))
  }

  /// Sets the request off, unless the service takes none any more. An outcome that is there at once is handed on at the
  /// very end, so that no completion runs before the call that started it is over.
  func start() {
    if engine.registry.insert(self) {
      advance(.started)
    } else {
      interrupt(.invalidated)
    }
    let outcome = state.withLock { state in
      state.isStarting = false
      defer { state.earlyOutcome = nil }
      return state.earlyOutcome
    }
    if let outcome { deliver(outcome) }
  }

  /// Ends the request from outside: cancel, timeout, reset.
  func interrupt(_ cause: RequestStateMachine.Interruption) {
    advance(.interrupted(cause))
  }

  // MARK: The way of a request

  /// The engine's main function: each station in its order. A station that is done says so with the event that leads to
  /// the next one.
  private func advance(_ event: RequestStateMachine.Event, with outcome: StationOutcome = .none) {
    let (action, phase, attempt) = state.withLock { state in
      let phase = state.machine.phase
      return (state.machine.handle(event), phase, state.machine.attempt)
    }
    switch action {
    case .describe: describe()
    case .admit: admit()
    case .authorize: authorize()
    case .send(let exchange): send(exchange: exchange)
    case .read, .fail: finish(with: outcome, phase: phase, attempt: attempt)
    case .abandon(let cause): abandon(cause, phase: phase, attempt: attempt)
    case .nothing, .complete, .completeInterrupted: break
    }
  }

  private func describe() {
    do throws(RequestDescription.Failure) {
      let request = try RequestDescription.transportRequest(for: data, configuration: engine.configuration)
      let redirects = data.redirects ?? engine.configuration.redirects
      state.withLock { state in
        state.request = request
        state.redirects = redirects
      }
      advance(.described)
    } catch {
      refuse(error.kind, error.message, underlying: error.underlying)
    }
  }

  private func admit() {
    guard let url = state.withLock({ $0.request?.url }) else { return }
    guard LoopbackHost.contains(url.host) || engine.reachability.isConnected() else {
      return refuse(.noConnection, "no network interface is up")
    }
    advance(.admitted)
  }

  private func authorize() {
    let type = data.authorization
    guard type.needsToken else { return attachCredentials(type.headerField(token: nil)) }
    startTimer()
    engine.tokenManager.ensureValidToken(ofType: type) { [self] result in
      switch result {
      case .success(let token): attachCredentials(type.headerField(token: token))
      case .failure(let error): refuse(.token, "there is no valid token", underlying: error)
      }
    }
  }

  private func attachCredentials(_ field: HTTPHeaders.Field?) {
    guard let field else { return advance(.authorized) }
    guard HTTPHeaders([field]).firstInvalidField == nil else {
      return refuse(.token, "the credentials can't be sent in a header")
    }
    // A second answer of a token manager's must not touch the request that is on its way.
    state.withLock { state in
      guard state.machine.state == .authorizing else { return }
      state.request?.headers[field.name] = field.value
      state.credentialName = field.name
      state.credentials = data.authorization.secrets(in: field)
    }
    advance(.authorized)
  }

  private func send(exchange: Int) {
    let request = state.withLock { state in
      if let request = state.request { state.steps.append(Redirect.Step(request)) }
      return state.request
    }
    guard let request else { return }
    // While a service shuts down, its requests are interrupted one by one: none goes out meanwhile.
    guard engine.registry.isOpen else { return interrupt(.invalidated) }
    // A redirect spends the time that the request was given.
    if exchange == 1 { startTimer() }
    let task = engine.session.transferTask(with: request) { [self] result in
      judge(result, of: request, exchange: exchange)
    }
    let isStillWanted = state.withLock { state in
      guard state.machine.state == .sending, state.machine.exchange == exchange else { return false }
      state.transportTask = task
      return true
    }
    isStillWanted ? task.resume() : task.cancel()
  }

  private func judge(
    _ result: Result<WebServiceResponse, TransportError>, of request: TransportRequest, exchange: Int
  ) {
    let (steps, redirect) = state.withLock { ($0.steps, $0.redirect(engine.configuration)) }
    switch ResponseJudge.verdict(on: result, to: request, after: steps, redirect: redirect) {
    case .accept(let response):
      advance(.accepted(exchange: exchange), with: .response(response))
    case .follow(let next):
      state.withLock { $0.follow(next, after: exchange) }
      advance(.redirected(exchange: exchange))
    case .refuse(let refusal):
      advance(.refused(exchange: exchange), with: .refusal(refusal))
    }
  }

  private func finish(with outcome: StationOutcome, phase: WebServiceError.Phase, attempt: Int) {
    switch outcome {
    case .response(let response):
      deliver(.success(response))
    case .refusal(let refusal):
      deliver(.failure(error(refusal, phase: phase, attempt: attempt)))
    case .none:
      deliver(.failure(error(ResponseJudge.Refusal(kind: .unexpected), phase: phase, attempt: attempt)))
    }
  }

  private func abandon(_ cause: RequestStateMachine.Interruption, phase: WebServiceError.Phase, attempt: Int) {
    let task = state.withLock { state in
      defer { state.transportTask = nil }
      return state.transportTask
    }
    deliver(.failure(error(ResponseJudge.Refusal(cause), phase: phase, attempt: attempt)))
    task?.cancel()
  }

  /// Hands an outcome to the caller's closure, which takes it to the completion's queue. What that closure holds is not
  /// kept longer than it is needed, whatever a session still holds of us.
  private func deliver(_ outcome: Result<WebServiceResponse, WebServiceError>) {
    let (delivery, timer): (Delivery?, (any WebServiceTimer)?) = state.withLock { state in
      defer {
        state.timer = nil
        state.transportTask = nil
      }
      guard !state.isStarting else {
        state.earlyOutcome = outcome
        return (nil, state.timer)
      }
      defer { state.delivery = nil }
      return (state.delivery, state.timer)
    }
    timer?.cancel()
    delivery?(self, outcome)
  }

  /// The last step, on the completion's own queue: `nil` where the completion has run already. What ended the request
  /// since it was answered counts for more than the answer.
  func claim<Model>(_ result: WebServiceResult<Model>) -> WebServiceResult<Model>? {
    let (action, attempt) = state.withLock { ($0.machine.handle(.delivering), $0.machine.attempt) }
    engine.registry.remove(self)
    switch action {
    case .complete:
      return result
    case .completeInterrupted(let cause):
      return .failure(error(ResponseJudge.Refusal(cause), phase: .deliver, attempt: attempt))
    default:
      return nil
    }
  }

  // MARK: Timers and errors

  private func startTimer() {
    let (timeout, attempt) = state.withLock { ($0.request?.timeouts.whole, $0.machine.attempt) }
    let timer = engine.configuration.clock.schedule(after: timeout ?? engine.configuration.timeout) { [weak self] in
      self?.timeOut(attempt: attempt)
    }
    let obsolete: (any WebServiceTimer)? = state.withLock { state in
      guard state.machine.isWaiting else { return timer }
      defer { state.timer = timer }
      return state.timer
    }
    obsolete?.cancel()
  }

  private func timeOut(attempt: Int) {
    guard state.withLock({ $0.machine.attempt == attempt }) else { return }
    interrupt(.timedOut)
  }

  private func refuse(_ kind: WebServiceError.Kind, _ message: String, underlying: (any Error)? = nil) {
    advance(
      .refused(exchange: nil),
      with: .refusal(ResponseJudge.Refusal(kind: kind, message: message, underlying: underlying)))
  }

  /// A decoding failure, told with the answer that it happened on.
  fileprivate func readingError(_ underlying: any Error, response: WebServiceResponse) -> WebServiceError {
    let attempt = state.withLock { $0.machine.attempt }
    let refusal = ResponseJudge.Refusal(
      kind: .undecodableBody, message: "the body is not what was expected", response: response,
      underlying: underlying)
    return error(refusal, phase: .read, attempt: attempt)
  }

  private func error(
    _ refusal: ResponseJudge.Refusal, phase: WebServiceError.Phase, attempt: Int
  ) -> WebServiceError {
    let (request, credentials) = state.withLock { ($0.request, $0.credentials) }
    let circumstances = FailureCircumstances(
      phase: phase, attempt: attempt, request: request, credentials: credentials,
      configuration: engine.configuration)
    return circumstances.error(refusal, describedAs: data)
  }
}

extension RequestRun {
  /// The read station, where caller's code may run. A failure passes it as it is.
  func read<Model>(
    _ outcome: Result<WebServiceResponse, WebServiceError>, with reader: ResponseReader<Model>
  ) -> WebServiceResult<Model> {
    switch outcome {
    case .failure(let error):
      return .failure(error)
    case .success(let response):
      do {
        return .success(try reader.read(response))
      } catch {
        return .failure(readingError(error, response: response))
      }
    }
  }
}
