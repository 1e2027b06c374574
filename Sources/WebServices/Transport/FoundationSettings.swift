import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A configuration without what Foundation does wrong, or dies of.
struct FoundationSettings: Sendable {
  /// Headers for every request that has none of their names.
  let headers: HTTPHeaders
  /// The timeouts of requests that set none.
  let timeouts: TransportTimeouts
  let connectionsPerHost: Int
  private let configuration: URLSessionConfiguration

  init(_ original: URLSessionConfiguration) {
    let configuration = original.copy() as? URLSessionConfiguration ?? .webServices
    headers = HTTPHeaders(configuration.httpAdditionalHeaders ?? [:])
    timeouts = TransportTimeouts(
      idle: configuration.timeoutIntervalForRequest.usableTimeout,
      whole: configuration.timeoutIntervalForResource.usableTimeout)
    connectionsPerHost = max(1, configuration.httpMaximumConnectionsPerHost)
    configuration.httpAdditionalHeaders = nil
    configuration.timeoutIntervalForRequest = URLRequest.timeoutCeiling
    configuration.timeoutIntervalForResource = URLRequest.timeoutCeiling
    configuration.httpMaximumConnectionsPerHost = connectionsPerHost
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    self.configuration = configuration
  }

  func makeSession(delegate: FoundationLane, queue: OperationQueue) -> URLSession {
    URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
  }
}

extension HTTPHeaders {
  fileprivate init(_ fields: [AnyHashable: Any]) {
    self.init()
    for case (let name as String, let value as String) in fields { add(name: name, value: value) }
  }
}

extension TimeInterval {
  fileprivate var usableTimeout: TimeInterval? { isFinite && self > 0 ? self : nil }
}
