import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Server.OutgoingRequest {
  /// A `URLRequest` as it is.
  init(_ request: URLRequest) throws(WebServiceError) {
    let transport = TransportRequest(request)
    path = request.url?.absoluteString ?? ""
    method = transport.method
    headers = transport.headers
    queryItems = []
    options = RequestOptions(timeout: transport.timeouts.idle)
    switch transport.body {
    case .none:
      body = nil
    case .data(let data):
      body = .data(data, contentType: headers["Content-Type"] ?? "application/octet-stream")
    case .file, .stream:
      throw WebServiceError(
        .invalidRequest, phase: .describe, method: method, url: path, message: "the stream of a request can't be sent")
    }
  }
}
