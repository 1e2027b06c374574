import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession: URLSessionProtocol {
  /// Prepares an exchange; nothing is sent before the task is resumed.
  ///
  /// Where the session's `delegateQueue` lets several operations run side by side, none waits for another one, and a
  /// completion may run where its answer came. A session has a serial one unless it is given another.
  public func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    guard delegateQueue.maxConcurrentOperationCount != 1 else {
      return plainTask(with: request, completion: completion)
    }
    return plainTask(with: request) { result in
      InlineCompletion.work { completion(result) }?.perform()
    }
  }
}

extension URLSessionDataTask: URLSessionTaskProtocol {}

extension URLSessionConfiguration {
  /// A configuration for calling REST services: nothing is cached, no cookie is kept or sent, and a host may have 64
  /// connections instead of 6.
  public static var webServices: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    // On Linux a cache is never asked, costs a tenth of the time, and makes a late cancel crash.
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpMaximumConnectionsPerHost = 64
    return configuration
  }
}
