#if os(Linux)
  public import Foundation
  public import FoundationNetworking

  extension CurlSession {
    /// Prepares a `URLRequest`; nothing is sent before the task is resumed.
    ///
    /// - Parameters:
    ///   - request: the request, as Foundation describes one.
    ///   - completionHandler: called once, on a concurrent dispatch queue, also for a cancelled task. An error is a
    ///     `URLError` with the `TransportError` as its underlying error; what had come of the answer is given too.
    public func dataTask(
      with request: URLRequest,
      completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> CurlTask {
      makeTask(TransportRequest(request)) { result in
        DispatchQueue.global().async {
          switch result {
          case .success(let response):
            completionHandler(response.body, response.foundation, nil)
          case .failure(let error):
            completionHandler(error.response?.body, error.response?.foundation, error.foundation)
          }
        }
      }
    }
  }
#endif
