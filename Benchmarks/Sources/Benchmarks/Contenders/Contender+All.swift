import Foundation
import WebServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Contender {
  /// All contenders of this machine in the order of the report.
  static let all = linked + (CurlLoopClient.isAvailable ? curlLoops : [])

  private static let linked: [Contender] = [
    Contender("webservices", "WebServices (default session), completion") {
      try WebServicesClient(.completion, session: nil, server: $0)
    },
    Contender("webservices-async", "WebServices (default session), async") {
      try WebServicesClient(.asynchronous, session: nil, server: $0)
    },
    Contender("webservices-limits", "WebServices, at most 64 requests sent to a host") {
      try WebServicesClient(
        .completion, session: nil, limits: RequestLimits(concurrentRequestsPerHost: 64), server: $0)
    },
    Contender("webservices-urlsession", "WebServices over URLSession, completion", scope: .cleartext) {
      try WebServicesClient(.completion, session: URLSession(configuration: .webServices), server: $0)
    },
    Contender("webservices-urlsession-async", "WebServices over URLSession, async", scope: .cleartext) {
      try WebServicesClient(.asynchronous, session: URLSession(configuration: .webServices), server: $0)
    },
    Contender(
      "webservices-urlsession-concurrent", "WebServices over URLSession (concurrent queue)",
      scope: .cleartext
    ) {
      try WebServicesClient(
        .completion,
        session: URLSession(configuration: .webServices, delegate: nil, delegateQueue: OperationQueue()), server: $0)
    },
    Contender("urlsession", "URLSession", scope: .cleartext) { URLSessionClient(.default, baseURL: $0.url) },
    Contender("urlsession-webservices", "URLSession (.webServices configuration)", scope: .cleartext) {
      URLSessionClient(.webServices, baseURL: $0.url)
    },
    Contender("urlsession-concurrent", "URLSession (.webServices, concurrent queue)", scope: .cleartext) {
      URLSessionClient(.webServices, queue: .concurrent, baseURL: $0.url)
    },
    Contender("asynchttpclient", "AsyncHTTPClient 1.37, async") { AsyncHTTPClientClient($0) },
    Contender("asynchttpclient-feather", "AsyncHTTPClient 1.37, async, FeatherJSONDecoder", scope: .fetches) {
      AsyncHTTPClientClient($0, ownDecoder: FeatherJSONDecoder())
    },
    Contender("asynchttpclient-futures", "AsyncHTTPClient 1.37, futures") { FutureHTTPClientClient($0) },
  ]

  private static let curlLoops = [
    Contender("curl-loop", "Plain loop over libcurl, JSONDecoder", scope: .fetches) {
      let decoder = JSONDecoder()
      return try CurlLoopClient(.completion, $0) { try decoder.decode(JokeList.self, from: $0) }
    },
    Contender("curl-loop-feather", "Plain loop over libcurl, FeatherJSONDecoder", scope: .fetches) {
      let decoder = FeatherJSONDecoder()
      return try CurlLoopClient(.completion, $0) { try decoder.decode(JokeList.self, from: $0) }
    },
    Contender(
      "curl-loop-feather-async", "Plain loop over libcurl, FeatherJSONDecoder, async", scope: .fetches
    ) {
      let decoder = FeatherJSONDecoder()
      return try CurlLoopClient(.asynchronous, $0) { try decoder.decode(JokeList.self, from: $0) }
    },
  ]

  static func named(_ identifier: String) -> Contender? {
    all.first { $0.identifier == identifier }
  }

  /// The contenders to compare with: Foundation's session under this library, and AsyncHTTPClient in the form that its
  /// manual shows first.
  static let bases = ["urlsession-webservices", "asynchttpclient"]
}
