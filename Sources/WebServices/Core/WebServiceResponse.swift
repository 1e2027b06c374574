public import Foundation

/// What came back from a server: the head and the bytes behind it, not read yet.
public struct WebServiceResponse: Sendable {
  /// The status code (RFC 9110, section 15).
  public var statusCode: Int
  /// The header fields.
  public var headers: HTTPHeaders
  /// The URL that answered; after a redirect it isn't the one that was asked for.
  public var url: URL
  /// The content, after decompression. Empty where it went to a file or was handed on in pieces.
  public var body: Data
  /// What the transport measured, where it measures.
  public var metrics: TransportMetrics?

  /// Creates a response.
  public init(
    statusCode: Int, headers: HTTPHeaders = HTTPHeaders(), url: URL, body: Data = Data(),
    metrics: TransportMetrics? = nil
  ) {
    self.statusCode = statusCode
    self.headers = headers
    self.url = url
    self.body = body
    self.metrics = metrics
  }

  /// Whether the status is one of 200...299.
  public var isSuccessful: Bool { (200...299).contains(statusCode) }
}
