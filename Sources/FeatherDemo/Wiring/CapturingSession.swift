import Foundation
import WebServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Keeps what it should send, sends nothing, and answers 204.
final class CapturingSession: URLSessionProtocol {
  private let captured = Locked<TransportRequest?>(nil)

  /// The last request.
  var request: TransportRequest? { captured.withLock { $0 } }

  func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> CapturedTask {
    CapturedTask { completionHandler(nil, nil, URLError(.cancelled)) }
  }

  func invalidateAndCancel() {}

  func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    CapturedTask { [captured] in
      captured.withLock { $0 = request }
      completion(.success(WebServiceResponse(statusCode: 204, url: request.url)))
    }
  }
}

/// Does what it was made for when it is resumed.
struct CapturedTask: URLSessionTaskProtocol {
  let onResume: @Sendable () -> Void

  func resume() {
    onResume()
  }
}
