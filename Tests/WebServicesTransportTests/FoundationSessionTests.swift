@testable import WebServicesTestSupport
@testable import WebServicesTransport

/// Features that only `FoundationSession` has.
@Suite(.enabled(if: TransportKind.isFoundationTested), .timeLimit(.minutes(5)), .leavesNothing)
struct FoundationSessionTests {
  @Test func forgottenSessionEndsWithItsLastTask() async throws {
    let server = try LoopbackServer.forTest()
    let gate = LoopbackServer.Gate()
    server.route(.get, "/", [.wait(gate), .head(status: 200, headers: ["Content-Length": "2"]), "ok"])
    weak var weakSession: FoundationSession?
    weak var weakTransfer: FoundationTransfer?
    let texts = Collector<String?>()
    func start() {
      let session = FoundationSession()
      let task = session.transferTask(with: TransportRequest(url: server.url("/"))) { texts.append($0.text) }
      (weakSession, weakTransfer) = (session, task as? FoundationTransfer)
      task.resume()
    }
    start()
    await gate.waitUntilReached()
    #expect(weakSession != nil && weakTransfer != nil)
    gate.open()
    expectEqual(await texts.elements(1), ["ok"])
    #expect(await server.waitForOpenConnections(count: 0))
    // Foundation's queue releases the transfer after the completion.
    for _ in 0..<500 where weakTransfer != nil { try await Task.sleep(nanoseconds: 10_000_000) }
    #expect(weakSession == nil && weakTransfer == nil)
  }

  /// On Linux Foundation ends the process if its task is cancelled before the redirect is decided.
  @Test func redirectWithLongBodyIsReturned() async throws {
    let harness = try SocketHarness(session: FoundationSession())
    let body = String(repeating: "m", count: RedirectBody.limit + 1)
    for _ in 0..<50 {
      let response = LoopbackServer.Response.text(body, status: 302, headers: ["Location": "/target"])
      expectEqual(await harness.transfer(serving: response) { $0.followsRedirects = true }.response?.statusCode, 302)
    }
  }

  #if os(Linux)
    @Test("fact 13: an unrequested response is not taken for the next one", arguments: [HTTPMethod.get, .post])
    func unsolicitedResponseIsNeverDelivered(_ method: HTTPMethod) async throws {
      let harness = try SocketHarness(session: FoundationSession())
      let (isKept, isPushed) = (LoopbackServer.Gate(), LoopbackServer.Gate())
      let push = LoopbackServer.Step.text("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
      harness.server.route(.get, "/first", .text("ok").then(.wait(isKept), push, .wait(isPushed)))
      harness.server.route(method, "/second", .text("second"))
      expectEqual(await harness.transfer("/first").text, "ok")
      isKept.open()
      expectEqual(await harness.transfer(method, "/second").text, "second")
      isPushed.open()
    }
  #endif
}
