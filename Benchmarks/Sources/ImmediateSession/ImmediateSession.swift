package import Foundation
package import WebServices

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// A session without a network. It completes every request within `resume()`, with the response that a closure makes.
package struct ImmediateSession: URLSessionProtocol {
  package typealias Responder = @Sendable (TransportRequest) -> Result<WebServiceResponse, TransportError>

  private let respond: Responder

  /// - Parameter respond: called for each request on the thread that resumes it.
  package init(_ respond: @escaping Responder) {
    self.respond = respond
  }

  package func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    ImmediateTask { completion(respond(request)) }
  }

  /// The engine never calls this method; it calls `transferTask`.
  package func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> ImmediateTask {
    ImmediateTask { completionHandler(nil, nil, URLError(.unsupportedURL)) }
  }
}

/// The task completes within `resume()`, so `cancel()` has nothing to do.
package struct ImmediateTask: URLSessionTaskProtocol {
  let run: @Sendable () -> Void

  package func resume() { run() }
}
