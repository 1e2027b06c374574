import Foundation
import WebServicesCore

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
