import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession: URLSessionProtocol {}

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
