import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a session gave to its completion handler, made sense of.
struct SessionAnswer {
  let data: Data?
  let response: URLResponse?
  let error: (any Error)?

  func result(for request: TransportRequest) -> Result<WebServiceResponse, TransportError> {
    let response = response as? HTTPURLResponse
    let answer = response.map {
      WebServiceResponse($0, method: request.method, url: $0.url ?? request.url, body: data ?? Data())
    }
    if let error {
      return .failure(TransportError(sessionError: error, response: answer))
    }
    guard var answer else {
      return .failure(
        TransportError(
          .notHTTPResponse, message: "the session gave no HTTP response", mayHaveReachedServer: true))
    }
    guard answer.headers.count <= WebServiceResponse.fieldLimit else {
      return .failure(
        TransportError(.tooLarge, message: WebServiceResponse.tooManyFields, mayHaveReachedServer: true))
    }
    if case .memory(let limit) = request.destination, answer.body.count > limit {
      answer.body = answer.body.prefix(max(0, limit))
      return .failure(.tooLarge(limit: limit, response: answer))
    }
    return .success(answer)
  }
}

extension TransportError {
  /// The error of an answer that has more bytes than the request allows.
  static func tooLarge(limit: Int, response: WebServiceResponse?) -> TransportError {
    TransportError(
      .tooLarge, message: "the answer has more than \(limit) bytes", mayHaveReachedServer: true,
      response: response)
  }
}
