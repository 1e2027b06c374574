import Foundation

/// The events of a server that go on when their connection ends: a new one is asked for what comes behind the last event.
///
/// It ends when the server says so (204). It fails with a `WebServiceError` that has the response where that is anything
/// but a 200 with the content type `text/event-stream` (WHATWG HTML, section 9.2.3), and where the policy gives up. It can be iterated any number of times, each time with a connection of its own. Cancelling the Swift task
/// ends it.
public struct ServerSentEventStream: AsyncSequence, Sendable {
  /// One event.
  public typealias Element = ServerSentEvent

  let service: any JsonWebServiceable
  let data: any WebServiceRequestData
  let policy: ReconnectionPolicy
  let limit: Int
  let clock: any WebServiceClock
  let random: any RandomSource

  /// Starts with the first event.
  public func makeAsyncIterator() -> Iterator {
    Iterator(events: self)
  }

  /// Gives one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let events: ServerSentEventStream
    private let memory = Locked(StreamMemory())
    /// All connections belong to the user for whom the first was made: `Last-Event-ID` is that user's.
    private let work = RequestWork.joined
    private var connection: ResponseStream<ServerSentEvent>.Iterator?
    private var failures = 0
    private var isOver = false

    init(events: ServerSentEventStream) {
      self.events = events
    }

    /// The next event; `nil` once the server has ended the stream. Throws a `WebServiceError`.
    public mutating func next() async throws -> ServerSentEvent? {
      while !isOver {
        var failure: (any Error)?
        do {
          if let event = try await nextOfConnection() {
            failures = 0
            return event
          }
        } catch {
          failure = error
        }
        try await reconnect(after: failure)
      }
      return nil
    }

    private mutating func nextOfConnection() async throws -> ServerSentEvent? {
      if connection == nil {
        let stream = try await RequestWork.$current.withValue(work) { [events, memory] in
          try await events.connect(memory)
        }
        if stream.response.statusCode == 204 { isOver = true } else { try events.check(stream.response) }
        connection = stream.makeAsyncIterator()
      }
      return try await connection?.next()
    }

    /// Waits before the next connection, unless this was the last one.
    private mutating func reconnect(after error: (any Error)?) async throws {
      connection = nil
      guard !isOver else { return }
      failures += 1
      let isFinal = failures > events.policy.maximumAttempts
      guard !isFinal, error.map(Self.mayPass) ?? true, events.mayBeSentAgain(after: error) else {
        isOver = true
        if let error { throw error }
        return
      }
      let delay = events.policy.wait(
        after: failures, serverDelay: memory.withLock { $0.reconnectionTime }, random: events.random)
      guard await events.clock.wait(delay) else {
        isOver = true
        throw WebServiceError(.cancelled, url: events.data.path)
      }
    }

    /// Whether another connection may do what this one didn't: an answer that isn't good is final.
    private static func mayPass(_ error: any Error) -> Bool {
      switch (error as? WebServiceError)?.kind {
      case .noConnection, .sessionFailure, .timedOut, .circuitOpen: true
      default: false
      }
    }
  }

  private func connect(_ memory: Locked<StreamMemory>) async throws(WebServiceError) -> ResponseStream<ServerSentEvent>
  {
    let lastEventID = memory.withLock { $0.lastEventID }
    let format = StreamFormat<ServerSentEvent>(accept: "text/event-stream") { [limit] in
      RememberingParser(base: ServerSentEventParser(lastEventID: lastEventID, limit: limit), memory: memory)
    }
    var request = RequestDataCopy(data)
    request.headers["Cache-Control"] = request.headers["Cache-Control"] ?? "no-store"
    if !lastEventID.isEmpty { request.headers["Last-Event-ID"] = lastEventID }
    return try await service.stream(request, as: format)
  }

  /// Whether the server may get the request once more: a method that isn't idempotent may have done its work already.
  private func mayBeSentAgain(after error: (any Error)?) -> Bool {
    let repeatability = Repeatability(
      method: data.method, headers: data.headers, declaredIdempotent: data.options.isIdempotent, bodyIsReplayable: true)
    if repeatability.isIdempotent { return true }
    guard let error = error as? WebServiceError, error.response == nil else { return false }
    if error.kind == .noConnection || error.kind == .circuitOpen { return true }
    return error.underlying(as: TransportError.self)?.mayHaveReachedServer == false
  }

  /// Refuses what is no event stream, such as a captive portal's page or an error with status 200: it would be asked for
  /// again for ever.
  private func check(_ response: WebServiceResponse) throws(WebServiceError) {
    let type = response.headers["Content-Type"]
    let isEventStream = type.flatMap { MediaType($0) }?.essence == "text/event-stream"
    guard response.statusCode != 200 || !isEventStream else { return }
    throw WebServiceError(
      response.isSuccessful ? .invalidResponse : .statusCode(response.statusCode), phase: .judge, method: data.method,
      url: data.path, attemptCount: 1,
      message: "an event stream has the status 200 and the content type text/event-stream; the response has the status "
        + "\(response.statusCode) and \(type.map { "the content type \($0)" } ?? "no content type")",
      response: response)
  }
}

extension JsonWebServiceable {
  /// The events of a server, which go on when their connection ends. Nothing is sent before the first one is waited for.
  /// A request whose method isn't idempotent (`POST`) is sent once, unless its options declare it idempotent: its events
  /// end with their connection.
  ///
  /// - Parameters:
  ///   - requestData: the request; `Last-Event-ID` is added where a connection goes on.
  ///   - policy: when the connection is made anew.
  ///   - limit: the largest event and the longest line, in bytes. A larger one fails the stream with a
  ///     `StreamLimitError` underneath.
  ///   - clock: what the waits are counted on.
  ///   - random: what the waits are drawn from.
  public func serverSentEvents(
    _ requestData: some WebServiceRequestData, reconnecting policy: ReconnectionPolicy = .standard,
    limit: Int = ServerSentEventParser.defaultLimit, clock: any WebServiceClock = SystemClock.shared,
    random: any RandomSource = SystemRandomSource()
  ) -> ServerSentEventStream {
    ServerSentEventStream(
      service: self, data: requestData, policy: policy, limit: limit, clock: clock, random: random)
  }
}

/// What outlives a connection.
private struct StreamMemory: Sendable {
  var lastEventID = ""
  var reconnectionTime: TimeInterval?
}

/// Notes what the next connection has to know, also where it comes without an event.
private struct RememberingParser: StreamParser {
  var base: ServerSentEventParser
  let memory: Locked<StreamMemory>

  mutating func append(_ data: Data) { base.append(data) }
  mutating func finish() { base.finish() }

  mutating func next() throws -> ServerSentEvent? {
    let event = try base.next()
    memory.withLock { [base] memory in
      memory.lastEventID = base.lastEventID
      memory.reconnectionTime = base.reconnectionTime ?? memory.reconnectionTime
    }
    return event
  }
}
