import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

/// A server whose tokens live five seconds of a virtual clock. Each refresh token can be used once.
private final class TokenServer: Sendable {
  struct State: Sendable {
    var tokenRequests: [[String: String]] = []
    var expiries: [String: TimeInterval] = [:]
    var refreshTokens: Set<String> = []
    var revoked: [String?] = []
  }

  let state = Locked(State())
  private let clock: VirtualClock

  init(_ server: LoopbackServer, clock: VirtualClock) {
    self.clock = clock
    server.route(.post, "/token") { [self] in token($0) }
    server.route(.post, "/revoke") { [self] request in
      state.withLock { $0.revoked.append(Self.form(request)["token"]) }
      return .status(200)
    }
    server.route(.get, "/cities") { [self] in
      isValid($0) ? .json(#"{"name": "Bath"}"#) : .status(401, headers: ["WWW-Authenticate": "Bearer"])
    }
  }

  var grants: [String?] { state.withLock { $0.tokenRequests.map { $0["grant_type"] } } }

  private static func form(_ request: LoopbackServer.Request) -> [String: String] {
    let items = URLComponents(string: "?" + request.text)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
  }

  private func isValid(_ request: LoopbackServer.Request) -> Bool {
    let token = request.headers["Authorization"]?.dropFirst("Bearer ".count)
    let now = clock.now
    return state.withLock { state in token.flatMap { state.expiries[String($0)] }.map { $0 > now } ?? false }
  }

  private func token(_ request: LoopbackServer.Request) -> LoopbackServer.Response {
    guard request.headers["Authorization"] == "Basic c2hvcDpzZWNyZXQ=" else {
      return .json(#"{"error": "invalid_client"}"#, status: 401)
    }
    let form = Self.form(request)
    let now = clock.now
    let number: Int? = state.withLock { state in
      state.tokenRequests.append(form)
      if form["grant_type"] == "refresh_token" {
        guard state.refreshTokens.remove(form["refresh_token"] ?? "") != nil else { return nil }
      }
      let number = state.tokenRequests.count
      state.expiries["token\(number)"] = now + 5
      if form["grant_type"] != "client_credentials" { state.refreshTokens.insert("refresh\(number)") }
      return number
    }
    guard let number else { return .json(#"{"error": "invalid_grant"}"#, status: 400) }
    let refreshToken = form["grant_type"] == "client_credentials" ? "" : #", "refresh_token": "refresh\#(number)""#
    return .json(#"{"access_token": "token\#(number)", "token_type": "Bearer", "expires_in": 5\#(refreshToken)}"#)
  }
}

@Suite(.serialized, .leavesNothing)
struct OAuth2ServerTests {
  private let clock = VirtualClock(now: 1000)
  private let manager: BasicAuthManager
  private let harness: SocketHarness
  private let server: TokenServer
  private let request = TestRequest(path: "cities", authorization: .bearer)

  init() throws {
    let clock = clock
    manager = BasicAuthManager(clock: clock)
    harness = try SocketHarness(TransportKind.allCases[0], tokenManager: manager) { $0.clock = clock }
    server = TokenServer(harness.server, clock: clock)
  }

  private var oauth: OAuth2 {
    OAuth2(tokenURL: harness.server.url("/token"), client: OAuth2.Client(id: "shop", secret: "secret"))
  }

  private func cities(_ count: Int) async throws -> [City?] {
    try await withThrowingTaskGroup(of: City?.self) { group in
      for _ in 0..<count {
        group.addTask { [service = harness.service, request] in try await service.sendRequest(request, as: City.self) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test func clientCredentialsGetOneTokenPerLifetime() async throws {
    manager.renewTokens(from: oauth.clientCredentials)
    for second in 1...20 {
      #expect(try await cities(8).compactMap { $0 }.count == 8)
      #expect(server.grants.count == (second + 2) / 3)
      clock.advance(by: 1)
    }
    #expect(Set(server.grants) == ["client_credentials"])
    #expect(harness.server.requests(.get, "/cities").count == 160)
  }

  @Test func refreshTokensAreUsedOnceAndRevoked() async throws {
    manager.renewTokens(from: oauth)
    let signIn = oauth.tokenRequest(.password(user: "ada", password: "open sesame"))
    let token = try await harness.service.sendRequest(signIn, as: OAuth2.Token.self)
    manager.update(token)
    for _ in 0..<4 {
      #expect(try await cities(5).compactMap { $0 }.count == 5)
      clock.advance(by: 5)
    }
    #expect(server.grants == ["password"] + Array(repeating: "refresh_token", count: 4))
    let last = try #require(manager.renewableToken)
    manager.clear()
    try await harness.service.sendRequest(
      oauth.revocationRequest(of: last, at: harness.server.url("/revoke")), parser: .nothing)
    #expect(server.state.withLock { $0.revoked } == ["refresh5"])
  }

  @Test func revokedRefreshTokenSignsOut() async throws {
    let (reasons, queue) = (Collector<OAuth2.ServerError?>(), DispatchQueue(label: "sign-out"))
    manager.renewTokens(from: oauth)
    manager.onSignOut(callbackQueue: queue) { error in
      reasons.append((error as? WebServiceError)?.underlying(as: OAuth2.ServerError.self))
    }
    manager.update(OAuth2.Token(accessToken: "unknown", expiresIn: 600, refreshToken: "forgotten"))
    let error = await harness.error { try await cities(3) }
    await reasons.waitForElements(1)
    #expect(error?.kind == .token || error?.kind == .cancelled)
    #expect(reasons.elements == [OAuth2.ServerError(.invalidGrant)])
    #expect(server.grants == ["refresh_token"])
    #expect(manager.apiToken == nil)
  }

  @Test func wrongSecretIsTheServersError() async throws {
    let client = OAuth2.Client(id: "shop", secret: "wrong")
    manager.renewTokens(from: OAuth2(tokenURL: harness.server.url("/token"), client: client).clientCredentials)
    let error = await harness.error { try await cities(1) }
    let reason = error?.underlying(as: WebServiceError.self)
    #expect(error?.kind == .token)
    #expect(reason?.underlying(as: OAuth2.ServerError.self)?.code == .invalidClient)
    #expect(reason?.statusCode == 401)
    #expect(error.map { "\($0)".contains("wrong") } == false)
  }
}
