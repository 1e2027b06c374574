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
    return (tokens, service)
  }

  // sample: bearer

  @Test func serviceSignsInByItself() async throws {
    let tokens = makeService(secret: "secret").tokens
    _ = try await service(tokens).sendRequest(RequestDataForCities(), as: City.self)
    #expect(paths == ["/token", "/cities"])
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
    #expect(try await signIn(password: "open sesame").authenticationInfo?.refreshToken == "r")
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
    #expect(tokens.apiToken == "a")
    session.script(.post, "/revoke", .status(200))
    let json = #"""
      {"issuer": "https://accounts.example.com", "token_endpoint": "https://accounts.example.com/token",
       "revocation_endpoint": "https://accounts.example.com/revoke"}
      """#
    let server = try JSONDecoder().decode(OAuth2.Metadata.self, from: Data(json.utf8))
    // sample: revocation
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
    #expect(found?.tokenURL == tokenURL)
  }
}
