public import Foundation

/// A finished request, as a signer sees it.
public struct RequestToSign: Sendable {
  /// The request method.
  public let method: HTTPMethod
  /// The absolute URL, percent-encoded as it goes out.
  public let url: URL
  /// The header fields, without credentials. `Host` and `Content-Length` aren't among them unless the request names
  /// them; a transport adds them when it sends.
  public let headers: HTTPHeaders
  /// The content.
  public let body: TransportBody

  /// Creates a request to sign.
  public init(method: HTTPMethod, url: URL, headers: HTTPHeaders = HTTPHeaders(), body: TransportBody = .none) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }

  /// The request that a transport is about to be given.
  init(_ request: TransportRequest) {
    self.init(method: request.method, url: request.url, headers: request.headers, body: request.body)
  }
}

extension RequestToSign: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method, the URL, the header fields and the size of the body, without what `Redaction.standard` hides.
  public var description: String {
    TransportRequest(method: method, url: url, headers: headers, body: body).description
  }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// Shows the description alone.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
