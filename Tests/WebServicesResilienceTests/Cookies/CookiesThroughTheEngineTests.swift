import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore
@testable import WebServicesResilience

/// Cookies through a whole service, over real sockets.
@Suite(.timeLimit(.minutes(1)))
struct CookiesThroughTheEngineTests {
  private let jar = CookieJar()

  private func stage(
    _ kind: TransportKind, _ configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) throws -> ServiceStage {
    try ServiceStage(kind) { configuration in
      configuration.layers = [.cookies(jar)]
      configure(&configuration)
    }
  }

  private func get(_ stage: ServiceStage, _ path: String) async throws {
    try await stage.service.sendRequest(TestRequest(path: path), parser: .nothing)
  }

  private func cookies(_ stage: ServiceStage) -> [String?] { stage.server.requests.map { $0.headers["Cookie"] } }

  @Test(arguments: TransportKind.own)
  func aSessionOfAServerIsKept(_ kind: TransportKind) async throws {
    let stage = try stage(kind)
    stage.server.route(.get, "/login", .status(204, headers: ["Set-Cookie": "sid=abc; Path=/; HttpOnly"]))
    stage.server.route(.get, "/me", .status(204))
    try await get(stage, "login")
    try await get(stage, "me")
    #expect(cookies(stage) == [nil, "sid=abc"])
  }

  @Test(arguments: TransportKind.own)
  func eachHopOfARedirectHasItsOwnCookiesAndAnotherHostGetsNone(_ kind: TransportKind) async throws {
    let stage = try stage(kind)
    let other = try LoopbackServer()
    defer { other.stop() }
    other.route(.get, "/there", .status(204))
    stage.server.route(.get, "/a", .redirect(to: "/b", headers: ["Set-Cookie": "a=1; Path=/"]))
    stage.server.route(
      .get, "/b", .redirect(to: "http://localhost:\(other.port)/there", headers: ["Set-Cookie": "b=2"]))
    try await get(stage, "a")
    #expect(cookies(stage) == [nil, "a=1"])
    #expect(other.requests.map { $0.headers["Cookie"] } == [nil])
    #expect(jar.count == 2)
  }

  @Test(arguments: TransportKind.own)
  func aRedirectToTheSameURLThatSetsACookieIsFollowed(_ kind: TransportKind) async throws {
    let stage = try stage(kind)
    stage.server.script(
      .get, "/a", [.redirect(to: "/a", headers: ["Set-Cookie": "seen=1"]), .status(204)])
    try await get(stage, "a")
    #expect(cookies(stage) == [nil, "seen=1"])
    stage.server.route(.get, "/loop", .redirect(to: "/loop"))
    await #expect(throws: WebServiceError.self) { try await get(stage, "loop") }
  }

  @Test
  func aSignOutEmptiesTheJarAndEndsTheRequestsUnderWayWhichSetNoCookie() async throws {
    let kind = try #require(TransportKind.own.first)
    let stage = try stage(kind)
    let gate = LoopbackServer.Gate()
    stage.server.route(.get, "/login", .status(204, headers: ["Set-Cookie": "sid=former; Path=/"]))
    stage.server.route(
      .get, "/slow",
      [.wait(gate), .head(status: 200, headers: ["Content-Length": "0", "Set-Cookie": "sid=late; Path=/"])])
    stage.server.route(.get, "/me", .status(204))
    try await get(stage, "login")
    let slow = Task { await stage.error { try await get(stage, "slow") } }
    await gate.waitUntilReached()
    stage.service.cancelAuthorizedRequests()
    #expect(jar.count == 0)
    gate.open()
    #expect(await slow.value?.kind == .cancelled)
    try await get(stage, "me")
    #expect(cookies(stage) == [nil, "sid=former", nil])
    #expect(jar.count == 0)
  }

  @Test
  func aServiceThatIsReplacedLeavesNoCookieToTheNextOneAndEndsOnce() throws {
    let configuration = WebServiceConfiguration(layers: [.cookies(jar)])
    let former = JsonWebService(
      session: MockURLSession(), reachability: FakeReachability(), configuration: configuration)
    jar.store("sid=former", from: LayerBench.url)
    let next = JsonWebService(session: MockURLSession(), reachability: FakeReachability(), configuration: configuration)
    former.invalidateAndCancel()
    #expect(jar.count == 0)
    jar.store("sid=next", from: LayerBench.url)
    former.invalidateAndCancel()
    former.cancelAuthorizedRequests()
    #expect(jar.count == 1)
    next.invalidateAndCancel()
    #expect(jar.count == 0)
  }

  @Test
  func aServerThatIsSwappedLeavesNoCookieToTheNextUser() {
    func config() -> Server.Config {
      Server.Config(
        base: LayerBench.url, service: { [jar] in $0.layers = [.cookies(jar)] }, session: { MockURLSession() })
    }
    let server = Server(with: config())
    jar.store("sid=former", from: LayerBench.url)
    server.set(config())
    #expect(jar.count == 0)
  }

  @Test(arguments: TransportKind.own)
  func noErrorShowsACookieThatTheServerRepeats(_ kind: TransportKind) async throws {
    let stage = try stage(kind)
    stage.server.route(
      .get, "/login",
      .text("welcome s3cr3t-first", status: 500, headers: ["Set-Cookie": "sid=\"s3cr3t-first\"; Path=/"]))
    stage.server.route(
      .get, "/me",
      .text(
        "you sent s3cr3t-first and get s3cr3t-second", status: 403,
        headers: ["Set-Cookie": "other=s3cr3t-second"]))
    for path in ["login", "me"] {
      let error = try #require(await stage.error { try await get(stage, path) })
      var dumped = ""
      dump(error, to: &dumped)
      #expect(!"\(error) \(error.friendlyDescription) \(String(reflecting: error)) \(dumped)".contains("s3cr3t"))
    }
    #expect(cookies(stage) == [nil, "sid=\"s3cr3t-first\""])
  }
}
