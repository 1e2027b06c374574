package import Foundation
package import WebServices

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// A session without a network: what it answers, it answers within `resume()`.
package struct ImmediateSession: URLSessionProtocol {
  package typealias Answer = @Sendable (TransportRequest) -> Result<WebServiceResponse, TransportError>

  private let answer: Answer

  /// - Parameter answer: called for each exchange on the thread that resumes it.
  package init(_ answer: @escaping Answer) {
    self.answer = answer
  }

  package func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    ImmediateTask { completion(answer(request)) }
  }

  /// The engine asks for transfers alone.
  package func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> ImmediateTask {
    ImmediateTask { completionHandler(nil, nil, URLError(.unsupportedURL)) }
  }

  package func invalidateAndCancel() {}
}

/// It is over when it has begun, so that there is nothing to cancel.
package struct ImmediateTask: URLSessionTaskProtocol {
  let run: @Sendable () -> Void

  package func resume() { run() }
}
