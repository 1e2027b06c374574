import Foundation

extension RequestRun {
  // MARK: Timers

  func startTimer() {
    let (timeout, attempt) = state.withLock { state in
      (state.request?.timeouts.whole ?? state.request?.timeouts.idle, state.machine.attempt)
    }
    let timer = engine.configuration.clock.schedule(after: timeout ?? engine.configuration.timeout) { [weak self] in
      self?.timeOut(attempt: attempt)
    }
    keep(timer) { $0.machine.isWaiting }
  }

  /// Keeps a timer in place of the one before, unless the run has gone on.
  func keep(_ timer: any WebServiceTimer, while isWanted: (RequestRunState) -> Bool) {
    let obsolete: (any WebServiceTimer)? = state.withLock { state in
      guard isWanted(state) else { return timer }
      defer { state.timer = timer }
      return state.timer
    }
    obsolete?.cancel()
  }

  private func timeOut(attempt: Int) {
    let (isDue, exchange): (Bool, Int?) = state.withLock { state in
      let machine = state.machine
      guard machine.attempt == attempt, machine.isWaiting, !state.isTransportTimed else { return (false, nil) }
      return (true, machine.state == .sending ? machine.exchange : nil)
    }
    guard isDue else { return }
    // What a transport would say of it: which of the two looks at its clock first must make no difference.
    if let exchange {
      let error = TransportError(.timedOut(.whole), message: "no answer came in time", mayHaveReachedServer: true)
      refuse(error, exchange: exchange)
    } else {
      interrupt(.timedOut)
    }
  }

  // MARK: The deadline

  func startDeadline() {
    guard let deadline = options.deadline ?? engine.configuration.deadline, !deadline.isNaN else { return }
    let clock = engine.configuration.clock
    let timer = clock.schedule(after: min(max(0, deadline), Self.longestDeadline)) { [weak self] in
      self?.interrupt(.deadlinePassed)
    }
    state.withLock { state in
      state.deadlineTimer = timer
      state.deadline = Deadline(after: deadline, now: clock.now)
    }
  }

  /// Half a year, in seconds.
  private static let longestDeadline: TimeInterval = 15_768_000

  /// Whether there is time for anything after a wait of so many seconds.
  func allowsWaiting(_ seconds: TimeInterval) -> Bool {
    state.withLock { $0.deadline }.allows(waiting: seconds, at: engine.configuration.clock.now)
  }

  // MARK: Errors

  /// - Parameter exchange: which one it is about, where one is under way.
  func refuse(
    _ kind: WebServiceError.Kind, _ message: String, underlying: (any Error)? = nil, exchange: Int? = nil
  ) {
    advance(
      .refused(exchange: exchange),
      with: .refusal(ResponseJudge.Refusal(kind: kind, message: message, underlying: underlying)))
  }

  /// A decoding failure, told with the answer that it happened on.
  func readingError(_ underlying: any Error, response: WebServiceResponse) -> WebServiceError {
    var refusal = ResponseJudge.Refusal(
      kind: .undecodableBody, message: "the body is not what was expected", response: response,
      underlying: underlying)
    switch underlying {
    case let error as DecodingError:
      refusal.decodingFailure = DecodingFailure(error, in: response.body)
    case let piece as UndecodablePiece:
      refusal.underlying = piece.error
      refusal.decodingFailure = DecodingFailure(piece.error, in: piece.bytes)
    default:
      break
    }
    return error(refusal, phase: .read, attempt: state.withLock { $0.machine.attempt })
  }

  /// A file that couldn't be written, or an answer that doesn't belong there, told with that answer.
  func fileError(_ underlying: any Error, response: WebServiceResponse) -> WebServiceError {
    let isWrong = underlying is WrongPart
    let refusal = ResponseJudge.Refusal(
      kind: isWrong ? .sessionFailure : .file,
      message: isWrong
        ? "the server sent another part of the file than it was asked for" : "the answer couldn't be put into its file",
      response: response, underlying: underlying)
    return error(refusal, phase: .read, attempt: state.withLock { $0.machine.attempt })
  }

  /// A validator's refusal, told with the answer that it refused.
  func validationError(_ underlying: any Error, response: WebServiceResponse) -> WebServiceError {
    let isPlainStatus = underlying as? ResponseValidationError == .statusCode(response.statusCode)
    let refusal = ResponseJudge.Refusal(
      kind: response.isSuccessful && !isPlainStatus ? .invalidResponse : .statusCode(response.statusCode),
      message: isPlainStatus ? "" : "a validator refused the answer", response: response,
      underlying: isPlainStatus ? nil : underlying)
    return error(refusal, phase: .judge, attempt: state.withLock { $0.machine.attempt })
  }

  func error(
    _ refusal: ResponseJudge.Refusal, phase: WebServiceError.Phase, attempt: Int
  ) -> WebServiceError {
    let (request, described, credentials, cause) = state.withLock {
      ($0.request, $0.described, $0.credentials, $0.lastFailure)
    }
    let circumstances = FailureCircumstances(
      phase: phase, attempt: attempt, request: request, described: described, credentials: credentials,
      configuration: engine.configuration)
    return circumstances.error(refusal.after(cause), describedAs: data)
  }

  // MARK: Monitors

  /// Tells the monitors; without one nothing is built. Called with no lock held.
  func record(_ kind: @autoclosure () -> RequestEvent.Kind) {
    guard !engine.monitors.isEmpty else { return }
    let url = shownURL
    let (method, attempt, exchange) = state.withLock { state in
      (state.request?.method, state.machine.attempt, state.machine.exchange)
    }
    let event = RequestEvent(
      requestID: requestID, attempt: attempt, exchange: exchange, time: engine.configuration.clock.now,
      start: startTime, method: method ?? data.method, url: url, kind: kind())
    guard state.withLock({ $0.events.append(event) }) else { return }
    while let next = state.withLock({ $0.events.next() }) { engine.monitors.record(next) }
  }

  /// The URL as monitors are shown it, made once for each exchange. One that a server has sent us to may hold what it was
  /// sent.
  private var shownURL: RedactedURL {
    let (known, url, own) = state.withLock { ($0.shownURL, $0.request?.url, $0.described?.url) }
    if let known { return known }
    let shown = RedactedURL(
      url?.absoluteString ?? data.path,
      redaction: url == own ? engine.configuration.redaction : eventRedaction)
    state.withLock { state in
      if state.request?.url == url { state.shownURL = shown }
    }
    return shown
  }

  /// What is hidden in the URLs of events: a server may send elsewhere with what it was sent.
  var eventRedaction: Redaction {
    let redaction = engine.configuration.redaction
    let (credentials, described) = state.withLock { ($0.credentials, $0.machine.exchange > 0 ? $0.described : nil) }
    let secrets = described.map(RequestSecrets(redaction: redaction).values) ?? []
    return credentials.isEmpty && secrets.isEmpty ? redaction : redaction.hiding(credentials + secrets)
  }
}
