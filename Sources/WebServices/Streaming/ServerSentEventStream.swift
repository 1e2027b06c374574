/// The server-sent events of a server, as an asynchronous sequence that `serverSentEvents(_:)` returns. When a
/// connection ends, the next connection continues after the last event.
///
/// The sequence ends when the server responds with 204. It fails with a ``WebServiceError`` after the last attempt that
/// the policy allows. It also fails for any response other than a 200 of the type `text/event-stream` (WHATWG HTML,
/// section 9.2.3). You can iterate it several times; each iterator opens its own connections. Cancelling the Swift task
/// ends it at once. After a sign-out or a shutdown in a pause it connects no more, and ends when the pause is over.
///
/// The article <doc:ReadingStreams> has samples.
public struct ServerSentEventStream: AsyncSequence, Sendable {
  /// One event.
  public typealias Element = ServerSentEvent

  let service: any JsonWebServiceable
  /// Copies the request for a connection. A closure, because printing or dumping the app's own value would show its
  /// secrets.
  let makeData: @Sendable () -> Request
  let policy: ReconnectionPolicy
  let limit: Int

  /// Starts with the first event.
  public func makeAsyncIterator() -> Iterator { Iterator(events: self) }

  /// Gives one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let events: ServerSentEventStream
    /// Guards the reader, which a connection uses while the iterator reads its reconnection time.
    private let reader: Locked<ServerSentEventReader>
    /// All connections belong to the first one's user. Only that user may see events after this `Last-Event-ID`.
    private let work = RequestWork()
    private var connection: ResponseStream<ServerSentEvent>.Iterator?
    private var failures = 0
    private var isOver = false

    init(events: ServerSentEventStream) {
      self.events = events
      reader = Locked(ServerSentEventReader(limit: events.limit))
    }

    /// The next event; `nil` once the server has ended the stream.
    ///
    /// - Throws: a ``WebServiceError``.
    public mutating func next() async throws(WebServiceError) -> ServerSentEvent? { try await next(isolation: nil) }

    /// The next event, as `next()` returns it, but no event of a user who has signed out on the caller's actor.
    ///
    /// - Parameter actor: the caller's actor, which a loop passes.
    /// - Throws: a ``WebServiceError``.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(WebServiceError) -> ServerSentEvent?
    {
      while !isOver {
        var failure: WebServiceError?
        do throws(WebServiceError) {
          if let event = try await nextEvent(on: actor) {
            // Only an event counts as a success. Otherwise a server that accepts and hangs up would be asked without
            // end.
            failures = 0
            return event
          }
        } catch { failure = error }
        connection = nil
        if !isOver { try await waitForReconnection(after: failure, on: actor) }
      }
      return nil
    }

    /// The next event of the current connection, which it opens if there is none; `nil` when the connection has ended.
    private mutating func nextEvent(on actor: isolated (any Actor)?) async throws(WebServiceError) -> ServerSentEvent? {
      if connection == nil {
        let stream = try await events.connect(reader, work)
        // The server asks the client not to connect again (WHATWG HTML, section 9.2.3).
        if stream.response.statusCode == 204 { isOver = true } else { try events.check(stream) }
        connection = stream.makeAsyncIterator()
      }
      return try await connection?.next(isolation: actor)
    }

    private mutating func waitForReconnection(
      after error: WebServiceError?, on actor: isolated (any Actor)?
    ) async throws(WebServiceError) {
      failures += 1
      guard failures <= events.policy.attemptLimit, events.mayReconnect(after: error) else {
        isOver = true
        if let error { throw error }
        return
      }
      let configuration = work.configuration
      let delay = events.policy.wait(
        after: failures, serverDelay: reader.withLock { $0.reconnectionTime }, random: configuration.random)
      guard await configuration.clock.wait(delay) else {
        isOver = true
        var error = WebServiceError(.cancelled, method: events.makeData().method, url: events.makeData().path)
        error.redaction = configuration.redaction
        throw error
      }
    }
  }

  /// - Parameter reader: the reader of the connection before, which has the last event id.
  private func connect(
    _ reader: Locked<ServerSentEventReader>, _ work: RequestWork
  ) async throws(WebServiceError) -> ResponseStream<ServerSentEvent> {
    let lastEventID = reader.withLock { reader in
      reader.dropEvent()
      return reader.lastEventID
    }
    var request = makeData()
    request.options.work = work
    request.headers["Cache-Control"] = request.headers["Cache-Control"] ?? "no-store"
    if !lastEventID.isEmpty { request.headers["Last-Event-ID"] = lastEventID }
    // The iterator reads the last event id and the reconnection time from the reader.
    return try await service.stream(request, as: .serverSentEvents { reader })
  }

  /// Whether another connection may help, and the server may get the request once more.
  ///
  /// - Parameter error: the failure of the connection; `nil` if it ended well.
  func mayReconnect(after error: WebServiceError?) -> Bool {
    // The failure of a renewal counts as the same failure of the request, which wasn't sent.
    let cause = error?.kind == .token ? error?.underlying(as: WebServiceError.self) ?? error : error
    switch cause?.kind {
    // Other errors, such as a refused response, would come again.
    case nil, .noConnection, .sessionFailure, .timedOut, .circuitOpen: break
    case .token where error?.underlying(as: TokenError.self) == .renewalTimedOut: break
    default: return false
    }
    // The service was shut down, or the session was invalidated.
    if error?.underlying(as: TransportError.self)?.kind == .invalidated { return false }
    let data = makeData()
    if data.options.isIdempotent(data.method, data.headers) { return true }
    // The server may have applied any other method, unless the request didn't reach it. A redirect to a GET, which is
    // then the error's method, says that the server has applied the request.
    guard let error, error.method == data.method else { return false }
    // The error below a timeout may be that of the attempt before.
    if error.kind == .timedOut { return error.attemptCount == 0 }
    return [.noConnection, .circuitOpen, .token].contains(error.kind)
      || error.underlying(as: TransportError.self)?.mayHaveReachedServer == false
  }

  /// Refuses any other content, such as the page of a captive portal: the stream would request it again and again.
  private func check(_ stream: ResponseStream<ServerSentEvent>) throws(WebServiceError) {
    let response = stream.response
    let type = response.headers["Content-Type"]
    let isEventStream = type.flatMap { HTTPHeaders.MediaType($0) }?.essence == "text/event-stream"
    guard response.statusCode != 200 || !isEventStream else { return }
    throw stream.withFacts(
      WebServiceError(
        response.isSuccessful ? .invalidResponse : .statusCode(response.statusCode), phase: .judge,
        method: makeData().method, url: makeData().path, attemptCount: 1,
        message: "an event stream has the status 200 and the content type text/event-stream; the response has the "
          + "status \(response.statusCode) and \(type.map { "the content type \($0)" } ?? "no content type")",
        response: response))
  }
}

extension JsonWebServiceable {
  /// The events of a server. When a connection ends, the next one continues after the last event.
  ///
  /// The request is sent when you wait for the first event. A request whose method isn't idempotent (`POST`) is sent
  /// once, unless its options declare it idempotent: its events end with their connection. Waits use the
  /// configuration's `clock` and `random`.
  ///
  /// - Parameters:
  ///   - requestData: the request; each later connection adds `Last-Event-ID`.
  ///   - policy: when to connect again.
  ///   - limit: the largest event and the longest line, in bytes. A larger one fails the stream with an underlying
  ///     ``StreamLimitError``.
  public func serverSentEvents(
    _ requestData: some WebServiceRequestData, reconnecting policy: ReconnectionPolicy = .standard, limit: Int = 1 << 20
  ) -> ServerSentEventStream {
    ServerSentEventStream(service: self, makeData: { Request(requestData) }, policy: policy, limit: limit)
  }
}
