import WebServicesTestSupport

// `nonisolated`: `scripts/main-actor` compiles this file in a module whose default isolation is the main actor.

extension JsonWebService {
  /// A service that needs no network.
  nonisolated convenience init(
    over session: any URLSessionProtocol, tokens: any WebServiceTokenManageable = BasicAuthManager(),
    _ configuration: WebServiceConfiguration = .sample
  ) {
    self.init(session: session, tokenManager: tokens, reachability: FakeReachability(), configuration: configuration)
  }
}

extension WebServiceConfiguration {
  nonisolated static var sample: Self { Self(baseURL: URL(string: "https://api.example.com")) }
}

extension MockURLSession {
  /// A session that gives these responses to requests such as `GET /cities`, and equal ones in their order.
  nonisolated convenience init(_ responses: KeyValuePairs<String, MockResponse>) {
    self.init()
    script(responses)
  }

  nonisolated func script(_ responses: KeyValuePairs<String, MockResponse>) {
    for (request, response) in responses {
      let method = request.prefix { $0 != " " }
      script(HTTPMethod(rawValue: String(method)), String(request.dropFirst(method.count + 1)), response)
    }
  }

  nonisolated var paths: [String?] { requests.map { $0.url?.path } }
  nonisolated var queries: [String?] { requests.map { $0.url?.query } }

  /// A field of each request.
  nonisolated func fields(_ name: String) -> [String?] { requests.map { $0.value(forHTTPHeaderField: name) } }
}
