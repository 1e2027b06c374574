import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on tokens.
@Suite struct TokensTests {
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
    session.script(.post, "/token", .json(#"{"apiToken": "first", "secondsRemaining": 600}"#))
    session.script(.get, "/balance", .status(204))
    let request = TestRequest(path: "balance", authorization: .bearer)
    try await service(session, tokens).sendRequest(request, parser: .nothing)
    #expect(session.requests.map { $0.url?.path } == ["/token", "/balance"])
    #expect(session.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer first")
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
    session.script(.post, "/token", .json(#"{"jwt": "second", "ttl": 600}"#))
    session.script(.get, "/balance", .status(204))
    let request = TestRequest(path: "balance", authorization: .bearer)
    try await service(session, tokens).sendRequest(request, parser: .nothing)
    #expect(session.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer second")
    #expect(tokens.authenticationInfo?.refreshToken == "r1")
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
    let result = try? await service(session, tokens).sendRequest(
      TestRequest(path: "balance", authorization: .bearer), as: City.self)
    #expect(result == nil)
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

  private func service(_ session: MockURLSession, _ tokens: BasicAuthManager) -> JsonWebService {
    JsonWebService(
      session: session, tokenManager: tokens, reachability: FakeReachability(),
      configuration: WebServiceConfiguration(baseURL: URL(string: "https://api.example.com")))
  }

  @Test func refusedTokenIsRefreshedAndRequestReplayed() async throws {
    let session = MockURLSession()
    session.script(.get, "/balance", .status(401))
    session.script(.get, "/balance", .status(204))
    session.script(
      .post, "/token", .json(#"{"apiToken": "second", "secondsRemaining": 600, "refreshToken": "r2"}"#))
    let tokens = makeRefreshingTokens()
    tokens.update(apiToken: "first", secondsRemaining: 600, refreshToken: "r1")
    let service = service(session, tokens)
    try await service.sendRequest(RequestDataForBalance(signer: makeSigner()), parser: .nothing)
    #expect(session.requests.map { $0.url?.path } == ["/balance", "/token", "/balance"])
    #expect(session.requests.last?.value(forHTTPHeaderField: "X-Signature") == "GET /balance second")
    let reasons = Collector<String>()
    @MainActor func showSignIn(because reason: (any Error)?) { reasons.append(reason.map { "\($0)" } ?? "none") }
    // sample: onSignOut
    // sample: signOut
    // The main queue runs the closure above first.
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(reasons.elements == ["none"])
    #expect(tokens.apiToken == nil)
  }

  @Test func missingTokenFileIsNoError() {
    let tokens = makeTokens()
    #expect(tokens.apiToken == nil)
    var shown: [String] = []
    func log(_ text: String) { shown.append(text) }
    // sample: storageError
    #expect(shown == [])
  }
}
