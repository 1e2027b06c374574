import BenchmarkReport
import Foundation
import WebServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Contender {
  /// All contenders in the order of the report.
  static let all: [Contender] = [
    Contender("webservices", "WebServices (default session), completion", .webServices) {
      try WebServicesClient(.completion, session: nil, baseURL: $0)
    },
    Contender("webservices-async", "WebServices (default session), async", .webServices) {
      try WebServicesClient(.asynchronous, session: nil, baseURL: $0)
    },
    Contender("webservices-limits", "WebServices, at most 64 requests sent to a host", .webServices) {
      try WebServicesClient(
        .completion, session: nil, limits: RequestLimits(maximumConcurrentRequestsPerHost: 64), baseURL: $0)
    },
    Contender("webservices-urlsession", "WebServices over URLSession, completion", .webServices) {
      try WebServicesClient(.completion, session: URLSession(configuration: .webServices), baseURL: $0)
    },
    Contender("webservices-urlsession-async", "WebServices over URLSession, async", .webServices) {
      try WebServicesClient(.asynchronous, session: URLSession(configuration: .webServices), baseURL: $0)
    },
    Contender(
      "webservices-urlsession-concurrent", "WebServices over URLSession (concurrent queue)", .webServices
    ) {
      try WebServicesClient(
        .completion,
        session: URLSession(configuration: .webServices, delegate: nil, delegateQueue: OperationQueue()), baseURL: $0)
    },
    Contender("urlsession", "URLSession", .foundation) {
      URLSessionClient(.default, baseURL: $0)
    },
    Contender("urlsession-webservices", "URLSession (.webServices configuration)", .foundation) {
      URLSessionClient(.webServices, baseURL: $0)
    },
    Contender("urlsession-concurrent", "URLSession (.webServices, concurrent queue)", .foundation) {
      URLSessionClient(.webServices, queue: .concurrent, baseURL: $0)
    },
    Contender("asynchttpclient", "AsyncHTTPClient 1.37, async", .asyncHTTPClient) {
      AsyncHTTPClientClient(baseURL: $0)
    },
    Contender("asynchttpclient-futures", "AsyncHTTPClient 1.37, futures", .asyncHTTPClient) {
      FutureHTTPClientClient(baseURL: $0)
    },
  ]

  static func named(_ identifier: String) -> Contender? {
    all.first { $0.name.identifier == identifier }
  }

  /// The contenders to compare with: Foundation's session under this library, and AsyncHTTPClient in the form that its
  /// manual shows first.
  static let bases = Report.Bases(foundation: "urlsession-webservices", asyncHTTPClient: "asynchttpclient")
}
