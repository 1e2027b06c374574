import Foundation
import WebServicesCore

/// Records requests and their outcomes. Call `begin` before a request is sent and `end` with its outcome, from any
/// thread.
///
/// Secrets are hidden when the cassette is made, which keeps that work off the transport's threads.
final class Recorder: Sendable {
  private struct Entry: Sendable {
    /// The request with its secrets.
    let request: TransportRequest
    /// Before redaction. Without a response and a failure, the request is in progress and isn't part of the cassette.
    var exchange: Cassette.Exchange
    let start = MonotonicTime.seconds
  }

  private struct State: Sendable {
    var entries: [Entry] = []
    var byteCount = 0
    var isOverLimit = false
  }

  /// The most requests of a cassette.
  private static let entryLimit = 10_000
  /// The assumed size of an entry without its bodies, in bytes.
  private static let overhead = 1024

  private static let dateStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  private let redaction: Redaction
  let limit: Int
  /// Guards the entries. Bodies are read and redacted without the lock.
  private let state = Locked(State())

  init(redaction: Redaction, limit: Int) {
    self.redaction = redaction
    self.limit = limit
  }

  /// Records the start of a request. Returns the number to use in later calls; `nil` if the request isn't recorded.
  func begin(_ request: TransportRequest) -> Int? {
    let body = Cassette.Body(request, limit: limit)
    // A larger file leaves a gap in the recording. An unreadable file is unreadable in a replay too.
    let hasGap = body.omission == Cassette.Body.tooLarge
    // The recorder keeps bytes and none of the caller's objects. The engine's attachment and an app's options may refer
    // to the service, whose session has this recorder.
    let secrets = (request.secrets?.secrets ?? []) + request.options.secrets
    let kept = TransportRequest(
      method: request.method, url: request.url, headers: request.headers, body: .data(body.data),
      options: RequestOptions { $0.secrets = secrets })
    return state.withLock { state in
      if hasGap { state.isOverLimit = true }
      state.byteCount += body.data.count + Self.overhead
      guard state.byteCount <= limit, state.entries.count < Self.entryLimit, !state.isOverLimit else {
        state.isOverLimit = true
        return nil
      }
      let exchange = Cassette.Exchange(
        request: Cassette.Request(kept, body: body), started: Date().formatted(Self.dateStyle))
      state.entries.append(Entry(request: kept, exchange: exchange))
      return state.entries.count - 1
    }
  }

  /// Records the head of a response whose body goes to a receiver. Until its end, the request counts as cancelled here.
  func receive(head: WebServiceResponse, of number: Int) {
    state.withLock { state in
      state.entries[number].exchange.response = Cassette.Response(head, body: Data())
      state.entries[number].exchange.failure = Cassette.Failure(
        kind: .cancelled, message: "the recording ended before the response", mayHaveReachedServer: true)
    }
  }

  /// Records a piece of the body behind that head.
  func receive(_ piece: Data, of number: Int) {
    state.withLock { state in
      state.byteCount += piece.count
      guard state.byteCount <= limit else { return state.isOverLimit = true }
      state.entries[number].exchange.response?.body.data.append(piece)
    }
  }

  /// Records the outcome of a request. An outcome of an invalidated session isn't recorded.
  func end(_ number: Int?, with outcome: Result<WebServiceResponse, TransportError>) {
    let error: TransportError? = if case .failure(let error) = outcome { error } else { nil }
    guard let number, error?.kind != .invalidated else { return }
    let response = (try? outcome.get()) ?? error?.response
    state.withLock { state in
      var exchange = state.entries[number].exchange
      if exchange.response == nil, let response {
        state.byteCount += response.body.count
        guard state.byteCount <= limit else { return state.isOverLimit = true }
        exchange.response = Cassette.Response(response, body: response.body)
      }
      exchange.time = ((MonotonicTime.seconds - state.entries[number].start) * 1000).rounded()
      exchange.failure = error.map {
        Cassette.Failure(
          kind: $0.kind, message: $0.message, mayHaveReachedServer: $0.mayHaveReachedServer,
          isStaleConnection: $0.isStaleConnection)
      }
      state.entries[number].exchange = exchange
    }
  }

  func cassette() throws(CassetteError) -> Cassette {
    let state = state.withLock { $0 }
    guard !state.isOverLimit else { throw .tooLarge(limit: limit) }
    // A response may have the token of a request that is still open.
    var cassette = Cassette(exchanges: state.entries.map(\.exchange))
      .redacted(by: redaction, requests: state.entries.map(\.request))
    cassette.exchanges.removeAll { $0.response == nil && $0.failure == nil }
    return cassette
  }
}

extension Cassette.Response {
  fileprivate init(_ response: WebServiceResponse, body: Data) {
    self.init(
      status: response.statusCode, headers: response.headers, body: Cassette.Body(data: body),
      isDecoded: response.isDecoded)
  }
}
