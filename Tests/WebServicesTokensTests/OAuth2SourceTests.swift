@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct OAuth2SourceTests {
  private let clock = VirtualClock(now: 1000)
  private let session = MockURLSession()
  private let reasons = Collector<OAuth2.ServerError?>()
  private let queue = DispatchQueue(label: "sign-out")

  private func oauth() throws -> OAuth2 {
    OAuth2(
      tokenURL: try #require(URL(string: "https://accounts.example.com/token")),
      client: OAuth2.Client(id: "shop", secret: "secret"))
  }

  private func manager(_ source: OAuth2) -> BasicAuthManager {
    let manager = BasicAuthManager(clock: clock, source: source)
    manager.onSignOut(callbackQueue: queue) { [reasons] error in
      reasons.append((error as? WebServiceError)?.underlying(as: OAuth2.ServerError.self))
    }
    return manager
  }

  private func service(_ manager: BasicAuthManager) -> JsonWebService {
    JsonWebService(
      session: session, tokenManager: manager, reachability: FakeReachability(),
      configuration: WebServiceConfiguration(baseURL: URL(string: "https://api.example.com"), clock: clock))
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
    let service = service(manager(try oauth().clientCredentials))
    session.script(.post, "/token", .json(#"{"access_token": "a", "token_type": "bearer", "expires_in": 100}"#))
    session.script(.post, "/token", .json(#"{"access_token": "b"}"#))
    session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    for seconds in [0.0, 40, 100, 1e7] {
      clock.advance(by: seconds)
      _ = try await service.sendRequest(request, as: City.self)
    }
    #expect(
      sent == [
        "grant_type=client_credentials", "Bearer a", "Bearer a", "grant_type=client_credentials", "Bearer b",
        "Bearer b",
      ])
  }

  @Test func expiredRefreshTokenFallsBackToClientCredentials() async throws {
    let manager = manager(try oauth().clientCredentials)
    let service = service(manager)
    manager.update(apiToken: "a", secondsRemaining: 0, refreshToken: "r")
    session.script(.post, "/token", .json(#"{"error": "invalid_grant"}"#, status: 400))
    session.script(.post, "/token", .json(#"{"access_token": "b", "expires_in": 100}"#))
    session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    _ = try await service.sendRequest(request, as: City.self)
    expectEqual(sent, ["grant_type=refresh_token&refresh_token=r", "grant_type=client_credentials", "Bearer b"])
    // The callbacks of sign-outs have run now.
    queue.sync {}
    #expect(reasons.elements.isEmpty)
  }

  @Test func invalidGrantSignsOut() async throws {
    let manager = manager(try oauth())
    let service = service(manager)
    manager.update(apiToken: "a", secondsRemaining: 0, refreshToken: "r")
    session.script(.post, "/token", .json(#"{"error": "invalid_grant"}"#, status: 400))
    var errors: [WebServiceError] = []
    for _ in 0..<2 {
      do throws(WebServiceError) { _ = try await service.sendRequest(request, as: City.self) } catch {
        errors.append(error)
      }
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
    let manager = manager(try oauth())
    let service = service(manager)
    manager.update(apiToken: "a", secondsRemaining: 0, refreshToken: "r")
    session.script(.post, "/token", .json(#"{"error": "\#(code)"}"#, status: 400))
    let result = try? await service.sendRequest(request, as: City.self)
    queue.sync {}
    expectEqual(result, nil)
    #expect(reasons.elements.isEmpty)
    expectEqual(manager.authenticationInfo?.refreshToken, "r")
  }

  @Test func tokenWithoutRefreshIsUsedUntilRefused() async throws {
    let manager = manager(try oauth())
    let service = service(manager)
    manager.update(apiToken: "a", secondsRemaining: 30)
    session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    session.script(.get, "/cities", .status(401))
    _ = try await service.sendRequest(request, as: City.self)
    await #expect(throws: WebServiceError.self) { _ = try await service.sendRequest(request, as: City.self) }
    expectEqual(sent, ["Bearer a", "Bearer a"])
    expectEqual(manager.apiToken, "a")
  }
}
