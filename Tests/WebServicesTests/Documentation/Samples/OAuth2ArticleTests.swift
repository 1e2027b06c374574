@testable import WebServicesTestSupport

/// The samples of the article on OAuth 2.
@Suite struct OAuth2ArticleTests {
  private let session = MockURLSession([
    "POST /token": .json(#"{"access_token": "a", "expires_in": 600, "refresh_token": "r"}"#),
    "GET /cities": .json(#"{"name": "Bath"}"#),
  ])
  private let configuration = WebServiceConfiguration.sample
  private static let metadata = #"""
    {"issuer": "https://accounts.example.com", "token_endpoint": "https://accounts.example.com/token",
     "revocation_endpoint": "https://accounts.example.com/revoke"}
    """#
  private let tokenURL: URL
  private let authorizationURL: URL

  init() throws {
    tokenURL = try #require(URL(string: "https://accounts.example.com/token"))
    authorizationURL = try #require(URL(string: "https://accounts.example.com/authorize"))
  }

  private func service(_ tokens: BasicAuthManager) -> JsonWebService {
    JsonWebService(over: session, tokens: tokens)
  }

  private func makeService(secret: String) -> (tokens: BasicAuthManager, service: JsonWebService) {
    // sample: clientCredentials
    return (tokens, service)
  }

  // sample: bearer

  @Test func serviceSignsInByItself() async throws {
    let tokens = makeService(secret: "secret").tokens
    _ = try await service(tokens).sendRequest(RequestDataForCities(), as: City.self)
    expectEqual(session.paths, ["/token", "/cities"])
  }

  private func signIn(password: String) async throws -> BasicAuthManager {
    // sample: oauthTokens
    let service = service(tokens)
    // sample: passwordGrant
    let error = WebServiceError(.statusCode(400), underlying: OAuth2.ServerError(.invalidGrant))
    func show(_ text: String) {}
    // sample: oauthError
    return tokens
  }

  @Test func userSignsInWithAPassword() async throws {
    expectEqual(try await signIn(password: "open sesame").authenticationInfo?.refreshToken, "r")
  }

  @Test func userSignsInOnTheServersPage() async throws {
    let oauth = OAuth2(tokenURL: tokenURL, client: OAuth2.Client(id: "app"))
    let tokens = BasicAuthManager(source: oauth)
    let service = service(tokens)
    var opened: URL?
    func openBrowser(_ url: URL) { opened = url }
    // sample: signInPage
    let state = URLComponents(string: opened?.absoluteString ?? "")?.queryItems?.first { $0.name == "state" }?.value
    let callbackURL = try #require(URL(string: "com.example.app:/signed-in?code=c&state=\(state ?? "")"))
    // sample: signedIn
    expectEqual(tokens.apiToken, "a")
    session.script(.post, "/revoke", .status(200))
    let server = try JSONDecoder().decode(OAuth2.Metadata.self, from: Data(Self.metadata.utf8))
    // sample: revocation
    expectEqual(session.paths, ["/token", "/revoke"])
  }

  @Test func metadataRequestDiscoversTheTokenURL() async throws {
    let issuer = try #require(URL(string: "https://accounts.example.com"))
    let service = service(BasicAuthManager())
    session.script(.get, "/.well-known/openid-configuration", .json(Self.metadata))
    var found: OAuth2?
    // sample: discovery
    expectEqual(found?.tokenURL, tokenURL)
  }
}
