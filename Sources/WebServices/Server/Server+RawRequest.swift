import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Server.OutgoingRequest {
  /// A `URLRequest` as it is.
  init(_ request: URLRequest) {
    let transport = TransportRequest(request)
    path = request.url?.absoluteString ?? ""
    method = transport.method
    headers = transport.headers
    queryItems = []
    options = RequestOptions { $0.timeout = transport.timeouts.idle }
    let type = headers["Content-Type"] ?? "application/octet-stream"
    body =
      switch transport.body {
      case .none: nil
      case .data(let data): .data(data, contentType: type)
      case .file(let url): .file(url, contentType: type)
      case .stream(let stream): .stream(stream, contentType: type)
      }
  }
}
