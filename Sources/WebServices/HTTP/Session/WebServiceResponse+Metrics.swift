public import Foundation

extension WebServiceResponse {
  /// The measurements of one transfer. Times are seconds since its start. A value is `nil` if the step wasn't measured or
  /// didn't happen: a reused connection has no look-up.
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
    /// Bytes of the response's content that came, before decompression.
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
}
