package import Foundation
package import WebServices

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// A session without a network. It completes every request within `resume()`.
package struct ImmediateSession: URLSessionProtocol {
  package typealias Answer = @Sendable (TransportRequest) -> Result<WebServiceResponse, TransportError>

  private let answer: Answer

  /// - Parameter answer: called for each request on the thread that resumes it.
  package init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  package func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    ImmediateTask { completion(answer(request)) }
  }

  /// The engine never calls this method; it calls `transferTask`.
  package func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> ImmediateTask {
    ImmediateTask { completionHandler(nil, nil, URLError(.unsupportedURL)) }
  }

  package func invalidateAndCancel() {}
}

/// The task completes within `resume()`, so `cancel()` has nothing to do.
package struct ImmediateTask: URLSessionTaskProtocol {
  let run: @Sendable () -> Void

  package func resume() { run() }
}
