/// Why an exchange ended without a whole answer.
public struct TransportError: Error, Sendable {
  /// What went wrong, as far as the transport can tell it apart.
  public enum Kind: Hashable, Sendable {
    /// The task was cancelled.
    case cancelled
    /// The session was invalidated before the exchange began.
    case invalidated
    /// A timeout ran out.
    case timedOut(Timeout)
    /// The device has no network.
    case notConnected
    /// The host keeps failing, and a layer refused to send it the request.
    case circuitOpen
    /// The host's name could not be resolved.
    case nameLookup
    /// No connection could be made.
    case cannotConnect
    /// The TLS handshake or the verification of the peer failed.
    case tls
    /// The connection was reset or closed before an answer came.
    case connectionLost
    /// The answer ended before its announced length, or before its last chunk.
    case truncated
    /// The answer isn't well-formed HTTP.
    case badFraming
    /// The content's encoding is unknown or its data is corrupt.
    case badEncoding
    /// The answer is larger than the request allows.
    case tooLarge
    /// What came is no HTTP response.
    case notHTTPResponse
    /// The request can't be sent by this transport: its URL, a header or a timeout isn't valid.
    case invalidRequest
    /// The request's body or the file for the answer couldn't be read or written.
    case file
    /// Anything else.
    case other
  }

  /// Which timeout ran out.
  public enum Timeout: Hashable, Sendable {
    /// Connecting took too long.
    case connect
    /// No byte came or went for too long.
    case idle
    /// The exchange as a whole took too long.
    case whole
  }

  private var boxed: Boxed<Values>

  /// What went wrong.
  public var kind: Kind {
    get { boxed.value.kind }
    set { boxed.value.kind = newValue }
  }
  /// The transport's own words, for developers. It holds no header and no body.
  public var message: String {
    get { boxed.value.message }
    set { boxed.value.message = newValue }
  }
  /// Whether any part of the request may have reached the server. Only where this is `false` can a request that isn't
  /// idempotent be sent again without a risk.
  public var mayHaveReachedServer: Bool {
    get { boxed.value.mayHaveReachedServer }
    set { boxed.value.mayHaveReachedServer = newValue }
  }
  /// Whether it was a connection kept from an exchange before that turned out to be closed, before a byte of the answer
  /// came: that says nothing of the server, and the request may be sent again where it may be repeated at all.
  public var isStaleConnection: Bool {
    get { boxed.value.isStaleConnection }
    set { boxed.value.isStaleConnection = newValue }
  }
  /// What had come of the answer: its head, and its body up to the failure.
  public var response: WebServiceResponse? {
    get { boxed.value.response }
    set { boxed.value.response = newValue }
  }
  /// The error of the layer below, where there is one.
  public var underlying: (any Error)? {
    get { boxed.value.underlying }
    set { boxed.value.underlying = newValue }
  }
  /// What the request waited for, where it was never sent for that.
  package var wait: TransportWait? {
    get { boxed.value.wait }
    set { boxed.value.wait = newValue }
  }

  /// Creates an error.
  public init(
    _ kind: Kind, message: String, mayHaveReachedServer: Bool, response: WebServiceResponse? = nil,
    underlying: (any Error)? = nil
  ) {
    boxed = Boxed(
      Values(
        kind: kind, message: message, mayHaveReachedServer: mayHaveReachedServer, response: response,
        underlying: underlying))
  }

  /// The error of a request that ended before it was sent.
  init(_ kind: Kind, waitingFor wait: TransportWait) {
    self.init(kind, message: wait.message, mayHaveReachedServer: false)
    self.wait = wait
  }

  /// Whether the library tried to send the request.
  var isOfAttempt: Bool {
    switch kind {
    case .invalidRequest, .invalidated, .circuitOpen: false
    default: wait?.isAttempt ?? true
    }
  }
}

extension TransportError {
  /// Behind one reference: the result of each transfer has room for an error, and most have none.
  fileprivate struct Values: Sendable {
    var kind: Kind
    var message: String
    var mayHaveReachedServer: Bool
    var isStaleConnection = false
    var response: WebServiceResponse?
    var underlying: (any Error)?
    var wait: TransportWait?
  }
}

extension TransportError: DescriptionOnly {
  /// The kind, the transport's words and what had come, without what `Redaction.standard` hides.
  public var description: String {
    let words = Redaction.standard.text(TransportMessage.withoutUserInfo(message))
    return "\(kind): \(words)\(response.map { ", response \($0)" } ?? "")"
  }
}
