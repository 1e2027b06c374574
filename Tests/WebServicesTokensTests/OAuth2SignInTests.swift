@testable import WebServicesTestSupport
@testable import WebServicesTokens

@Suite struct OAuth2SignInTests {
  private let page = testURL("https://server.example.com/authorize?tenant=a#top")
  private let oauth = OAuth2(
    tokenURL: testURL("https://server.example.com/token"), client: OAuth2.Client(id: "app"), scope: ["openid", "read"],
    issuer: "https://server.example.com")

  private let signIn: OAuth2.SignIn
  private let items: [URLQueryItem]
  private var state: String { items.first { $0.name == "state" }?.value ?? "" }

  init() throws {
    signIn = oauth.signIn(at: page, redirectURL: "com.example.app:/in?a=b", parameters: ["prompt": "login"])
    items = try URLReference(signIn.url.absoluteString).queryItems
  }

  private func callback(_ query: String) -> URL {
    testURL("com.example.app:/in?a=b&" + query.replacingOccurrences(of: "xyz", with: state))
  }

  /// The form of the request that exchanges a code.
  private func form() throws -> String {
    let request = try signIn.tokenRequest(for: callback("code=SplxlO%2B&state=xyz&iss=https://server.example.com"))
    guard case .data(let form) = try request.body?.content(WebServiceConfiguration()) else {
      throw POSIXError(.EINVAL)
    }
    return String(decoding: form, as: UTF8.self)
  }

  @Test func codeIsExchangedWithTheVerifierOfTheURL() throws {
    let form = try form()
    let verifier = try #require(form.split(separator: "&").first { $0.hasPrefix("code_verifier=") }).dropFirst(14)
    expectEqual(verifier.utf8.count, 43)
    #expect(verifier.utf8.allSatisfy { ByteSet.unreserved.contains($0) })
    #expect(
      form == "grant_type=authorization_code&code=SplxlO%2B&redirect_uri=com.example.app%3A%2Fin%3Fa%3Db"
        + "&code_verifier=\(verifier)&client_id=app")
    #expect(!signIn.url.absoluteString.contains(verifier))
    let challenge = OAuth2.SignIn.challenge(of: String(verifier))
    #expect(
      signIn.url.absoluteString == "https://server.example.com/authorize?tenant=a&response_type=code&client_id=app"
        + "&redirect_uri=com.example.app%3A%2Fin%3Fa%3Db&scope=openid%20read&state=\(state)"
        + "&code_challenge=\(challenge)&code_challenge_method=S256&prompt=login")
    expectEqual(
      OAuth2.SignIn.challenge(of: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
      "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func foreignCallbackIsRefused() throws {
    let cases: [(String, OAuth2.SignIn.Failure)] = [
      ("code=a&state=abc", .wrongState), ("code=a", .wrongState), ("error=access_denied&state=abc", .wrongState),
      ("state=xyz", .noCode), ("code=&state=xyz", .noCode), ("code=a&code=b&state=xyz", .noCode),
      ("code=a&state=xyz&state=abc", .noCode),
      ("code=a&state=xyz&iss=https%3A%2F%2Fevil.example.com", .wrongIssuer("https://evil.example.com")),
      ("error=access_denied&state=xyz&iss=", .wrongIssuer("")),
      (
        "error=access_denied&error_description=The+user%20said+no+at+12:00%2B01:00&state=xyz",
        .refused(OAuth2.ServerError(.accessDenied, message: "The user said no at 12:00+01:00"))
      ),
    ]
    for (query, failure) in cases {
      #expect(throws: failure) { try signIn.tokenRequest(for: callback(query)) }
    }
  }

  @Test func stateAndVerifierAreRandomAndHidden() throws {
    let urls = (0..<100).map { _ in oauth.signIn(at: page, redirectURL: "app:/").url }
    expectEqual(Set(urls).count, 100)
    let texts = printedTexts(of: signIn)
    #expect(!texts.contains(state) && !texts.contains("code_challenge"))
  }
}
