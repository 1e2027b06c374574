import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSessionProtocol {
  /// Does an exchange with the two methods that every session has.
  public func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    plainTask(with: request, completion: completion)
  }

  func plainTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    do {
      let task = dataTask(with: try URLRequest(request)) { data, response, error in
        let answer = SessionAnswer(data: data, response: response, error: error)
        completion(answer.result(for: request).delivered(to: request.destination))
      }
      #if canImport(Darwin)
        (task as? URLSessionTask)?.delegate = RedirectRefusal.shared
      #endif
      return task
    } catch {
      completion(.failure(error))
      return FinishedTask()
    }
  }
}

/// Stands for an exchange that ended before it began.
private struct FinishedTask: URLSessionTaskProtocol {}

#if canImport(Darwin)
  /// Has a session of a caller's return a redirect: to follow it is the engine's decision.
  private final class RedirectRefusal: NSObject, URLSessionTaskDelegate, Sendable {
    static let shared = RedirectRefusal()

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }
  }
#endif

extension Result<WebServiceResponse, TransportError> {
  /// Hands the body of a whole response to the receiver that the request names.
  fileprivate func delivered(to destination: TransportDestination) -> Self {
    guard case .success(var response) = self else { return self }
    guard case .receiver(let receiver) = destination else { return self }
    let body = response.body
    response.body = Data()
    receiver.didReceive(head: response)
    if !body.isEmpty { receiver.didReceive(body) {} }
    return .success(response)
  }
}
