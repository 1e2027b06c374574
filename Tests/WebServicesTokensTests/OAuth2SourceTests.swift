@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct OAuth2SourceTests {
  private let clock = VirtualClock(now: 1000)
  private let session = MockURLSession()
  private let reasons = Collector<OAuth2.ServerError?>()
  private let queue = DispatchQueue(label: "sign-out")

  private let oauth = OAuth2(
    tokenURL: testURL("https://accounts.example.com/token"), client: OAuth2.Client(id: "shop", secret: "secret"))

  /// - Parameter seconds: how long the first token is valid; `nil` without a token.
  private func made(
    _ source: OAuth2, validFor seconds: Int? = 0, refreshToken: String? = "r"
  ) -> (BasicAuthManager, JsonWebService) {
    let manager = BasicAuthManager(clock: clock, source: source)
    manager.onSignOut(callbackQueue: queue) { [reasons] error in
      reasons.append((error as? WebServiceError)?.underlying(as: OAuth2.ServerError.self))
    }
    if let seconds { manager.update(apiToken: "a", secondsRemaining: seconds, refreshToken: refreshToken) }
    session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let service = JsonWebService(
      session: session, tokenManager: manager, reachability: FakeReachability(),
      configuration: WebServiceConfiguration(baseURL: testURL("https://api.example.com"), clock: clock))
    return (manager, service)
  }

  private let request = TestRequest(path: "cities", authorization: .bearer)

  /// The body of each request, or its `Authorization` if it has no body.
  private var sent: [String] {
    session.requests.map { request in
      let body = request.httpBody.map { String(decoding: $0, as: UTF8.self) }
      return body ?? request.value(forHTTPHeaderField: "Authorization") ?? ""
    }
  }

  @Test func clientCredentialsNeedNoSignIn() async throws {
    let (_, service) = made(oauth.clientCredentials, validFor: nil)
    session.script(.post, "/token", .json(#"{"access_token": "a", "token_type": "bearer", "expires_in": 100}"#))
    session.script(.post, "/token", .json(#"{"access_token": "b"}"#))
    for seconds in [0.0, 40, 100, 1e7] {
      clock.advance(by: seconds)
      _ = try await service.sendRequest(request, as: City.self)
    }
    let grant = "grant_type=client_credentials"
    expectEqual(sent, [grant, "Bearer a", "Bearer a", grant, "Bearer b", "Bearer b"])
  }

  @Test func clientIsNoStandInForAUser() async throws {
    let (_, service) = made(oauth.clientCredentials)
    session.script(.post, "/token", .json(#"{"error": "invalid_grant"}"#, status: 400))
    session.script(.post, "/token", .json(#"{"access_token": "b", "refresh_token": "s", "expires_in": 9}"#))
    session.script(.post, "/token", .json(#"{"error": "invalid_grant"}"#, status: 400))
    for seconds in [0.0, 1, 9] {
      clock.advance(by: seconds)
      _ = try? await service.sendRequest(request, as: City.self)
    }
    let grant = "grant_type=client_credentials"
    expectEqual(sent, ["grant_type=refresh_token&refresh_token=r", grant, "Bearer b", grant])
    // A sign-out tells its reason after its requests have ended.
    await reasons.waitForElements(1)
    expectEqual(reasons.elements, [OAuth2.ServerError(.invalidGrant)])
  }

  @Test func userWithoutARefreshTokenGetsNoTokenOfTheClient() {
    let oauth = OAuth2(tokenURL: testURL("https://h/token"), client: OAuth2.Client(id: "app", secret: "s"))
    let results = Collector<Result<AuthenticationInfo, any Error>>()
    oauth.requestToken(
      replacing: AuthenticationInfo(apiToken: "a", secondsRemaining: 0), through: TokenSender(HeldService())
    ) { results.append($0) }
    #expect(results.elements.map { $0.failure as? TokenError } == [TokenError.expired])
  }

  @Test func otherFailureOfARenewalDoesNotFallBack() async throws {
    let (_, service) = made(oauth.clientCredentials)
    session.script(.post, "/token", .json(#"{"error": "invalid_client"}"#, status: 401))
    await thrown { try await service.sendRequest(request, as: City.self) }
    expectEqual(sent, ["grant_type=refresh_token&refresh_token=r"])
  }

  @Test func invalidGrantSignsOut() async throws {
    let (manager, service) = made(oauth)
    session.script(.post, "/token", .json(#"{"error": "invalid_grant"}"#, status: 400))
    var errors: [WebServiceError] = []
    for _ in 0..<2 {
      if let error = await thrown({ try await service.sendRequest(request, as: City.self) }) { errors.append(error) }
    }
    await reasons.waitForElements(1)
    expectEqual(errors.map(\.kind), [.token, .token])
    let reason = errors.first?.underlying(as: WebServiceError.self)
    expectEqual(reason?.underlying(as: OAuth2.ServerError.self)?.code, .invalidGrant)
    expectEqual(reason?.statusCode, 400)
    expectEqual(errors.last?.underlying(as: TokenError.self), .notSignedIn)
    expectEqual(reasons.elements, [OAuth2.ServerError(.invalidGrant)])
    expectEqual(manager.apiToken, nil)
    expectEqual(sent, ["grant_type=refresh_token&refresh_token=r"])
  }

  @Test(arguments: ["invalid_client", "temporarily_unavailable"])
  func otherErrorsSignNobodyOut(code: String) async throws {
    let (manager, service) = made(oauth)
    session.script(.post, "/token", .json(#"{"error": "\#(code)"}"#, status: 400))
    let result = try? await service.sendRequest(request, as: City.self)
    queue.sync {}
    expectEqual(result, nil)
    #expect(reasons.elements.isEmpty)
    expectEqual(manager.authenticationInfo?.refreshToken, "r")
  }

  @Test func renewalKeepsTheNextRefreshToken() async throws {
    let (manager, service) = made(oauth)
    session.script(.post, "/token", .json(#"{"access_token": "b", "refresh_token": "s", "expires_in": 100}"#))
    _ = try await service.sendRequest(request, as: City.self)
    expectEqual(manager.authenticationInfo?.refreshToken, "s")
  }

  @Test func tokenWithoutRefreshIsUsedUntilRefused() async throws {
    let (manager, service) = made(oauth, validFor: 30, refreshToken: nil)
    session.script(.get, "/cities", .status(401))
    _ = try await service.sendRequest(request, as: City.self)
    await thrown { _ = try await service.sendRequest(request, as: City.self) }
    expectEqual(sent, ["Bearer a", "Bearer a"])
    expectEqual(manager.apiToken, "a")
  }
}
