import Foundation
import WebServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Cassette.Outcome {
  func result(for request: TransportRequest) -> Result<WebServiceResponse, TransportError> {
    switch self {
    case .response(let response):
      return .success(response.answer(to: request))
    case .failure(let kind, let message, let mayHaveReachedServer, let response):
      return .failure(
        TransportError(
          kind, message: message, mayHaveReachedServer: mayHaveReachedServer,
          response: response?.answer(to: request)))
    }
  }
}

extension Cassette.Response {
  fileprivate func answer(to request: TransportRequest) -> WebServiceResponse {
    // Where the recorded URL has a placeholder in it, the one that is asked now is nearer to the truth.
    let recorded = url.contains(Redaction.placeholder) ? nil : URL(string: url)
    return WebServiceResponse(
      statusCode: status, headers: headers, url: recorded ?? request.url, body: body.data)
  }
}

extension WebServiceResponse {
  /// The head in Foundation's form, fields that repeat joined.
  var foundationForm: HTTPURLResponse? {
    let fields = Dictionary(headers.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
    return HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
  }
}
