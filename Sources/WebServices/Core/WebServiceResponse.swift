public import Foundation

/// What came back from a server: the head and the bytes behind it, not read yet.
public struct WebServiceResponse: Sendable {
  private var fields: Fields

  /// Creates a response.
  public init(
    statusCode: Int, headers: HTTPHeaders = HTTPHeaders(), url: URL, body: Data = Data(),
    metrics: TransportMetrics? = nil
  ) {
    fields = Fields(Values(statusCode: statusCode, headers: headers, url: url, body: body, metrics: metrics))
  }

  /// The status code (RFC 9110, section 15).
  public var statusCode: Int {
    get { fields.values.statusCode }
    set { change { $0.statusCode = newValue } }
  }
  /// The header fields.
  public var headers: HTTPHeaders {
    get { fields.values.headers }
    set { change { $0.headers = newValue } }
  }
  /// The URL that answered; after a redirect it isn't the one that was asked for.
  public var url: URL {
    get { fields.values.url }
    set { change { $0.url = newValue } }
  }
  /// The content, after decompression. Empty where it went to a file or was handed on in pieces.
  public var body: Data {
    get { fields.values.body }
    set { change { $0.body = newValue } }
  }
  /// What the transport measured, where it measures.
  public var metrics: TransportMetrics? {
    get { fields.values.metrics }
    set { change { $0.metrics = newValue } }
  }

  /// Whether the status is one of 200...299.
  public var isSuccessful: Bool { (200...299).contains(statusCode) }
}

extension WebServiceResponse {
  private struct Values: Sendable {
    var statusCode: Int
    var headers: HTTPHeaders
    var url: URL
    var body: Data
    var metrics: TransportMetrics?
  }

  /// One object for all of them: an answer is handed on from station to station, and hardly ever changed.
  private final class Fields: Sendable {
    let values: Values

    init(_ values: Values) {
      self.values = values
    }
  }

  private mutating func change(_ body: (inout Values) -> Void) {
    var values = fields.values
    body(&values)
    fields = Fields(values)
  }
}
