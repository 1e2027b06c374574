public import Foundation

/// A response of the server: status, header fields and the undecoded body.
public struct WebServiceResponse: Sendable, DescriptionOnly, OwnRedaction {
  private var boxed: Boxed<Values>
  package var source = Source.network
  /// Whether the transport has decoded the body. Ranges count the bytes before decoding.
  package var isDecoded = false
  /// Whether the body goes to a stream or a file, so that an empty `body` doesn't mean that there is none.
  package var isHead = false

  /// Creates a response. Each parameter sets the property of the same name.
  public init(
    statusCode: Int, headers: HTTPHeaders = HTTPHeaders(), url: URL, body: Data = Data(), metrics: Metrics? = nil
  ) { self.init(statusCode: statusCode, headers: headers, url: .foundation(url), body: body, metrics: metrics) }

  package init(statusCode: Int, headers: HTTPHeaders, url: URLForm, body: Data, metrics: Metrics?) {
    boxed = Boxed(Values(statusCode: statusCode, headers: headers, url: url, body: body, metrics: metrics))
  }

  /// The status code (RFC 9110, section 15).
  public var statusCode: Int {
    get { boxed.value.statusCode }
    set { boxed.value.statusCode = newValue }
  }
  /// The header fields.
  public var headers: HTTPHeaders {
    get { boxed.value.headers }
    set { boxed.value.headers = newValue }
  }
  /// The URL of the response, which differs from the request's after a redirect.
  public var url: URL {
    get { boxed.value.url.url }
    set { boxed.value.url = .foundation(newValue) }
  }
  /// The URL in the form that it was given in.
  package var urlForm: URLForm { boxed.value.url }
  /// The body after decompression. It is empty if the body went to a file or a receiver.
  public var body: Data {
    get { boxed.value.body }
    set { boxed.value.body = newValue }
  }
  /// Times and sizes that the transport measured; `nil` if it doesn't measure.
  public var metrics: Metrics? {
    get { boxed.value.metrics }
    set { boxed.value.metrics = newValue }
  }

  /// Says whether a response came over the network for this request.
  package enum Source: Sendable {
    /// The request's own transfer.
    case network
    /// The transfer of an equal request, which reports its events.
    case otherTransfer
    /// An earlier transfer. A retry would get the same response.
    case earlierTransfer
  }

  /// Hides secrets in the description.
  package var redaction: DescriptionRedaction {
    get { boxed.value.redaction }
    set { boxed.value.redaction = newValue }
  }

  /// Adds the fragment of the request's URL, which isn't sent.
  package func with(fragment: String?) -> WebServiceResponse {
    // A layer may pass on a response whose URL has the fragment already.
    guard let fragment, url.fragment == nil, let url = URL(string: "\(url.absoluteString)#\(fragment)") else {
      return self
    }
    var response = self
    response.url = url
    return response
  }

  /// Whether the status is one of 200...299.
  public var isSuccessful: Bool { (200...299).contains(statusCode) }

  /// Whether the server has ended an idle connection. Its 408 may cross a request (RFC 9110, section 15.5.9).
  package var endsIdleConnection: Bool {
    statusCode == 408 && metrics?.isReusedConnection == true && headers["Connection"]?.asciiLowercased == "close"
  }

  /// The most header fields of a response. Servers send a tenth of this number.
  package static let fieldLimit = 1000

  package static let tooManyFields = "the response has more than \(fieldLimit) header fields"

  /// The properties of a response, which `Boxed` keeps behind one reference.
  fileprivate struct Values: Sendable {
    var statusCode: Int
    var headers: HTTPHeaders
    var url: URLForm
    var body: Data
    var metrics: Metrics?
    var redaction = DescriptionRedaction()
  }

  /// The measurements of one transfer. Times are seconds since its start. A value is `nil` if the step wasn't measured
  /// or didn't happen: a reused connection has no look-up.
  public struct Metrics: Hashable, Sendable {
    /// When the host's name was resolved, in seconds since the transfer began.
    public var nameLookup: TimeInterval?
    /// When the connection stood, in seconds since the transfer began.
    public var connect: TimeInterval?
    /// When the TLS handshake was done, in seconds since the transfer began.
    public var tls: TimeInterval?
    /// When the first byte of the response came, in seconds since the transfer began.
    public var firstByte: TimeInterval?
    /// When the last byte of the response came, in seconds since the transfer began.
    public var total: TimeInterval
    /// The local address and port.
    public var localAddress: String?
    /// The server's address and port.
    public var remoteAddress: String?
    /// `HTTP/1.0`, `HTTP/1.1`, `HTTP/2` or `HTTP/3`.
    public var httpVersion: String?
    /// Whether the transfer went over a connection that had served another one before.
    public var isReusedConnection: Bool
    /// Bytes of the request's content that were sent.
    public var bytesSent: Int64
    /// Bytes of the response's content that came, before decompression; over Apple's `URLSession` after it.
    public var bytesReceived: Int64

    /// Creates metrics, with times in seconds. Each parameter sets the property of the same name.
    public init(
      nameLookup: TimeInterval? = nil, connect: TimeInterval? = nil, tls: TimeInterval? = nil,
      firstByte: TimeInterval? = nil, total: TimeInterval, localAddress: String? = nil,
      remoteAddress: String? = nil, httpVersion: String? = nil, isReusedConnection: Bool = false,
      bytesSent: Int64 = 0, bytesReceived: Int64 = 0
    ) {
      self.nameLookup = nameLookup
      self.connect = connect
      self.tls = tls
      self.firstByte = firstByte
      self.total = total
      self.localAddress = localAddress
      self.remoteAddress = remoteAddress
      self.httpVersion = httpVersion
      self.isReusedConnection = isReusedConnection
      self.bytesSent = bytesSent
      self.bytesReceived = bytesReceived
    }
  }

  /// The status, the URL, the header fields and the size of the body, without secrets. The response of a
  /// `WebServiceError` hides the secrets of its request, any other response those of ``Redaction/standard``.
  public var description: String {
    let (url, headers) = (redaction.value.url(urlForm.text), redaction.value.headers(headers))
    return "\(statusCode) \(url), headers \(headers), body: \(body.count) bytes"
  }
}
