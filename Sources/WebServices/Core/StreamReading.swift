import Foundation

/// The reader's end of a request whose answer is streamed. Without it the request ends.
final class StreamReading: StreamSource {
  let run: RequestRun
  private let relay: StreamRelay
  /// The head, for errors that come of the bytes behind it.
  private let head = Locked<WebServiceResponse?>(nil)
  private let isClaimed = Locked(false)

  /// Prepares a request; `run.start()` sends it.
  @inline(never)
  init(_ data: any WebServiceRequestData, accept: String, engine: Engine) {
    let relay = StreamRelay()
    self.relay = relay
    run = RequestRun(
      data, plan: ReadingPlan(accept: accept, sink: .stream(relay)), engine: engine,
      delivery: RequestRun.Delivery { _, outcome in relay.end(outcome) })
  }

  deinit {
    close()
  }

  /// Ends the request, as far as it hasn't ended.
  func close() {
    run.interrupt(.cancelled)
    _ = run.claim(Result<Void, WebServiceError>.failure(WebServiceError(.cancelled)))
  }

  /// Asks for the next signal; see `StreamRelay.next`.
  func next(_ reader: @escaping StreamRelay.Reader) {
    relay.next(reader)
  }

  // MARK: Signals made sense of, where a caller's code may run

  private func opened(
    _ response: WebServiceResponse, body: Data?
  ) -> Result<(WebServiceResponse, Data?), WebServiceError> {
    if let error = run.refusal(of: response) { return .failure(error) }
    var head = response
    if !head.body.isEmpty { head.body = Data() }
    return .success((head, body))
  }

  /// What the first signal means: the validated head, and the body of an answer that wasn't streamed.
  @inline(never)
  func opened(by signal: StreamRelay.Signal) -> Result<(WebServiceResponse, Data?), WebServiceError> {
    let opening: Result<(WebServiceResponse, Data?), WebServiceError>
    switch signal {
    case .head(let response):
      opening = opened(response, body: nil)
    case .piece:
      opening = .failure(WebServiceError(.unexpected, message: "the body came before the head"))
    case .end(let outcome):
      opening = outcome.flatMap { opened($0, body: $0.body) }
    }
    switch opening {
    case .success(let (response, _)):
      head.withLock { $0 = response }
      return opening
    case .failure(let error):
      return .failure(ended(error))
    }
  }

  /// What ended the request counts for more than what came of it.
  func ended(_ error: WebServiceError) -> WebServiceError {
    let claimed: Result<Void, WebServiceError>? = run.claim(.failure(error))
    run.interrupt(.cancelled)
    if case .failure(let other)? = claimed { return other }
    return error
  }

  /// `nil` for a stream that ended as it should.
  @inline(never)
  func ending(_ outcome: Result<WebServiceResponse, WebServiceError>) -> WebServiceError? {
    guard case .failure(let error)? = run.claim(outcome) else { return nil }
    return error
  }

  func fail(_ error: any Error) -> WebServiceError {
    guard let head = head.withLock({ $0 }) else { return WebServiceError(.unexpected, underlying: error) }
    return ended(run.readingError(error, response: head))
  }

  // MARK: As a source of an asynchronous sequence

  func claim() -> Bool {
    isClaimed.withLock { isClaimed in
      defer { isClaimed = true }
      return !isClaimed
    }
  }

  var isInterrupted: Bool { run.state.withLock { $0.machine.interruption != nil } }

  func nextSignal() async -> StreamRelay.Signal {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        relay.next { continuation.resume(returning: $0) }
      }
    } onCancel: {
      run.interrupt(.cancelled)
    }
  }

  func next() async throws(WebServiceError) -> Data? {
    switch await nextSignal() {
    case .head: return Data()
    case .piece(let data): return data
    case .end(let outcome):
      if let error = ending(outcome) { throw error }
      return nil
    }
  }
}
