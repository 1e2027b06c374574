import Foundation
import WebServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Cassette.Outcome {
  func result(for request: TransportRequest) -> Result<WebServiceResponse, TransportError> {
    switch self {
    case .response(let response):
      return .success(response.webServiceResponse(to: request))
    case .failure(let kind, let message, let mayHaveReachedServer, let response):
      return .failure(
        TransportError(
          kind, message: message, mayHaveReachedServer: mayHaveReachedServer,
          response: response?.webServiceResponse(to: request)))
    }
  }
}

extension Cassette.Response {
  fileprivate func webServiceResponse(to request: TransportRequest) -> WebServiceResponse {
    // A redacted URL contains a placeholder, so the request's own URL is the better one.
    let recorded = url.contains(Redaction.placeholder) ? nil : URL(string: url)
    return WebServiceResponse(
      statusCode: status, headers: headers, url: recorded ?? request.url, body: body.data)
  }
}

extension WebServiceResponse {
  /// The status and the header fields in Foundation's form. Repeated fields are joined with commas.
  var foundationForm: HTTPURLResponse? {
    let fields = Dictionary(headers.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
    return HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
  }
}
