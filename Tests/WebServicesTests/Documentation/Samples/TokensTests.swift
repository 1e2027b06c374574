@testable import WebServicesTestSupport

/// The samples of the article on tokens.
@Suite struct TokensTests {
  private static let balance = TestRequest(path: "balance", authorization: .bearer)

  // sample: refreshRequest

  struct RequestDataForClientToken: WebServiceRequestData {
    var secret: String
    var path: String { "token" }
    var method: HTTPMethod { .post }
    var authorization: WebServiceAuthorizationType { .basic(user: "shop", password: secret) }
  }

  // sample: tokenSource

  @Test func sourceGetsFirstTokenWithoutSignIn() async throws {
    let (clientSecret, session) = ("secret", MockURLSession())
    // sample: useTokenSource
    session.script([
      "POST /token": .json(#"{"apiToken": "first", "secondsRemaining": 600}"#), "GET /balance": .status(204),
    ])
    try await JsonWebService(over: session, tokens: tokens).sendRequest(Self.balance, parser: .nothing)
    expectEqual(session.paths, ["/token", "/balance"])
    expectEqual(session.fields("Authorization").last, "Bearer first")
  }

  private func makeTokens() -> BasicAuthManager {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString).appendingPathComponent("token.json")
    // sample: storage
    return tokens
  }

  // sample: renewalModel

  @Test func renewalReadsAModelOfTheApp() async throws {
    let (tokens, session) = (BasicAuthManager(), MockURLSession())
    // sample: renewalByModel
    tokens.update(apiToken: "first", secondsRemaining: 0, refreshToken: "r1")
    session.script(["POST /token": .json(#"{"jwt": "second", "ttl": 600}"#), "GET /balance": .status(204)])
    try await JsonWebService(over: session, tokens: tokens).sendRequest(Self.balance, parser: .nothing)
    expectEqual(session.fields("Authorization").last, "Bearer second")
    expectEqual(tokens.authenticationInfo?.refreshToken, "r1")
  }

  private func makeRefreshingTokens() -> BasicAuthManager {
    BasicAuthManager(source: .refreshToken { token in RequestDataForRefresh(token: token) })
  }

  @Test func namedServiceRenewsTokensOfAllServices() async {
    let clock = VirtualClock()
    let tokens = BasicAuthManager(clock: clock)
    let accountsConfiguration = WebServiceConfiguration(baseURL: URL(string: "http://127.0.0.1:1"))
    // sample: namedService
    tokens.update(apiToken: "old", secondsRemaining: 0)
    let session = MockURLSession()
    let service = JsonWebService(over: session, tokens: tokens)
    expectEqual(try? await service.sendRequest(Self.balance, as: City.self), nil)
    #expect(session.requests.isEmpty)
    accounts.invalidateAndCancel()
  }

  private nonisolated func signature(_ method: HTTPMethod, _ url: URL, key: String) -> String {
    "\(method) \(url.path) \(key)"
  }

  private func makeSigner() -> RequestSigner {
    // sample: signer
    return signer
  }

  // sample: signed

  @Test func refusedTokenIsRefreshedAndRequestReplayed() async throws {
    let session = MockURLSession([
      "GET /balance": .status(401), "GET /balance": .status(204),
      "POST /token": .json(#"{"apiToken": "second", "secondsRemaining": 600, "refreshToken": "r2"}"#),
    ])
    let tokens = makeRefreshingTokens()
    tokens.update(apiToken: "first", secondsRemaining: 600, refreshToken: "r1")
    let service = JsonWebService(over: session, tokens: tokens)
    try await service.sendRequest(RequestDataForBalance(signer: makeSigner()), parser: .nothing)
    expectEqual(session.paths, ["/balance", "/token", "/balance"])
    expectEqual(session.fields("X-Signature").last, "GET /balance second")
    let reasons = Collector<String>()
    @MainActor func showSignIn(because reason: (any Error)?) { reasons.append(reason.map { "\($0)" } ?? "none") }
    // sample: onSignOut
    // sample: signOut
    expectEqual(await reasons.elements(1), ["none"])
    expectEqual(tokens.apiToken, nil)
  }

  @Test func missingTokenFileIsNoError() {
    let tokens = makeTokens()
    expectEqual(tokens.apiToken, nil)
    var shown: [String] = []
    func log(_ text: String) { shown.append(text) }
    // sample: storageError
    expectEqual(shown, [])
  }
}
