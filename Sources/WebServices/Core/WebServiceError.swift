public import Foundation

/// The error of a failed request, with the facts that explain it.
///
/// ``friendlyDescription`` is for people, ``description`` and ``message`` are for developers. These three hide the
/// values that the configuration's `redaction` names, and the secrets of the request. The
/// descriptions of ``response``, of ``decodingFailure`` and of a library's error in ``underlying`` hide them too. The
/// other properties hide nothing.
///
/// The article <doc:HandlingErrors> has samples.
public struct WebServiceError: Error, Sendable, Equatable {
  /// The kind of a failure. New kinds may be added: have a `default` where you switch over it.
  public enum Kind: Hashable, Sendable {
    /// A session or a token manager has violated its contract, or the app has iterated a stream twice.
    case unexpected
    /// The device has no network connection; the last attempt sent nothing.
    case noConnection
    /// The path and the base URL make no valid URL.
    case badURL
    /// The method, a header, a timeout or the body can't be sent as described; the last attempt sent nothing.
    case invalidRequest
    /// The token manager has no valid token, or the credentials can't be made. The request wasn't sent, or a server
    /// refused its token.
    case token
    /// The response isn't an HTTP response.
    case notHTTPResponse
    /// A validator refused the response, by default because its status is outside of 200...299. If the validator threw
    /// its own error, ``underlying`` is that error.
    case statusCode(Int)
    /// A file of the app can't be read or written, or a stream that makes the body threw an error.
    case file
    /// A validator refused a response with a status of 200...299; ``underlying`` is its error. Or the pages of a
    /// ``PageSequence`` don't end as they should; `underlying` is a ``PagingError``.
    case invalidResponse
    /// The body of the response can't be decoded as the model.
    case undecodableBody
    /// A redirect wasn't followed. The underlying ``RedirectPolicy/Refusal`` has the reason and the chain of redirects.
    case redirect
    /// The circuit breaker is open because the host keeps failing; the last attempt sent nothing. ``underlying`` is a
    /// ``CircuitBreakerPolicy/OpenError``.
    case circuitOpen
    /// The transfer failed: no connection, a lost connection, or an invalid response. Or the service is shutting down.
    case sessionFailure
    /// The request was cancelled, its service reset or invalidated.
    case cancelled
    /// A timeout or the deadline has passed. If an earlier attempt failed, the error has the response of that attempt,
    /// and ``underlying`` is its cause.
    case timedOut
  }

  /// The station at which the request failed.
  public enum Phase: String, Hashable, Sendable {
    /// The request was being built.
    case describe
    /// The network was being checked.
    case admit
    /// The request was waiting for a token.
    case authorize
    /// The request was waiting for the response.
    case send
    /// The response was being judged.
    case judge
    /// The body was being decoded.
    case read
    /// The result was being passed to the completion.
    case deliver
  }

  // One reference keeps a result small, because a result is copied from queue to queue.
  private var boxed: Boxed<Details>
  var details: Details {
    get { boxed.value }
    set { boxed.value = newValue }
  }

  /// The kind of the failure.
  public var kind: Kind { details.kind }
  /// The station at which the request failed.
  public var phase: Phase { details.phase }
  /// The request's method.
  public var method: HTTPMethod { details.method }
  /// The URL of the request, or its path if the path makes no URL.
  public var url: String { details.url }
  /// The number of attempts to send the request, without redirects. It is 0 if the request was still waiting for a
  /// permit, the circuit was open, the cache had the response, or a fake completed the task before `resume()`.
  public var attemptCount: Int { details.attemptCount }
  /// Details of the cause, for developers, with secrets hidden.
  public var message: String {
    guard details.message.isEmpty else { return redaction.text(details.message) }
    if kind == .statusCode(407) { return TransportMessage.proxyRefusal }
    return underlying(as: RedirectPolicy.Refusal.self)?.description ?? ""
  }
  /// The response with its status, headers, and its body up to the configuration's `errorBodyLimit`; `nil` if none
  /// arrived. A timeout has the response of an earlier attempt.
  public var response: WebServiceResponse? { details.response }
  /// The status code of the response; `nil` if none arrived.
  public var statusCode: Int? { response?.statusCode }
  /// How many seconds the server asks to wait before another request, by the field `Retry-After`; `nil` if it doesn't.
  public var retryAfter: TimeInterval? { response?.headers.retryAfter }
  /// The underlying error: a ``TransportError``, a ``RedirectPolicy/Refusal``, a `DecodingError`, an `EncodingError`, a
  /// ``RequestBodyError``, or the server's ``ProblemDetails``. It may also be the error of your validator or token
  /// manager. It may have an underlying error too: a `TransportError` has the error of a body's stream.
  public var underlying: (any Error)? { details.underlying }
  /// The first of the underlying errors that has this type. Use it to get the error that your own validator, token
  /// manager or stream threw.
  ///
  /// - Parameter type: the type of the error; by default the type that is expected at the call.
  /// - Returns: the error; `nil` if no underlying error has the type.
  public func underlying<Failure: Error>(as type: Failure.Type = Failure.self) -> Failure? {
    causes.lazy.compactMap { $0 as? Failure }.first
  }
  /// Whether the transfer that failed may have reached the server; `nil` without an error of the transport.
  var mayHaveReachedServer: Bool? { (underlying as? TransportError)?.mayHaveReachedServer }
  /// Whether the request was ended by the app: it was cancelled, or its service or session takes no requests.
  var isEnded: Bool { kind == .cancelled || underlying(as: TransportError.self)?.kind == .invalidated }
  /// The underlying error and the errors below it.
  var causes: [any Error] {
    var causes: [any Error] = []
    var next = underlying
    // An app's error may name itself as its cause.
    while let error = next, causes.count < 16 {
      causes.append(error)
      next =
        (error as? TransportError)?.underlying ?? (error as? WebServiceError)?.underlying
        ?? (error as? DecodingError).flatMap { DecodingErrorFacts($0).underlying }
        ?? (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    }
    return causes
  }
  /// The path to the value that can't be decoded, such as `["value", "[3]", "joke"]`; `nil` for other kinds.
  public var codingPath: [String]? { (underlying as? DecodingError).map { DecodingErrorFacts($0).pathInWords } }

  /// The expected type, the value that was there, and the piece of JSON around it; `nil` for other kinds.
  public var decodingFailure: DecodingFailure? { details.decodingFailure }

  /// Creates an error for fakes and tests. Each parameter sets the property of the same name.
  public init(
    _ kind: Kind, phase: Phase = .send, method: HTTPMethod = .get, url: String = "", attemptCount: Int = 0,
    message: String = "", response: WebServiceResponse? = nil, underlying: (any Error)? = nil
  ) {
    boxed = Boxed(
      Details(
        kind: kind, phase: phase, method: method, url: url, attemptCount: attemptCount, message: message,
        response: response, underlying: underlying))
  }

  /// The error of a path that makes no URL.
  package static func badURL(
    _ path: String, of method: HTTPMethod, _ message: String, redaction: Redaction = .standard
  ) -> WebServiceError {
    var error = WebServiceError(.badURL, phase: .describe, method: method, url: path, message: message)
    error.redaction = redaction
    return error
  }

  /// The values behind the properties of an error.
  struct Details: Sendable {
    let kind: Kind
    var phase: Phase
    var method: HTTPMethod
    var url: String
    var attemptCount: Int
    var message: String
    var response: WebServiceResponse?
    var underlying: (any Error)?
    var decodingFailure: DecodingFailure?
    var redaction = Redaction.standard

    /// Adds the failure of the attempt before to a timeout, since it is the real cause.
    mutating func add(_ cause: WebServiceError?) {
      guard let cause, kind == .timedOut else { return }
      let reason = cause.details.message
      message += "; the previous attempt failed with \(cause.kind)" + (reason.isEmpty ? "" : ", \(reason)")
      response = response ?? cause.response
      // The earlier failure says more than the timeout, which only ended the wait for another attempt.
      underlying = cause.underlying ?? underlying
    }
  }

  package var redaction: Redaction {
    get { details.redaction }
    set { details.redaction = newValue }
  }

  init(interruption: RequestStateMachine.Interruption, phase: Phase) {
    switch interruption {
    case .cancelled: self.init(.cancelled, phase: phase)
    case .invalidated: self.init(.cancelled, phase: phase, message: "the service was reset or invalidated")
    case .shutDown:
      let message = "the service is shutting down and takes no new requests"
      self.init(
        .sessionFailure, phase: phase, message: message, underlying: TransportError.unsent(.invalidated, message))
    case .timedOut: self.init(.timedOut, phase: phase, message: "the response took too long")
    case .deadlinePassed: self.init(.timedOut, phase: phase, message: "the deadline passed")
    }
  }

  init(transport error: TransportError) {
    let kind: Kind =
      switch error.kind {
      case .cancelled: .cancelled
      case .timedOut: .timedOut
      case .notConnected: .noConnection
      case .refusedBySession: .circuitOpen
      case .notHTTPResponse: .notHTTPResponse
      case .invalidRequest: .invalidRequest
      case .file: .file
      default: .sessionFailure
      }
    self.init(
      kind, message: error.message, response: error.response,
      // The error of the layer that refused says more.
      underlying: error.isRefusal ? error.underlying ?? error : error)
  }

  /// The failure of a request that can't be sent as described.
  static func invalid(_ message: String, underlying: (any Error)? = nil) -> WebServiceError {
    WebServiceError(.invalidRequest, phase: .describe, message: message, underlying: underlying)
  }

  /// The error of a body that can't be decoded.
  ///
  /// - Parameter piece: the bytes that can't be decoded; `nil` for the whole body.
  package init(undecodable response: WebServiceResponse, _ underlying: any Error, in piece: Data? = nil) {
    let bytes = piece ?? response.body
    self.init(
      .undecodableBody, phase: .read, message: "the body can't be decoded", response: response, underlying: underlying)
    switch underlying {
    // An empty body at the top level: the decoder's own message wouldn't name the remedy.
    case DecodingError.valueNotFound(let type, let context) where bytes.isEmpty && context.codingPath.isEmpty:
      details.message = "the response has no body; expect a value of type \(type)? if it may have none"
    case let error as DecodingError: details.decodingFailure = DecodingFailure(error, in: bytes)
    default: break
    }
  }

  /// Compares the properties, of a response its status, fields and body. Underlying errors are compared by their names,
  /// because most errors aren't `Equatable`.
  public static func == (left: WebServiceError, right: WebServiceError) -> Bool {
    left.kind == right.kind && left.phase == right.phase && left.method == right.method && left.url == right.url
      && left.attemptCount == right.attemptCount && left.message == right.message
      && left.response?.statusCode == right.response?.statusCode && left.response?.headers == right.response?.headers
      && left.response?.body == right.response?.body && left.codingPath == right.codingPath
      && left.underlying.map(ErrorName.of) == right.underlying.map(ErrorName.of)
  }
}
