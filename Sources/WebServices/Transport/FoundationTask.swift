import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionProtocol {
  /// Prepares a `URLRequest` as a transfer. The handler runs on a concurrent queue. Its error is a `URLError` with the
  /// `TransportError` underneath, and comes with the received part of the response.
  func foundationTask<Task>(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void,
    make: (TransportRequest, @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void) -> Task
  ) -> Task {
    make(TransportRequest(request)) { result in
      // An app's handler may block, and a thread of the transport must not.
      DispatchQueue.global().async {
        switch result {
        case .success(let response): completionHandler(response.body, response.foundation, nil)
        case .failure(let error):
          completionHandler(error.response?.body, error.response?.foundation, error.foundation)
        }
      }
    }
  }
}

extension TransportError {
  var foundation: URLError { .init(code, userInfo: [NSUnderlyingErrorKey: self, NSLocalizedDescriptionKey: message]) }

  private var code: URLError.Code {
    switch kind {
    case .cancelled, .invalidated: .cancelled
    case .timedOut: .timedOut
    case .notConnected: .notConnectedToInternet
    case .nameLookup: .cannotFindHost
    case .cannotConnect, .refusedBySession: .cannotConnectToHost
    case .tls: .secureConnectionFailed
    case .connectionLost, .truncated: .networkConnectionLost
    case .badFraming, .notHTTPResponse: .badServerResponse
    case .badEncoding: .cannotDecodeContentData
    case .tooLarge: .dataLengthExceedsMaximum
    case .invalidRequest: .badURL
    case .file: .cannotOpenFile
    case .other: .unknown
    }
  }
}
