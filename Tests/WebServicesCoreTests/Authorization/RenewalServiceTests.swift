@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct RenewalServiceTests {
  private let clock = VirtualClock()
  private let manager: BasicAuthManager
  private let request = TestRequest(path: "cities", authorization: .apiToken)

  init() {
    manager = BasicAuthManager(clock: clock)
    manager.renewTokens { RequestDataForRenewToken(apiToken: $0) }
    manager.update(apiToken: "old", secondsRemaining: 0)
  }

  /// A service with this manager and its own host, which responds to everything.
  private func harness(
    _ host: String, renewal: MockResponse = .json(#"{"apiToken": "new", "secondsRemaining": 600}"#)
  ) -> VirtualHarness<MockURLSession> {
    let harness = VirtualHarness.scripted(tokenManager: manager, clock: clock) {
      $0.baseURL = URL(string: "https://\(host).example.com")
    }
    harness.session.script(.post, "/renew", renewal)
    harness.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    return harness
  }

  private func urls(_ harness: VirtualHarness<MockURLSession>) -> [String?] {
    harness.session.requests.map { $0.url?.absoluteString }
  }

  @Test func relativeRenewalIsRefusedWithSeveralOrigins() async throws {
    let (api, pictures) = (harness("api"), harness("pictures"))
    for harness in [api, pictures] {
      let error = try #require(await harness.result(of: request).error)
      expectEqual(error.underlying(as: TokenError.self), .noRenewalService)
      #expect("\(error)".contains("renewTokens(through: service, from: source)"))
    }
    expectEqual(manager.requestToken().elements, [.refused(.noRenewalService)])
    #expect(urls(api).isEmpty && urls(pictures).isEmpty)
    pictures.service.invalidateAndCancel()
    expectEqual(await api.result(of: request).model, City(name: "Bath"))
    expectEqual(urls(api), ["https://api.example.com/renew", "https://api.example.com/cities"])
    // A named service that is released isn't replaced either.
    manager.update(apiToken: "old", secondsRemaining: 0)
    do { manager.renewTokens(through: harness("accounts").service) { RequestDataForRenewToken(apiToken: $0) } }
    let error = await api.result(of: request).error
    expectEqual(error?.underlying(as: TokenError.self), .noRenewalService)
  }

  @Test func renewalGoesThroughTheRequestsServiceOrTheNamedOne() async {
    let (api, pictures, accounts) = (harness("api"), harness("pictures"), harness("accounts"))
    manager.renewTokens { RequestDataForRenewToken(apiToken: $0, path: "https://accounts.example.com/renew") }
    expectEqual(await api.result(of: request).model, City(name: "Bath"))
    expectEqual(urls(api), ["https://accounts.example.com/renew", "https://api.example.com/cities"])
    manager.update(apiToken: "old", secondsRemaining: 0)
    manager.renewTokens(through: accounts.service) { RequestDataForRenewToken(apiToken: $0) }
    expectEqual(await pictures.result(of: request).model, City(name: "Bath"))
    expectEqual(urls(accounts), ["https://accounts.example.com/renew"])
    expectEqual(urls(pictures), ["https://pictures.example.com/cities"])
  }

  @Test func refusedTokenIsRenewedThroughItsService() async {
    manager.update(apiToken: "old", secondsRemaining: 600)
    let (api, other) = (harness("api"), harness("api"))
    api.session.script(.post, "/favourites", [.status(401), .json(#"{"name": "Bath"}"#)])
    let refused = TestRequest(path: "favourites", method: .post, body: .json("a"), authorization: .apiToken)
    expectEqual(await api.result(of: refused).model, City(name: "Bath"))
    let requests = api.session.requests
    expectEqual(requests.map { $0.url?.path }, ["/favourites", "/renew", "/favourites"])
    expectEqual([0, 2].map { requests[$0].value(forHTTPHeaderField: "api-token") }, ["old", "new"])
    expectEqual([0, 2].map { requests[$0].httpBody }, [Data(#""a""#.utf8), Data(#""a""#.utf8)])
    #expect(urls(other).isEmpty)
  }

  @Test func requestAsksAgainIfTheServiceOfTheRenewalEnds() async {
    let (closing, open) = (harness("api", renewal: .never), harness("api"))
    let (closed, results) = (closing.send(request).results, open.send(request).results)
    closing.service.invalidateAndCancel()
    expectEqual(await closed.elements(1).first?.error?.kind, .cancelled)
    expectEqual(await results.elements(1).first?.model, City(name: "Bath"))
    expectEqual(urls(open), ["https://api.example.com/renew", "https://api.example.com/cities"])
  }

  /// A source that sends its first request when the test says so, as one that asks the user before.
  private struct PatientSource: TokenSource {
    let first = Collector<@Sendable () -> Void>()

    func requestToken(
      replacing former: AuthenticationInfo?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) {
      let send = { @Sendable in
        sender.send(RequestDataForRenewToken(apiToken: former?.apiToken ?? ""), completion: completion)
      }
      if first.elements.isEmpty { first.append(send) } else { send() }
    }
  }

  @Test func requestAsksAgainIfTheServiceOfTheRenewalWasShutDownBeforeIt() async {
    let source = PatientSource()
    manager.renewTokens(from: source)
    let (closing, open) = (harness("api"), harness("api"))
    let (closed, results) = (closing.send(request).results, open.send(request).results)
    let end = Task { await closing.service.shutDown(within: 0) }
    await clock.waitForTimer(after: 0)
    clock.advance(by: 0)
    await end.value
    source.first.elements.first?()
    expectEqual(await closed.elements(1).first?.error?.kind, .cancelled)
    expectEqual(await results.elements(1).first?.model, City(name: "Bath"))
    expectEqual(urls(open), ["https://api.example.com/renew", "https://api.example.com/cities"])
  }

  @Test func requestFailsIfTheNamedServiceEnds() async {
    let (api, accounts) = (harness("api"), harness("accounts", renewal: .never))
    manager.renewTokens(through: accounts.service) { RequestDataForRenewToken(apiToken: $0) }
    let results = api.send(request).results
    await accounts.session.waitForRequests(1)
    accounts.service.invalidateAndCancel()
    expectEqual(await results.elements(1).first?.error?.kind, .token)
  }

  @Test func signOutReachesReleasedService() async {
    let session = MockURLSession(clock: clock)
    session.script(.get, "/cities", .never)
    manager.update(apiToken: "old", secondsRemaining: 600)
    let results = Collector<WebServiceResult<City>>()
    do {
      let service = JsonWebService(
        session: session, tokenManager: manager, reachability: FakeReachability(),
        configuration: WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"), clock: clock))
      service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    }
    expectEqual(session.openTaskCount, 1)
    manager.clear()
    expectEqual(await results.elements(1).first?.error?.kind, .cancelled)
    expectEqual(session.openTaskCount, 0)
  }

  /// The request asks for the token while only its engine is left.
  @Test func requestOfAReleasedServiceRenewsItsToken() async {
    let session = HeldSession()
    let results = Collector<WebServiceResult<City>>()
    manager.update(apiToken: "old", secondsRemaining: 600)
    do {
      let service = JsonWebService(
        session: session, tokenManager: manager, reachability: FakeReachability(),
        configuration: WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"), clock: clock))
      service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    }
    session.open.first?.respond(401)
    await session.waitForTransfers(2)
    session.open.first?.respond(body: #"{"apiToken": "new", "secondsRemaining": 600}"#)
    await session.waitForTransfers(3)
    session.open.first?.respond()
    expectEqual(await results.elements(1).first?.model, City(name: "Bath"))
    expectEqual(session.paths, ["/cities", "/renew", "/cities"])
    session.releaseTransfers()
  }
}
