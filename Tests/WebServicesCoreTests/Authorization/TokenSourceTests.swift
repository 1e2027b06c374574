@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesHTTP

@Suite(.leavesNothing) struct TokenSourceTests {
  /// Gets the first token and all others with the client's credentials.
  private struct ClientSource: TokenSource {
    let grantsFirstToken = true
    let formers = Collector<AuthenticationInfo?>()

    func requestToken(
      replacing former: AuthenticationInfo?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) {
      formers.append(former)
      let client = WebServiceAuthorizationType.basic(user: "client", password: "secret")
      sender.send(TestRequest(path: "token", method: .post, authorization: client), completion: completion)
    }
  }

  private let clock = VirtualClock(now: 1000)
  private let backend = HeldService()

  private func manager(_ source: any TokenSource, through service: any JsonWebServiceable) -> BasicAuthManager {
    let manager = BasicAuthManager(clock: clock, source: source)
    manager.attach(service, ending: backend)
    return manager
  }

  @Test func firstTokenNeedsNoSignIn() {
    let source = ClientSource()
    let manager = manager(source, through: backend)
    let outcomes = (0..<3).map { _ in manager.requestToken() }
    expectEqual(backend.sent.count, 1)
    backend.renew(to: "first", secondsRemaining: 100)
    expectEqual(outcomes.map(\.elements), Array(repeating: [.token("first", generation: 1)], count: 3))
    clock.advance(by: 60)
    let later = manager.requestToken()
    backend.renew(to: "second")
    expectEqual(later.elements, [.token("second", generation: 2)])
    expectEqual(source.formers.elements, [nil, AuthenticationInfo(apiToken: "first", secondsRemaining: 40)])
  }

  @Test func errorStatusBringsNoTokenWhateverTheValidatorsAccept() async {
    let manager = BasicAuthManager(clock: clock, source: ClientSource())
    let harness = VirtualHarness.scripted(tokenManager: manager, clock: clock) {
      $0.baseURL = URL(string: "https://api.example.com")
      $0.validators = []
    }
    harness.session.script(.post, "/token", .json(#"{"apiToken": "none", "secondsRemaining": 600}"#, status: 403))
    let error = await harness.result(of: TestRequest(path: "cities", authorization: .bearer)).error
    expectEqual(error?.underlying(as: WebServiceError.self)?.kind, .statusCode(403))
    expectEqual(manager.apiToken, nil)
  }

  /// Looks up the path of the token endpoint, and requests a token there.
  private struct DiscoveringSource: TokenSource {
    let grantsFirstToken = true

    struct Endpoints: Decodable {
      let token: String
    }

    func requestToken(
      replacing former: AuthenticationInfo?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) {
      sender.send(TestRequest(path: ".well-known"), as: Endpoints.self) { result in
        switch result {
        case .success(let endpoints):
          sender.send(TestRequest(path: endpoints.token, method: .post), completion: completion)
        case .failure(let error):
          completion(.failure(error))
        }
      }
    }
  }

  /// Gets its token as text.
  private struct TextSource: TokenSource {
    let grantsFirstToken = true

    func requestToken(
      replacing former: AuthenticationInfo?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) {
      sender.send(TestRequest(path: "token"), parser: .text) { result in
        completion(result.map { AuthenticationInfo(apiToken: $0, secondsRemaining: 60) })
      }
    }
  }

  @Test(arguments: [("a", .token("a", generation: 1)), ("", .refused(.emptyResponse))] as [(String, TokenOutcome)])
  func sourceReadsAResponseByAParser(text: String, outcome: TokenOutcome) async {
    let session = MockURLSession()
    session.script(.get, "/token", .data(Data(text.utf8)))
    let service = JsonWebService(
      session: session, reachability: FakeReachability(),
      configuration: WebServiceConfiguration(baseURL: URL(string: "https://api.example.com")))
    let manager = manager(TextSource(), through: service)
    let outcomes = manager.requestToken()
    await outcomes.waitForElements(1)
    expectEqual(outcomes.elements, [outcome])
  }

  @Test func sourceMaySendSeveralRequests() async {
    let manager = BasicAuthManager(clock: clock, source: DiscoveringSource())
    let harness = VirtualHarness.scripted(tokenManager: manager, clock: clock) {
      $0.baseURL = URL(string: "https://api.example.com")
      $0.layers = [.limits(RequestLimits(concurrentRequestsPerHost: 1))]
    }
    harness.session.script(.get, "/.well-known", .json(#"{"token": "connect/token"}"#))
    harness.session.script(.post, "/connect/token", .json(#"{"apiToken": "first", "secondsRemaining": 600}"#))
    harness.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let request = TestRequest(path: "cities", authorization: .bearer)
    expectEqual(await harness.result(of: request).model, City(name: "Bath"))
    expectEqual(harness.session.requests.map { $0.url?.path }, ["/.well-known", "/connect/token", "/cities"])
    expectEqual(harness.session.requests.last?.value(forHTTPHeaderField: "Authorization"), "Bearer first")
  }

  @Test func tokenSenderRefusesARequestThatNeedsAToken() {
    let results = Collector<String>()
    TokenSender(backend).send(RequestDataForRenewToken(apiToken: "old"), as: AuthenticationInfo.self) { result in
      results.append((try? result.get().apiToken) ?? "none")
    }
    backend.renew(to: "new")
    let needy = TestRequest(path: "renew", authorization: .bearer)
    TokenSender(backend).send(needy, as: AuthenticationInfo.self) { result in
      if case .failure(let error) = result { results.append("\(error)") }
    }
    expectEqual(results.elements, ["new", "\(TokenError.renewalNeedsToken)"])
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
    let service = FastService()
    let manager = manager(DiscoveringSource(), through: service)
    let outcomes = manager.requestToken()
    manager.clear()
    expectEqual(outcomes.elements, [.refused(.signedOut)])
    expectEqual(service.cancelled.elements, ["connect/token"])
  }
}
