public import Foundation
public import WebServices

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends requests with another session, and records the requests and responses for a ``ReplayingSession``.
///
/// ```swift
/// let session = RecordingSession(try CurlSession())
/// let service = JsonWebService(session: session)
/// // … requests, and when they have ended:
/// try session.cassette().write(to: URL(fileURLWithPath: "sign-in.cassette.json"))
/// ```
///
/// Secrets never reach the cassette. Header fields, query items, JSON members, form fields and multipart fields that
/// the redaction names are replaced by its placeholder. Every other occurrence of a secret value in the request is
/// replaced too. Compressed request bodies and streams can't be searched, so they aren't recorded.
public final class RecordingSession<Inner: URLSessionProtocol>: URLSessionProtocol {
  private let inner: Inner
  private let recorder: Recorder

  /// Creates a session around another session.
  ///
  /// - Parameters:
  ///   - inner: the session that sends.
  ///   - redaction: the secrets to hide.
  ///   - limit: the most bytes of bodies to record. Later requests are still sent, but ``cassette()`` then throws.
  public init(_ inner: Inner, redaction: Redaction = .standard, limit: Int = 64 * 1024 * 1024) {
    self.inner = inner
    recorder = Recorder(redaction: redaction, limit: limit)
  }

  /// The requests that have ended, in the order in which they started.
  ///
  /// - Throws: ``CassetteError/tooLarge(limit:)`` if the recording exceeded the limit.
  public func cassette() throws(CassetteError) -> Cassette { try recorder.cassette() }

  /// Prepares the request with the inner session. The inner session calls the handler, on its own thread or queue.
  public func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> Inner.DataTask {
    let number = TransportRequest(recordable: request).flatMap(recorder.begin)
    return inner.dataTask(with: request) { [recorder] data, response, error in
      recorder.end(number, with: FoundationResponse(data: data, response: response, error: error).result)
      completionHandler(data, response, error)
    }
  }

  /// Prepares the transfer with the inner session. The inner session calls the completion, on its own thread or queue.
  public func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    let number = recorder.begin(request)
    var request = request
    var copy: RecordingReceiver?
    if number != nil, let receiver = request.receiver {
      copy = RecordingReceiver(receiver, limit: recorder.limit)
      request.receiver = copy
    }
    return inner.transferTask(with: request) { [recorder, copy] result in
      recorder.end(number, with: recorder.completed(result, copy: copy))
      completion(result)
    }
  }

  /// Invalidates the inner session. ``cassette()`` still returns the recorded requests.
  public func invalidateAndCancel() {
    inner.invalidateAndCancel()
  }
}

extension Recorder {
  /// Returns the result with the whole body. A receiver took the body piece by piece, so the result itself has none.
  fileprivate func completed(
    _ result: Result<WebServiceResponse, TransportError>, copy: RecordingReceiver?
  ) -> Result<WebServiceResponse, TransportError> {
    guard let copy, case .success(var response) = result else { return result }
    response.body = copy.content
    if copy.isOverLimit { noteOverLimit() }
    return .success(response)
  }
}

/// Passes the pieces of a streamed response to the request's receiver, and keeps a copy of the pieces for the recorder.
final class RecordingReceiver: TransportReceiver {
  private struct State: Sendable {
    var content = Data()
    var isOverLimit = false
  }

  private let receiver: any TransportReceiver
  private let limit: Int
  /// Guards the copy: `didReceive` adds pieces on the transport's thread, and the completion reads them.
  private let state = Locked(State())

  init(_ receiver: any TransportReceiver, limit: Int) {
    self.receiver = receiver
    self.limit = limit
  }

  var content: Data { state.withLock { $0.content } }
  var isOverLimit: Bool { state.withLock { $0.isOverLimit } }

  func didReceive(head: WebServiceResponse) {
    receiver.didReceive(head: head)
  }

  func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void) {
    state.withLock { state in
      guard state.content.count + piece.count <= limit else { return state.isOverLimit = true }
      state.content.append(piece)
    }
    receiver.didReceive(piece, proceed: proceed)
  }
}

/// The result of a data task, in Foundation's types. Read `result` for the library's types.
struct FoundationResponse {
  let data: Data?
  let response: URLResponse?
  let error: (any Error)?

  var result: Result<WebServiceResponse, TransportError> {
    if let error { return .failure(transportError(error)) }
    guard let response = response as? HTTPURLResponse, let url = response.url else {
      return .failure(
        TransportError(.notHTTPResponse, message: "the session delivered no HTTP response", mayHaveReachedServer: true))
    }
    var headers = HTTPHeaders()
    let fields = response.allHeaderFields.compactMap { name, value in
      (name as? String).flatMap { name in (value as? String).map { (name, $0) } }
    }
    // Sorted, because Foundation's dictionary has no order.
    for (name, value) in fields.sorted(by: { $0.0 < $1.0 }) { headers.add(name: name, value: value) }
    return .success(
      WebServiceResponse(statusCode: response.statusCode, headers: headers, url: url, body: data ?? Data()))
  }

  /// Converts an error of any session to the library's error. The original text may hold secrets, so the text isn't
  /// recorded.
  private func transportError(_ error: any Error) -> TransportError {
    if let error = error as? TransportError { return error }
    let kind: TransportError.Kind =
      switch (error as? URLError)?.code {
      case .cancelled?: .cancelled
      case .timedOut?: .timedOut(.whole)
      case .notConnectedToInternet?: .notConnected
      case .cannotFindHost?, .dnsLookupFailed?: .nameLookup
      case .cannotConnectToHost?: .cannotConnect
      case .secureConnectionFailed?, .serverCertificateUntrusted?: .tls
      case .networkConnectionLost?: .connectionLost
      default: .other
      }
    return TransportError(kind, message: "the session failed", mayHaveReachedServer: true)
  }
}
