@testable import WebServicesTestSupport

/// The engine over real sockets, for behavior that needs both a transport and a server.
@Suite(.leavesNothing) struct EngineOnTransportsTests {
  private func harness(_ kind: TransportKind) throws -> SocketHarness {
    try SocketHarness(kind, tokenManager: FakeTokenManager(token: "s3cr3t-token")) {
      $0.redaction = Redaction(headerNames: ["X-Own"])
    }
  }

  private static let city = LoopbackServer.Response.json(#"{"name": "Bath"}"#)

  @Test(arguments: TransportKind.own)
  func postArrivesWholeAndReturnsAModel(kind: TransportKind) async throws {
    let harness = try harness(kind)
    harness.server.route(.post, "/cities", Self.city)
    let request = TestRequest(
      path: "cities", method: .post, queryItems: [URLQueryItem(name: "q", value: "a+b ü")],
      body: .json(City(name: "Bath")), authorization: .apiToken)
    expectEqual(try await harness.service.sendRequest(request), City(name: "Bath"))
    let received = try #require(harness.server.requests.first)
    expectEqual(received.query("q"), "a+b ü")
    expectEqual(received.headers["api-token"], "s3cr3t-token")
    expectEqual(received.headers.values(for: "content-type"), ["application/json"])
    expectEqual(try JSONDecoder().decode(City.self, from: received.body), City(name: "Bath"))
    expectEqual(harness.service.requestCount, 0)
  }

  @Test(arguments: TransportKind.own)
  func redirectToAnotherOriginDropsSecrets(kind: TransportKind) async throws {
    let harness = try harness(kind)
    let other = try LoopbackServer.forTest()
    harness.server.route(.get, "/old", .redirect(to: other.url("/new").absoluteString))
    other.route(.get, "/new", Self.city)
    let request = TestRequest(
      path: "old", headers: ["Cookie": "s3cr3t", "X-Own": "s3cr3t", "Accept-Language": "de"],
      authorization: .header(named: "X-Session"))
    expectEqual(try await harness.service.sendRequest(request), City(name: "Bath"))
    expectEqual(harness.server.requests.first?.headers["X-Session"], "s3cr3t-token")
    let received = try #require(other.requests.first)
    expectEqual(received.headers["Accept-Language"], "de")
    #expect(!received.headers.contains { $0.value.contains("s3cr3t") })
  }
}
