@testable import WebServicesTestSupport

/// Requests with the header field `Expect: 100-continue`.
@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct ExpectationTests {
  private static let body = Data(repeating: 7, count: 100_000)

  private func put(to harness: SocketHarness) async -> Result<WebServiceResponse, TransportError> {
    await harness.transfer(.put, headers: ["Expect": "100-continue"], body: .data(Self.body))
  }

  @Test(arguments: TransportKind.own, [false, true])
  func status417IsDeliveredAsTheResponse(_ kind: TransportKind, closes: Bool) async throws {
    let harness = try SocketHarness(kind)
    // The response is raw, because the server would otherwise announce the end of the connection. libcurl then wouldn't
    // send again.
    let text = "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno"
    let response = LoopbackServer.Response.raw(text).beforeBody()
    harness.server.route(.put, "/", closes ? response.then(.close) : response)
    harness.server.route(.get, "/", .text("ok"))
    for _ in 0..<2 {
      expectEqual(await put(to: harness).response?.statusCode, 417)
      expectEqual(await harness.transfer("/").text, "ok")
    }
    expectEqual(harness.server.requests(.put).count, 2)
  }

  @Test(arguments: TransportKind.own)
  func status417KeepsItsBody(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(
      .put, "/", .text("no", status: 417, headers: ["Connection": "close"]).beforeBody().then(.close))
    let result = await put(to: harness)
    expectEqual(result.response?.statusCode, 417)
    if !kind.isFoundationOnLinux { expectEqual(result.text, "no") }
    expectEqual(harness.server.requests(.put).count, 1)
  }

  @Test(arguments: TransportKind.own)
  func bodyIsSentOnceTheServerContinues(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.put, "/", .text("ok"))
    expectEqual(await put(to: harness).text, "ok")
    expectEqual(harness.server.requests(.put).map(\.body), [Self.body])
  }

  #if os(Linux)
    @Test func oldLibrariesSendNoExpectHeader() async throws {
      let harness = try SocketHarness(session: CurlSession.forTest(library: .old()))
      harness.server.route(.put, "/", .text("no", status: 417))
      expectEqual(await put(to: harness).response?.statusCode, 417)
      expectEqual(harness.server.requests(.put).map { $0.headers["Expect"] }, [nil])
    }
  #endif
}
