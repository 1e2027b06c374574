@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct RenewalServiceTests {
  private static let renewed = #"{"apiToken": "new", "secondsRemaining": 600}"#
  private let clock = VirtualClock()
  private let manager: BasicAuthManager
  private let request = TestRequest(path: "cities", authorization: .apiToken)

  init() {
    manager = BasicAuthManager(clock: clock)
    manager.renewTokens { RequestDataForRenewToken(apiToken: $0) }
    manager.update(apiToken: "old", secondsRemaining: 0)
  }

  /// A service with this manager and its own host, which responds to everything.
  private func harness(_ host: String, renewal: MockResponse = .json(Self.renewed)) -> VirtualHarness<MockURLSession> {
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
    api.session.script(.get, "/favourites", .status(401))
    api.session.script(.get, "/favourites", .json(#"{"name": "Bath"}"#))
    let refused = TestRequest(path: "favourites", authorization: .apiToken)
    expectEqual(await api.result(of: refused).model, City(name: "Bath"))
    expectEqual(api.session.requests.map { $0.url?.path }, ["/favourites", "/renew", "/favourites"])
    #expect(urls(other).isEmpty)
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
    await results.waitForElements(1)
    expectEqual(results.elements.first?.error?.kind, .cancelled)
    expectEqual(session.openTaskCount, 0)
  }
}
