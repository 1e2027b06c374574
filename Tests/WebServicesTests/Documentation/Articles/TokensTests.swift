import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on tokens.
@Suite struct TokensTests {
  // sample: refreshRequest
  struct RequestDataForRefresh: WebServiceRequestData {
    var token: RenewableToken
    var path: String { "token" }
    var method: HTTPMethod { .post }
    var body: RequestBody? { .form(["refresh_token": token.refreshToken ?? ""]) }
  }
  // end of sample

  struct RequestDataForClientToken: WebServiceRequestData {
    var secret: String
    var path: String { "token" }
    var method: HTTPMethod { .post }
    var authorization: WebServiceAuthorizationType { .basic(user: "shop", password: secret) }
  }

  // sample: tokenSource
  struct ClientTokens: TokenSource {
    let secret: String
    let grantsFirstToken = true

    func requestToken(
      replacing former: RenewableToken?, through sender: TokenSender,
      completion: @escaping @Sendable (Result<AuthenticationInfo, any Error>) -> Void
    ) {
      sender.send(RequestDataForClientToken(secret: secret), completion: completion)
    }
  }
  // end of sample

  @Test func sourceGetsFirstTokenWithoutSignIn() async throws {
    let (clientSecret, session) = ("secret", MockURLSession())
    // sample: useTokenSource
    let tokens = BasicAuthManager(source: ClientTokens(secret: clientSecret))
    // end of sample
    session.script(.post, "/token", .json(#"{"apiToken": "first", "secondsRemaining": 600}"#))
    session.script(.get, "/balance", .response(status: 204))
    let request = TestRequest(path: "balance", authorization: .bearer)
    try await service(session, tokens).sendRequest(request, parser: .nothing)
    #expect(session.requests.map { $0.url?.path } == ["/token", "/balance"])
    #expect(session.requests.last?.value(forHTTPHeaderField: "Authorization") == "Bearer first")
  }

  private func makeTokens() -> BasicAuthManager {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent(UUID().uuidString).appendingPathComponent("token.json")
    // sample: storage
    let tokens = BasicAuthManager(
      storage: FileTokenStorage(url: file), source: .refreshToken { token in RequestDataForRefresh(token: token) })
    // end of sample
    return tokens
  }

  private func makeRefreshingTokens() -> BasicAuthManager {
    BasicAuthManager(source: .refreshToken { token in RequestDataForRefresh(token: token) })
  }

  @Test func namedServiceRenewsTokensOfAllServices() async {
    let clock = VirtualClock()
    let tokens = BasicAuthManager(clock: clock)
    let accountsConfiguration = WebServiceConfiguration(baseURL: URL(string: "http://127.0.0.1:1"))
    // sample: namedService
    let accounts = JsonWebService(configuration: accountsConfiguration)
    tokens.renewTokens(through: accounts) { apiToken in RequestDataForRenewToken(apiToken: apiToken) }
    // end of sample
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
    let signer = RequestSigner(named: "shop signature", needsToken: true) { request, token in
      ["X-Signature": signature(request.method, request.url, key: token?.value ?? "")]
    }
    // end of sample
    return signer
  }

  // sample: signed
  struct RequestDataForBalance: WebServiceRequestData {
    var signer: RequestSigner
    var path: String { "balance" }
    var authorization: WebServiceAuthorizationType { .custom(signer) }
  }
  // end of sample

  private func service(_ session: MockURLSession, _ tokens: BasicAuthManager) -> JsonWebService {
    JsonWebService(
      session: session, tokenManager: tokens, reachability: FakeReachability(),
      configuration: WebServiceConfiguration(baseURL: URL(string: "https://api.example.com")))
  }

  @Test func refusedTokenIsRefreshedAndRequestReplayed() async throws {
    let session = MockURLSession()
    session.script(.get, "/balance", .response(status: 401))
    session.script(.get, "/balance", .response(status: 204))
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
    tokens.onSignOut { reason in showSignIn(because: reason) }
    // end of sample
    // sample: signOut
    tokens.clear()
    // end of sample
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
    if let error = tokens.storageError { log("Signed out, since the token can't be read: \(error)") }
    // end of sample
    #expect(shown == [])
  }
}
