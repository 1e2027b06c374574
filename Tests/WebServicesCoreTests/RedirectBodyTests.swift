@testable import WebServicesTestSupport

/// The engine follows a redirect without waiting for its body. Foundation on Linux waits.
@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct RedirectBodyTests {
  private static let location: HTTPHeaders = ["Location": "/target"]
  private static let announced: HTTPHeaders = ["Location": "/target", "Content-Length": "100"]
  private static let huge: HTTPHeaders = ["Location": "/target", "Content-Length": "1000000000"]
  private static let chunked: HTTPHeaders = ["Location": "/target", "Transfer-Encoding": "chunked"]

  /// Bodies that never come or never end.
  private static let responses: [LoopbackServer.Response] = [
    LoopbackServer.Response.data(Data("moved".utf8), status: 302, headers: announced).then(.never),
    LoopbackServer.Response([.head(status: 301, headers: announced), .never]),
    LoopbackServer.Response([.head(status: 303, headers: chunked), .never]),
    LoopbackServer.Response([.head(status: 302, headers: huge), .never]),
    LoopbackServer.Response.endlessChunks(status: 302, headers: location),
    LoopbackServer.Response.data(Data(count: 40_000), status: 307, headers: location).then(.never),
    LoopbackServer.Response([.head(status: 302, headers: location), .repeated(Data(count: 16_384), times: nil)]),
  ]

  @Test(arguments: responses.indices)
  func bodyOfRedirectIsNotWaitedFor(_ index: Int) async throws {
    for kind in TransportKind.own where !kind.isFoundationOnLinux {
      // An endless body that is read on exceeds this limit.
      let harness = try SocketHarness(kind) { $0.responseLimit = 64 * 1024 }
      harness.server.route(.get, "/old", Self.responses[index])
      harness.server.route(.get, "/target", .text("ok"))
      var request = TestRequest(path: "old")
      request.options.timeout = 20
      expectEqual(try await harness.service.sendRequest(request, parser: .text), "ok")
      expectEqual(harness.server.requestCount, 2)
    }
  }

  @Test(arguments: TransportKind.own)
  func connectionIsUsedAgainBehindShortBody(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let body = String(repeating: "m", count: 16_000)
    harness.server.route(.get, "/old", .text(body, status: 302, headers: Self.location))
    harness.server.route(.get, "/target", .text("ok"))
    expectEqual(try await harness.service.sendRequest(TestRequest(path: "old"), parser: .text), "ok")
    // Foundation on Linux opens a connection for each request.
    expectEqual(harness.server.connectionsAccepted, (kind.isFoundationOnLinux ? 2 : 1))
  }

  @Test(arguments: TransportKind.own)
  func bodyOfRedirectThatIsNotFollowedComesWhole(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind) { $0.redirects = .doNotFollow }
    let body = String(repeating: "m", count: 50_000)
    harness.server.route(.get, "/old", .text(body, status: 302, headers: Self.location))
    let error = await thrown {
      try await harness.service.sendRequest(TestRequest(path: "old"), parser: .text)
    }
    expectEqual(error?.response?.body.count, 16 * 1024)
    // The transport alone doesn't follow redirects.
    let response = await harness.transfer(serving: .text(body, status: 302, headers: Self.location)).response
    expectEqual(response?.body.count, 50_000)
  }
}
