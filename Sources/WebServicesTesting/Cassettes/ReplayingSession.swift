public import Foundation
public import WebServicesCore
import WebServicesDoubles

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A session that sends nothing and responds with the content of a cassette.
///
/// ```swift
/// let cassette = try Cassette(contentsOf: URL(fileURLWithPath: "sign-in.har"))
/// let service = JsonWebService(session: ReplayingSession(cassette))
/// ```
///
/// The `Date` of a response is the time of the replay. `Expires` and a date in `Retry-After` move with it, so that a
/// cache finds the response as fresh as it was. A request without a matching recording fails with a `TransportError`.
/// Its message names the request, the difference, and the recordings left. Completions run at once on a serial queue of
/// the session. A request that was cancelled while recording waits until it is cancelled again; a stream first gives
/// the part that it had received.
public final class ReplayingSession: URLSessionProtocol {
  private let cassette: Cassette
  private let matching: CassetteMatching
  private let redaction: Redaction
  /// The number of uses of each recorded request. Functions that compare requests are called without the lock.
  private let uses: Locked<[Int]>
  /// Has the tasks.
  private let mock = MockURLSession()

  /// The size of the largest file to read for a comparison, in bytes.
  private static let fileLimit = 64 * 1024 * 1024

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - cassette: the recording.
  ///   - matching: selects the recorded response for a request.
  ///   - redaction: the redaction of the recording. It hides the request's secrets before the comparison.
  public init(_ cassette: Cassette, matching: CassetteMatching = .strict, redaction: Redaction = .standard) {
    var cassette = cassette
    for (index, exchange) in cassette.exchanges.enumerated() {
      // An export has secrets, which no message may show and no request is compared by.
      cassette.exchanges[index].request = exchange.request.redacted(by: exchange.request.redaction(redaction))
    }
    self.cassette = cassette
    self.matching = matching
    self.redaction = redaction
    uses = Locked(Array(repeating: 0, count: cassette.exchanges.count))
  }

  /// The recorded requests that weren't sent yet.
  public var remaining: [Cassette.Exchange] {
    zip(cassette.exchanges, uses.withLock { $0 }).filter { $0.1 == 0 }.map(\.0)
  }

  /// The number of resumed tasks that haven't completed.
  public var openTaskCount: Int { mock.openTaskCount }

  /// Prepares a request. It completes after `resume()`, on a serial queue of the session.
  public func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> some URLSessionTaskProtocol {
    mock.dataTask(
      with: request, responder: { [self] in response(to: TransportRequest($0)) }, completionHandler: completionHandler)
  }

  /// Prepares a transfer. It completes after `resume()`, on a serial queue of the session.
  public func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    let respond = { @Sendable [self] in
      let response = response(to: request)
      if let error = response.unendingError { mock.enqueue { _ = request.receive(error.response) } }
      return response
    }
    return mock.transferTask(with: request, responder: respond, completion: completion)
  }

  /// Cancels every task. Tasks that are resumed later fail.
  public func invalidateAndCancel() { mock.invalidateAndCancel() }

  // MARK: Matching

  private func response(to request: TransportRequest) -> MockResponse {
    let live = Cassette.Request(request, body: Cassette.Body(request, limit: Self.fileLimit))
      .redacted(by: redaction.hiding(secretsOf: request))
    switch matching {
    case .strict: return responseInOrder(to: live, request)
    case .loose: return responseInAnyOrder(to: live, request) { $0.method == $1.method && $0.path == $1.path }
    case .custom(let matches): return responseInAnyOrder(to: live, request, matches)
    }
  }

  /// The response of the first unused recording, if the request equals it. A mismatch leaves the recording unused.
  private func responseInOrder(to live: Cassette.Request, _ request: TransportRequest) -> MockResponse {
    let comparable = ComparableRequest(live)
    let (index, difference): (Int?, String?) = uses.withLock { uses in
      guard let index = uses.firstIndex(of: 0) else { return (nil, nil) }
      let difference = ComparableRequest(cassette.exchanges[index].request).difference(from: comparable)
      if difference == nil { uses[index] = 1 }
      return (index, difference)
    }
    guard let index else { return mismatch(live, "all recorded responses have been used") }
    guard let difference else { return cassette.exchanges[index].response(to: request) }
    return mismatch(
      live, "number \(index + 1) is next, \(cassette.exchanges[index].request), and \(difference) differs")
  }

  /// The response of the first unused recording that matches, or else of the last.
  private func responseInAnyOrder(
    to live: Cassette.Request, _ request: TransportRequest, _ matches: (Cassette.Request, Cassette.Request) -> Bool
  ) -> MockResponse {
    let candidates = cassette.exchanges.indices.filter { matches(live, cassette.exchanges[$0].request) }
    let index: Int? = uses.withLock { uses in
      let index = candidates.first { uses[$0] == 0 } ?? candidates.last
      if let index { uses[index] = 1 }
      return index
    }
    guard let index else { return mismatch(live, "no recorded request matches") }
    return cassette.exchanges[index].response(to: request)
  }

  private func mismatch(_ live: Cassette.Request, _ reason: String) -> MockResponse {
    let remaining = remaining
    let shown = remaining.prefix(10).map(\.request.description).joined(separator: ", ")
    let more = remaining.count > 10 ? ", and \(remaining.count - 10) more" : ""
    let left = remaining.isEmpty ? "nothing" : shown + more
    return .unsent(.other, "the cassette has no response for \(live): \(reason); left: \(left)")
  }
}

extension Cassette.Exchange {
  fileprivate func response(to request: TransportRequest) -> MockResponse {
    if let reason = response?.body.omission {
      return .unsent(.other, "the cassette has no body for \(self.request): \(reason)")
    }
    let response = response.map { recorded in
      var response = WebServiceResponse(
        statusCode: recorded.status, headers: recorded.headers.sentNow, url: request.url, body: recorded.body.data)
      response.isDecoded = recorded.isDecoded
      return response
    }
    guard let failure else { return response.map(MockResponse.init) ?? .never }
    var error = TransportError(
      failure.kind, message: failure.message, mayHaveReachedServer: failure.mayHaveReachedServer, response: response)
    error.isStaleConnection = failure.isStaleConnection
    // The recorded request was cancelled, so only a cancel ends this one.
    return failure.kind == .cancelled ? .failure(error).delayed(by: .infinity) : .failure(error)
  }
}

extension HTTPHeaders {
  /// The fields with `Date` at this moment, and the other times as long before or after it as they were. With the
  /// recorded times, a cache would take the response for stale, and send a request that was never recorded.
  fileprivate var sentNow: HTTPHeaders {
    var headers = self
    guard let date = self["Date"].flatMap({ HTTPDate.date(from: $0) }) else { return headers }
    let age = Date().timeIntervalSince(date)
    for name in ["Date", "Expires", "Retry-After"] {
      guard let time = self[name].flatMap({ HTTPDate.date(from: $0) }) else { continue }
      headers[name] = HTTPDate.string(from: time.addingTimeInterval(age))
    }
    return headers
  }
}
