import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// The samples of the article on OAuth 2.
@Suite struct OAuth2ArticleTests {
  private let session = MockURLSession()
  private let configuration = WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"))
  private let tokenURL: URL
  private let authorizationURL: URL

  init() throws {
    tokenURL = try #require(URL(string: "https://accounts.example.com/token"))
    authorizationURL = try #require(URL(string: "https://accounts.example.com/authorize"))
    session.script(.post, "/token", .json(#"{"access_token": "a", "expires_in": 600, "refresh_token": "r"}"#))
    session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
  }

  private func service(_ tokens: BasicAuthManager) -> JsonWebService {
    JsonWebService(
      session: session, tokenManager: tokens, reachability: FakeReachability(), configuration: configuration)
  }

  private var paths: [String?] { session.requests.map { $0.url?.path } }

  private func makeService(secret: String) -> (tokens: BasicAuthManager, service: JsonWebService) {
    // sample: clientCredentials
    let oauth = OAuth2(tokenURL: tokenURL, client: OAuth2.Client(id: "shop", secret: secret), scope: ["read"])
    let tokens = BasicAuthManager(source: oauth.clientCredentials)
    let service = JsonWebService(tokenManager: tokens, configuration: configuration)
    // end of sample
    return (tokens, service)
  }

  // sample: bearer
  struct RequestDataForCities: WebServiceRequestData {
    var path: String { "cities" }
    var authorization: WebServiceAuthorizationType { .bearer }
  }
  // end of sample

  @Test func serviceSignsInByItself() async throws {
    let tokens = makeService(secret: "secret").tokens
    _ = try await service(tokens).sendRequest(RequestDataForCities(), as: City.self)
    #expect(paths == ["/token", "/cities"])
  }

  private func signIn(password: String) async throws -> BasicAuthManager {
    // sample: oauthTokens
    let oauth = OAuth2(tokenURL: tokenURL, client: OAuth2.Client(id: "app"))
    let tokens = BasicAuthManager(source: oauth)
    // end of sample
    let service = service(tokens)
    // sample: passwordGrant
    let request = oauth.tokenRequest(.password(user: "ada", password: password))
    tokens.update(try await service.sendRequest(request, as: OAuth2.Token.self))
    // end of sample
    let error = WebServiceError(.statusCode(400), underlying: OAuth2.ServerError(.invalidGrant))
    func show(_ text: String) {}
    // sample: oauthError
    if error.underlying(as: OAuth2.ServerError.self)?.code == .invalidGrant {
      show("The name or the password is wrong.")
    }
    // end of sample
    return tokens
  }

  @Test func userSignsInWithAPassword() async throws {
    #expect(try await signIn(password: "open sesame").renewableToken?.refreshToken == "r")
  }

  @Test func userSignsInOnTheServersPage() async throws {
    let oauth = OAuth2(tokenURL: tokenURL, client: OAuth2.Client(id: "app"))
    let tokens = BasicAuthManager(source: oauth)
    let service = service(tokens)
    var opened: URL?
    func openBrowser(_ url: URL) { opened = url }
    // sample: signInPage
    let signIn = oauth.signIn(at: authorizationURL, redirectURL: "com.example.app:/signed-in")
    openBrowser(signIn.url)
    // end of sample
    let state = URLComponents(string: opened?.absoluteString ?? "")?.queryItems?.first { $0.name == "state" }?.value
    let callbackURL = try #require(URL(string: "com.example.app:/signed-in?code=c&state=\(state ?? "")"))
    // sample: signedIn
    let request = try signIn.tokenRequest(for: callbackURL)
    tokens.update(try await service.sendRequest(request, as: OAuth2.Token.self))
    // end of sample
    #expect(tokens.apiToken == "a")
    session.script(.post, "/revoke", .response(status: 200))
    let json = #"""
      {"issuer": "https://accounts.example.com", "token_endpoint": "https://accounts.example.com/token",
       "revocation_endpoint": "https://accounts.example.com/revoke"}
      """#
    let server = try JSONDecoder().decode(OAuth2.Metadata.self, from: Data(json.utf8))
    // sample: revocation
    if let token = tokens.renewableToken, let url = server.revocationURL {
      tokens.clear()
      try await service.sendRequest(oauth.revocationRequest(of: token, at: url), parser: .nothing)
    }
    // end of sample
    #expect(paths == ["/token", "/revoke"])
  }

  @Test func metadataRequestDiscoversTheTokenURL() async throws {
    let issuer = try #require(URL(string: "https://accounts.example.com"))
    let service = service(BasicAuthManager())
    session.script(
      .get, "/.well-known/openid-configuration",
      .json(#"{"issuer": "https://accounts.example.com", "token_endpoint": "https://accounts.example.com/token"}"#))
    var found: OAuth2?
    // sample: discovery
    let request = OAuth2.metadataRequest(issuer: issuer)
    let server = try await service.sendRequest(request, as: OAuth2.Metadata.self)
    found = OAuth2(tokenURL: server.tokenURL, client: OAuth2.Client(id: "app"), issuer: server.issuer)
    // end of sample
    #expect(found?.tokenURL == tokenURL)
  }
}
