public import Foundation

/// Describes one transfer to a transport, which follows no redirect, adds no credentials and sends nothing twice. The
/// engine decides about these.
///
/// The engine has checked method, header fields and timeouts. A transport checks the timeouts again, and a head that
/// the engine hasn't made or that a layer has changed.
public struct TransportRequest: Sendable, DescriptionOnly {
  private var boxed: Boxed<Values>
  /// An object of the engine for its layers. It is stored apart from the other values, so that changing it copies
  /// nothing else.
  @usableFromInline package var attachment: (any AnyObject & Sendable)?

  /// 256 MiB: far above any sensible JSON response, far below the size that would end the process.
  public static let defaultResponseLimit = 256 * 1024 * 1024

  /// Creates a request. Each parameter sets the property of the same name.
  public init(
    method: HTTPMethod = .get, url: URL, headers: HTTPHeaders = HTTPHeaders(), body: TransportBody = .none,
    timeouts: Timeouts = Timeouts(), responseLimit: Int = defaultResponseLimit,
    receiver: (any TransportRequest.Receiver)? = nil, options: RequestOptions = RequestOptions()
  ) {
    self.init(
      method: method, url: .foundation(url), headers: headers, body: body, timeouts: timeouts,
      responseLimit: responseLimit, receiver: receiver, options: options)
  }

  /// - Parameter isHeadChecked: whether the caller has checked the method and the header fields.
  package init(
    method: HTTPMethod, url: URLForm, headers: HTTPHeaders, body: TransportBody, timeouts: Timeouts,
    responseLimit: Int, receiver: (any TransportRequest.Receiver)? = nil, options: RequestOptions,
    followsRedirects: Bool = false, isHeadChecked: Bool = false, secrets: (any SecretHolder)? = nil
  ) {
    self.followsRedirects = followsRedirects
    boxed = Boxed(
      Values(
        method: method, url: url, headers: headers, body: body, timeouts: timeouts, responseLimit: responseLimit,
        receiver: receiver, options: options, isHeadChecked: isHeadChecked, secrets: secrets))
  }

  /// Attaches the header fields of credentials. The head stays checked, because the fields are.
  ///
  /// - Parameter secrets: the values that no description may show.
  package mutating func attach(_ fields: [HTTPHeaders.Field], secrets: any SecretHolder) {
    // One copy of the values, while each property that is set would make its own.
    var values = boxed.value
    values.headers.attach(fields)
    values.secrets = secrets
    boxed = Boxed(values)
  }

  /// The request method.
  public var method: HTTPMethod {
    get { boxed.value.method }
    set { change { $0.method = newValue } }
  }
  /// An absolute `http` or `https` URL without a fragment.
  public var url: URL {
    get { boxed.value.url.url }
    set { boxed.value.url = .foundation(newValue) }
  }
  /// The URL in the form that it was given in.
  package var urlForm: URLForm {
    get { boxed.value.url }
    set { boxed.value.url = newValue }
  }
  /// The URL as text.
  package var address: String { boxed.value.url.text }
  /// The parsed URL; `nil` for a URL that no transport takes.
  package var target: HTTPURL? { boxed.value.url.parsed }
  /// The header fields, including the body's `Content-Type`. A transport adds `Host`, the length and the codings that
  /// it decodes.
  public var headers: HTTPHeaders {
    get { boxed.value.headers }
    set { change { $0.headers = newValue } }
  }
  /// The content of the request.
  public var body: TransportBody {
    get { boxed.value.body }
    set { boxed.value.body = newValue }
  }
  /// How long each part may take.
  public var timeouts: Timeouts {
    get { boxed.value.timeouts }
    set { boxed.value.timeouts = newValue }
  }
  /// The most bytes that the response's `body` may have. A longer response, after decompression, fails as too large.
  public var responseLimit: Int {
    get { boxed.value.responseLimit }
    set { boxed.value.responseLimit = newValue }
  }
  /// Receives the body in pieces of any length. The response's `body` then stays empty.
  public var receiver: (any TransportRequest.Receiver)? {
    get { boxed.value.receiver }
    set { boxed.value.receiver = newValue }
  }
  /// The options of the request that is sent. A session that wraps another one reads the options that it declares.
  public var options: RequestOptions {
    get { boxed.value.options }
    set { boxed.value.options = newValue }
  }
  /// Reports progress on a thread of the transport. The closure must return at once.
  public var onProgress: (@Sendable (Progress) -> Void)? {
    get { boxed.value.onProgress }
    set { boxed.value.onProgress = newValue }
  }
  /// The fragment that belongs to the URL. It isn't sent: the response's URL has it.
  package var fragment: String? { target?.fragment }
  /// Values that no description of the request or its response may show, besides those with a secret name. These are
  /// credentials in any field.
  package var secrets: (any SecretHolder)? {
    get { boxed.value.secrets }
    set { boxed.value.secrets = newValue }
  }
  /// Whether method and header fields are known to be free of characters that aren't allowed.
  var isHeadChecked: Bool { boxed.value.isHeadChecked }
  /// The requests that led here through redirects, and this request before its body was compressed. No description
  /// shows their secrets, which a server may repeat.
  package var formerRequests: [SecretSource] {
    get { boxed.value.formerRequests }
    set { boxed.value.formerRequests = newValue }
  }
  /// Whether the request has to go over a new connection. A kept connection was found to be closed, and the next kept
  /// one may be closed too.
  package var needsNewConnection = false
  /// Whether the engine follows redirects, and so needs little or nothing of a redirect's own body.
  package var followsRedirects = false

  /// The properties of a request, which `Boxed` keeps behind one reference.
  fileprivate struct Values: Sendable {
    var method: HTTPMethod
    var url: URLForm
    var headers: HTTPHeaders
    var body: TransportBody
    var timeouts: Timeouts
    var responseLimit: Int
    var receiver: (any TransportRequest.Receiver)?
    var options: RequestOptions
    var onProgress: (@Sendable (Progress) -> Void)?
    var isHeadChecked: Bool
    var secrets: (any SecretHolder)?
    var formerRequests: [SecretSource] = []
  }

  /// Changes the head, which has to be checked then.
  private mutating func change(_ change: (inout Values) -> Void) {
    var values = boxed.value
    change(&values)
    values.isHeadChecked = false
    boxed = Boxed(values)
  }

  /// Whether the other is a copy of this one and unchanged.
  package func isSame(as other: TransportRequest) -> Bool { boxed.isSame(as: other.boxed) }

  /// Throws if the method or a header field contains a character that isn't allowed, such as a line end.
  package func checkHead() throws(TransportError) {
    guard !isHeadChecked else { return }
    guard method.isValid else { throw .invalid("the method contains a character that isn't allowed") }
    if headers.firstInvalidField != nil {
      throw .invalid("the name or the value of a header field contains characters that aren't allowed")
    }
  }

  /// Timeouts of one transfer, in seconds and kept to the millisecond. `nil` leaves a timeout to the session, which may
  /// have no limit. Whoever starts a transfer limits its whole time, and cancels it: for a request of a service the
  /// engine does.
  public struct Timeouts: Hashable, Sendable {
    /// The time limit in seconds for the name look-up, the connection and the TLS handshake together. The wait for a
    /// free connection isn't a part of it.
    public var connect: TimeInterval?
    /// The longest time without a byte in either direction, in seconds. It doesn't count while connecting where
    /// ``connect`` has a limit, nor while the receiver or the source of a body holds the transfer up.
    public var idle: TimeInterval?

    /// Creates timeouts in seconds. Each parameter sets the property of the same name. With `nil` the session's own
    /// timeout counts.
    public init(connect: TimeInterval? = nil, idle: TimeInterval? = nil) {
      self.connect = connect
      self.idle = idle
    }

    /// Half a year. A transport counts a longer timeout as none, so that sums of times never overflow. Foundation would
    /// trap on some, and the engine refuses them.
    package static let longest: TimeInterval = 15_768_000

    /// Combines these timeouts with the defaults. A timeout of half a year or more counts as no timeout.
    package func checked(defaults: TransportRequest.Timeouts = TransportRequest.Timeouts()) throws(TransportError)
      -> TransportRequest.Timeouts
    {
      TransportRequest.Timeouts(
        connect: try Self.checked(connect ?? defaults.connect), idle: try Self.checked(idle ?? defaults.idle))
    }

    private static func checked(_ seconds: TimeInterval?) throws(TransportError) -> TimeInterval? {
      guard let seconds else { return nil }
      guard seconds.isFinite, seconds > 0 else {
        throw .invalid("a timeout is \(seconds) s; use a finite value greater than 0")
      }
      return seconds < longest ? seconds : nil
    }
  }

  /// Tells how far a transfer has come, in bytes of content (without heads).
  public struct Progress: Hashable, Sendable {
    /// Bytes of the request's body that have been sent.
    public var sent: Int64
    /// The length of the request's body, if it is known.
    public var expectedToSend: Int64?
    /// Bytes of the response that have come, before decompression; over Apple's `URLSession` after it.
    public var received: Int64
    /// The length that the response announced, if any.
    public var expectedToReceive: Int64?

    /// Creates a progress value. Each parameter sets the property of the same name.
    public init(sent: Int64, expectedToSend: Int64?, received: Int64, expectedToReceive: Int64?) {
      self.sent = sent
      self.expectedToSend = expectedToSend
      self.received = received
      self.expectedToReceive = expectedToReceive
    }
  }

  /// Receives a response in pieces. The calls come one at a time, on a thread of the transport. An implementation only
  /// stores the pieces or passes them on. It never blocks and never runs a caller's code.
  public protocol Receiver: AnyObject, Sendable {
    /// The final head of the response; its `body` is empty.
    func didReceive(head: WebServiceResponse)
    /// The next piece. The transport reads no further until `proceed` has been called, from any thread.
    func didReceive(_ piece: Data, proceed: @escaping @Sendable () -> Void)
  }

  /// The method, the URL, the header fields and the size of the body, without secrets (``Redaction/standard``) and
  /// without the credentials that the engine attached.
  public var description: String {
    let redaction = Redaction.standard.hiding(secretsOf: self)
    return "\(method) \(redaction.url(address)), headers \(redaction.headers(headers)), body: \(body)"
  }
}
