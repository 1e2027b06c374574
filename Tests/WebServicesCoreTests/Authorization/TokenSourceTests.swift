@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct TokenSourceTests {
  /// Gets every token with the client's credentials.
  private static let client = ClosureSource(grantsFirstToken: true) { _, sender, completion in
    let client = WebServiceAuthorizationType.basic(user: "client", password: "secret")
    sender.send(TestRequest(path: "token", method: .post, authorization: client), completion: completion)
  }

  /// Looks up the path of the token endpoint, and requests a token there.
  private static let discovering = ClosureSource(grantsFirstToken: true) { _, sender, completion in
    sender.send(TestRequest(path: ".well-known"), as: [String: String].self) { result in
      switch result {
      case .success(let paths):
        sender.send(TestRequest(path: paths["token"] ?? "", method: .post), completion: completion)
      case .failure(let error): completion(.failure(error))
      }
    }
  }

  /// Gets its token as text.
  private static let text = ClosureSource(grantsFirstToken: true) { _, sender, completion in
    sender.send(TestRequest(path: "token"), parser: .text) { result in
      completion(result.map { AuthenticationInfo(apiToken: $0, secondsRemaining: 60) })
    }
  }

  private func harness(
    _ source: ClosureSource, configure: (inout WebServiceConfiguration) -> Void
  ) -> (BasicAuthManager, VirtualHarness<MockURLSession>) {
    let manager = BasicAuthManager(clock: VirtualClock(), source: source)
    let harness = VirtualHarness.scripted(.json(#"{"name": "Bath"}"#), tokenManager: manager) {
      $0.baseURL = URL(string: "https://api.example.com")
      configure(&$0)
    }
    return (manager, harness)
  }

  @Test func firstTokenNeedsNoSignIn() {
    let formers = Collector<AuthenticationInfo?>()
    let (manager, backend, clock) = renewingManager(
      ClosureSource(grantsFirstToken: true) { former, sender, completion in
        formers.append(former)
        Self.client.request(former, sender, completion)
      })
    let outcomes = (0..<3).map { _ in manager.requestToken() }
    expectEqual(backend.sent.count, 1)
    backend.renew(to: "first", secondsRemaining: 100)
    expectEqual(outcomes.map(\.elements), Array(repeating: [.token("first", generation: 1)], count: 3))
    clock.advance(by: 60)
    let later = manager.requestToken()
    backend.renew(to: "second")
    expectEqual(later.elements, [.token("second", generation: 2)])
    expectEqual(formers.elements, [nil, AuthenticationInfo(apiToken: "first", secondsRemaining: 40)])
  }

  @Test func sourceReadsAResponseByItsParserWhateverTheValidatorsAccept() async {
    let json = #"{"apiToken": "none", "secondsRemaining": 600}"#
    let responses: [(ClosureSource, MockResponse, TokenOutcome)] = [
      (Self.client, .json(json, status: 403), .failed(.statusCode(403))),
      (Self.text, .data(Data("a".utf8)), .token("a", generation: 1)),
      (Self.text, .data(Data()), .refused(.emptyResponse)),
    ]
    for (source, response, outcome) in responses {
      let (manager, harness) = harness(source) { $0.validators = [] }
      for method in [HTTPMethod.get, .post] { harness.session.script(method, "/token", response) }
      let outcomes = manager.requestToken()
      expectEqual(await outcomes.elements(1), [outcome])
    }
  }

  @Test func sourceMaySendSeveralRequests() async {
    let (_, harness) = harness(Self.discovering) {
      $0.layers = [.limits(RequestLimits(concurrentRequestsPerHost: 1))]
    }
    harness.session.script(.get, "/.well-known", .json(#"{"token": "connect/token"}"#))
    harness.session.script(.post, "/connect/token", .json(#"{"apiToken": "first", "secondsRemaining": 600}"#))
    let request = TestRequest(path: "cities", authorization: .bearer)
    expectEqual(await harness.result(of: request).model, City(name: "Bath"))
    expectEqual(harness.session.requests.map { $0.url?.path }, ["/.well-known", "/connect/token", "/cities"])
    expectEqual(harness.session.requests.last?.value(forHTTPHeaderField: "Authorization"), "Bearer first")
  }

  @Test func tokenSenderRefusesARequestThatNeedsAToken() {
    let (results, backend) = (Collector<TokenError?>(), HeldService())
    for authorization in [WebServiceAuthorizationType.none, .bearer] {
      let request = TestRequest(path: "renew", authorization: authorization)
      TokenSender(backend).send(request, as: AuthenticationInfo.self) { results.append($0.failure as? TokenError) }
      backend.renew(to: "new")
    }
    expectEqual(results.elements, [nil, .renewalNeedsToken])
    expectEqual(backend.sent.count, 1)
  }

  /// Completes the first request before it returns the request's handle, as a delayed thread sees it.
  private final class FastService: JsonWebServiceable {
    let cancelled = Collector<String>()

    func sendRequest<Value: Sendable>(
      _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
      completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
    ) -> WebServiceTask {
      let path = Request(requestData).path
      if path == ".well-known" { completion(parser.result(ofJSON: #"{"token": "connect/token"}"#)) }
      return WebServiceTask { [cancelled] in cancelled.append(path) }
    }
  }

  @Test func signOutCancelsTheLastRequestOfASource() {
    let (service, manager) = (FastService(), BasicAuthManager(clock: VirtualClock(), source: Self.discovering))
    manager.attach(service, ending: Engine())
    let outcomes = manager.requestToken()
    manager.clear()
    expectEqual(outcomes.elements, [.refused(.signedOut)])
    expectEqual(service.cancelled.elements, ["connect/token"])
  }
}
