/// Why a transfer ended without a whole response.
public struct TransportError: DescribedByLibrary, Sendable, DescriptionOnly, OwnRedaction {
  /// The kinds of failure that a transport can tell apart. New kinds may be added: have a `default` where you switch.
  public enum Kind: Hashable, Sendable {
    /// The task was cancelled.
    case cancelled
    /// The session was invalidated, or the service is shutting down. Nothing was sent.
    case invalidated
    /// A timeout ran out.
    case timedOut(Timeout)
    /// The device has no network.
    case notConnected
    /// A session or a layer refused to send the request. The underlying error says why. A server that refuses the
    /// connection is a case of ``cannotConnect``.
    case refusedBySession
    /// The host's name could not be resolved.
    case nameLookup
    /// The connection can't be made.
    case cannotConnect
    /// The TLS handshake or the verification of the peer failed.
    case tls
    /// The connection was reset or closed before a response came.
    case connectionLost
    /// The response ended before its announced length, or before its last chunk.
    case truncated
    /// The response isn't well-formed HTTP.
    case badFraming
    /// The content's encoding is unknown or its data is corrupt.
    case badEncoding
    /// The response is larger than the request allows.
    case tooLarge
    /// The server sent something other than an HTTP response.
    case notHTTPResponse
    /// The request can't be sent by this transport: its URL, a header or a timeout isn't valid.
    case invalidRequest
    /// The request's body or the file for the response couldn't be read or written.
    case file
    /// Anything else.
    case other
  }

  /// The timeouts that can run out.
  public enum Timeout: String, Hashable, Sendable, CustomDebugStringConvertible {
    /// Connecting took too long.
    case connect
    /// The transfer was idle for too long.
    case idle
    /// The transfer as a whole took too long.
    case whole

    /// The name, which the description of a ``Kind`` contains.
    public var debugDescription: String { rawValue }
  }

  private var boxed: Boxed<Values>

  /// The kind of failure.
  public var kind: Kind { boxed.value.kind }
  /// The transport's own words, for developers. It holds no header and no body.
  public var message: String { boxed.value.message }
  /// Whether any part of the request may have reached the server. A request that isn't idempotent can be sent again
  /// without a risk only where this is `false`. Below a `WebServiceError` all attempts count.
  public var mayHaveReachedServer: Bool
  /// Whether a reused connection was closed before the first byte of the response. The server itself may work, so a
  /// request that may be repeated may be sent again.
  public var isStaleConnection = false
  /// The received part of the response: its head, and its body up to the failure.
  public var response: WebServiceResponse? {
    get { boxed.value.response }
    set { boxed.value.response = newValue }
  }
  /// The underlying error, if there is one.
  public var underlying: (any Error)? { boxed.value.underlying }
  /// The reason why the request was never sent; `nil` for another failure.
  package var wait: UnsentReason? { boxed.value.wait }

  /// Hides secrets in the description, also in that of the response.
  package var redaction: DescriptionRedaction {
    get { boxed.value.redaction }
    set {
      boxed.value.redaction = newValue
      boxed.value.response?.redaction = newValue
    }
  }

  /// Creates an error. Each parameter sets the property of the same name.
  public init(
    _ kind: Kind, message: String, mayHaveReachedServer: Bool, response: WebServiceResponse? = nil,
    underlying: (any Error)? = nil
  ) {
    self.mayHaveReachedServer = mayHaveReachedServer
    boxed = Boxed(Values(kind: kind, message: message, response: response, underlying: underlying))
  }

  /// The error of a request that ended before it was sent.
  package init(_ kind: Kind, waitingFor wait: UnsentReason) {
    mayHaveReachedServer = false
    boxed = Boxed(Values(kind: kind, message: wait.message, wait: wait))
  }

  /// The error of a request of which nothing was sent.
  package static func unsent(_ kind: Kind, _ message: String, cause: (any Error)? = nil) -> TransportError {
    TransportError(kind, message: message, mayHaveReachedServer: false, underlying: cause)
  }

  /// The error of a request that was cancelled before it was sent.
  package static let cancelledUnsent = unsent(.cancelled, "the request was cancelled before it was sent")

  /// The error of a request that an invalidated session doesn't send.
  package static let sessionIsInvalidated = unsent(.invalidated, "the session has been invalidated")

  /// The error of a request that may have been sent.
  package static func sent(_ kind: Kind, _ message: String, response: WebServiceResponse? = nil) -> TransportError {
    TransportError(kind, message: message, mayHaveReachedServer: true, response: response)
  }

  /// The error of a request whose body can't be opened or read. The message names the cause.
  package static func unreadableBody(_ cause: any Error) -> TransportError {
    .unsent(.file, "the request's body can't be read: \(words(of: cause))", cause: cause)
  }

  /// The reason why a file can't be used, without the values of an app's error.
  package static func words(of cause: any Error) -> String {
    (cause as? RequestBodyError)?.description ?? (cause as? BodyFailure)?.description ?? ErrorName.of(cause)
  }

  /// The error of a request that is refused before anything is sent.
  package static func invalid(_ message: String) -> TransportError { .unsent(.invalidRequest, message) }

  /// The error of each request over a background session, which takes no task with a completion handler: Foundation
  /// ends the process. `nil` for the configuration of another session, which has no identifier.
  package static func backgroundSession(_ identifier: String?) -> TransportError? {
    identifier.map { .invalid("\($0) is a background session; use one of another configuration, such as .webServices") }
  }

  /// The error of a response that has more bytes than the request allows.
  package static func tooLarge(limit: Int, response: WebServiceResponse?) -> TransportError {
    .sent(.tooLarge, "the response has more than \(limit) bytes", response: response)
  }

  /// Whether the library tried to send the request.
  package var isOfAttempt: Bool {
    switch kind {
    case .invalidRequest, .invalidated, .refusedBySession: false
    // A body that can't be opened is found before the connection.
    case .file: mayHaveReachedServer
    default: wait?.isAttempt ?? true
    }
  }

  /// The properties of an error, behind one reference. The result of each transfer has room for an error, and most
  /// results have none.
  fileprivate struct Values: Sendable {
    var kind: Kind
    var message: String
    var response: WebServiceResponse?
    var underlying: (any Error)?
    var wait: UnsentReason?
    var redaction = DescriptionRedaction()
  }

  /// The kind, the transport's words and the received part of the response, without secrets. The error below a
  /// `WebServiceError` hides the secrets of its request, any other error those of ``Redaction/standard``.
  public var description: String {
    let words = redaction.value.text(TransportMessage.withoutUserInfo(message))
    return "\(kind): \(words)\(response.map { ", response \($0)" } ?? "")"
  }
}
