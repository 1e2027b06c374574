@testable import WebServicesTestSupport
@testable import WebServicesTokens

@Suite(.leavesNothing) struct OAuth2RequestTests {
  private func oauth(
    _ client: OAuth2.Client = OAuth2.Client(id: "s6BhdRkqt3", secret: "gX1fBAT3bV"), scope: [String] = [],
    parameters: [String: String] = [:]
  ) -> OAuth2 {
    OAuth2(tokenURL: testURL("https://server.example.com/token"), client: client, scope: scope, parameters: parameters)
  }

  /// Sends a request, and returns what reached the server.
  private func sent(_ request: Request) async throws -> (body: String, authorization: String?) {
    let harness = VirtualHarness.scripted { $0.decoder.keyDecodingStrategy = .convertFromSnakeCase }
    harness.session.script(
      .post, request.path.hasSuffix("revoke") ? "/revoke" : "/token",
      // Some servers send an empty error with a token.
      .json(#"{"access_token": "a", "error": ""}"#))
    _ = try await harness.service.sendRequest(request, as: OAuth2.Token.self)
    let sent = try #require(harness.session.requests.first)
    expectEqual(sent.value(forHTTPHeaderField: "Content-Type"), "application/x-www-form-urlencoded")
    expectEqual(sent.value(forHTTPHeaderField: "Accept"), "application/json")
    return (String(decoding: sent.httpBody ?? Data(), as: UTF8.self), sent.value(forHTTPHeaderField: "Authorization"))
  }

  /// The error that a request for a token ends with, and how many requests were sent.
  private func failure(
    of request: Request, _ response: MockResponse, configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) async -> (error: WebServiceError?, count: Int) {
    let harness = VirtualHarness.scripted(configure: configure)
    harness.session.script(.post, "/token", response)
    let result = await Task { try await harness.service.sendRequest(request, as: OAuth2.Token.self) }.result
    return (result.failure as? WebServiceError, harness.session.requests.count)
  }

  @Test func grantsFollowRFC6749() async throws {
    let basic = "Basic czZCaGRSa3F0MzpnWDFmQkFUM2JW"
    let open = OAuth2.Client(id: "app")
    let inBody = OAuth2.Client(id: "app", secret: "a&b", placement: .body)
    let detailed = oauth(scope: ["read", "write"], parameters: ["resource": "https://a", "audience": "b"])
    let examples: [(oauth: OAuth2, grant: OAuth2.Grant, body: String, authorization: String?)] = [
      (oauth(), .clientCredentials, "grant_type=client_credentials", basic),
      (oauth(), .password(user: "ada", password: "A3d"), "grant_type=password&username=ada&password=A3d", basic),
      (oauth(), .refreshToken("tGzv3JOkF0"), "grant_type=refresh_token&refresh_token=tGzv3JOkF0", basic),
      (
        oauth(), .authorizationCode("Splxl", redirectURL: "https://client.example.com/cb", verifier: "v"),
        "grant_type=authorization_code&code=Splxl&redirect_uri=https%3A%2F%2Fclient.example.com%2Fcb&code_verifier=v",
        basic
      ),
      (
        detailed, .clientCredentials,
        "grant_type=client_credentials&scope=read+write&audience=b&resource=https%3A%2F%2Fa", basic
      ),
      (
        detailed, .password(user: "ada", password: "A3d"),
        "grant_type=password&username=ada&password=A3d&scope=read+write&audience=b&resource=https%3A%2F%2Fa", basic
      ),
      (
        detailed, .refreshToken("r"),
        "grant_type=refresh_token&refresh_token=r&audience=b&resource=https%3A%2F%2Fa", basic
      ),
      (oauth(open), .refreshToken("r"), "grant_type=refresh_token&refresh_token=r&client_id=app", nil),
      (oauth(inBody), .clientCredentials, "grant_type=client_credentials&client_id=app&client_secret=a%26b", nil),
    ]
    for (oauth, grant, body, authorization) in examples {
      let sent = try await sent(oauth.tokenRequest(grant))
      expectEqual(sent.body, body)
      expectEqual(sent.authorization, authorization)
    }
  }

  @Test func clientIsFormEncodedInTheHeader() async throws {
    let client = OAuth2.Client(id: "a:b", secret: "p%:\u{E4} +")
    let sent = try await sent(oauth(client).tokenRequest(.clientCredentials))
    let pair = sent.authorization.flatMap { Data(base64Encoded: String($0.dropFirst("Basic ".count))) }
    expectEqual(pair, Data("a%3Ab:p%25%3A%C3%A4+%2B".utf8))
  }

  @Test func revocationSendsRefreshTokenOrToken() async throws {
    let url = testURL("https://server.example.com/revoke")
    let oauth = oauth()
    let full = oauth.revocationRequest(
      of: AuthenticationInfo(apiToken: "a", secondsRemaining: 0, refreshToken: "r"), at: url)
    expectEqual(full.options.isIdempotent, true)
    expectEqual(try await sent(full).body, "token=r&token_type_hint=refresh_token")
    let plain = oauth.revocationRequest(of: AuthenticationInfo(apiToken: "a", secondsRemaining: 0), at: url)
    expectEqual(try await sent(plain).body, "token=a&token_type_hint=access_token")
    let harness = VirtualHarness.scripted()
    harness.session.script(.post, "/revoke", .status(200))
    try await harness.service.sendRequest(full, parser: .nothing)
    expectEqual(harness.session.requests.first?.url, url)
  }

  @Test func errorsOfTheServerAreTyped() async throws {
    let (body, typed) = (
      #"{"error": "invalid_grant", "error_description": "no"}"#, OAuth2.ServerError(.invalidGrant, message: "no")
    )
    let responses: [(status: Int, body: String, error: OAuth2.ServerError?)] = [
      (400, body, typed), (401, body, typed), (200, body, typed), (500, "", nil), (500, "<html>", nil),
      (500, #"{"error": 7}"#, nil), (500, #"{"error_description": "x"}"#, nil),
    ]
    for (status, body, typed) in responses {
      let (error, _) = await failure(of: oauth().tokenRequest(.refreshToken("r")), .json(body, status: status)) {
        $0.decoder.keyDecodingStrategy = .convertFromSnakeCase
      }
      expectEqual(error?.underlying(as: OAuth2.ServerError.self), typed)
      #expect(error?.kind == (status == 200 ? .invalidResponse : .statusCode(status)) && error?.statusCode == status)
    }
  }

  @Test func noSecretIsShown() async throws {
    // The field has the client's secret form-encoded, and a server repeats it as it is.
    let secrets = ["Zq7 Xw/9+Kv", "zsecret2", "zsecret3"]
    for placement in [OAuth2.Client.SecretPlacement.basic, .body] {
      let oauth = oauth(OAuth2.Client(id: "app", secret: secrets[0], placement: placement))
      let grants: [OAuth2.Grant] = [
        .password(user: "ada", password: secrets[1]), .refreshToken(secrets[1]),
        .authorizationCode(secrets[1], redirectURL: nil, verifier: secrets[2]),
      ]
      for grant in grants {
        let request = oauth.tokenRequest(grant)
        let echo = secrets.prefix(grant.description == "authorization_code" ? 3 : 2).joined(separator: " ")
        let response = MockResponse.json(
          #"{"error": "for \#(echo)", "error_description": "you sent \#(echo)"}"#, status: 400)
        let error = try #require(await failure(of: request, response).error)
        let command = try VirtualHarness.scripted().service.curlCommand(for: request)
        let values: [Any] = [request, oauth, oauth.client, grant, error, error.underlying as Any, command]
        let texts = values.map(printedTexts).joined()
        for secret in secrets { #expect(!texts.contains(secret)) }
        #expect("\(error)".contains("you sent <redacted>"))
      }
    }
    let token = OAuth2.Token(accessToken: secrets[0], refreshToken: secrets[1], idToken: secrets[2])
    for secret in secrets { #expect(!printedTexts(of: token).contains(secret)) }
  }

  @Test(arguments: [
    ("http://server.example.com", false), ("http://127.0.0.1", true), ("http://localhost", true),
    ("https://server.example.com", true),
  ])
  func secretsAreSentInClearToThisMachineOnly(server: String, isSent: Bool) async throws {
    let url = testURL(server + "/token")
    let oauth = OAuth2(tokenURL: url, client: OAuth2.Client(id: "app"))
    for request in [
      oauth.tokenRequest(.refreshToken("r")),
      oauth.revocationRequest(of: AuthenticationInfo(apiToken: "a", secondsRemaining: 0), at: url),
    ] {
      let (error, count) = await failure(of: request, .json(#"{"access_token": "a"}"#))
      expectEqual(error?.kind, (isSent ? nil : .badURL))
      #expect(isSent || error?.message.contains("use https") == true)
      expectEqual(count, (isSent ? 1 : 0))
    }
  }

  @Test func redirectIsNotFollowed() async throws {
    for status in [301, 302, 307, 308] {
      let (error, count) = await failure(
        of: oauth().tokenRequest(.password(user: "ada", password: "secret")),
        .status(status, headers: ["Location": "https://other.example.com/token"]))
      expectEqual(error?.kind, .statusCode(status))
      expectEqual(count, 1)
    }
  }
}
