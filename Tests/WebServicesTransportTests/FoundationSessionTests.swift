@testable import WebServicesTestSupport
@testable import WebServicesHTTP
@testable import WebServicesTransport

/// Features that only `FoundationSession` has.
@Suite(.enabled(if: TransportKind.isFoundationTested), .timeLimit(.minutes(1)), .leavesNothing)
struct FoundationSessionTests {
  @Test func forgottenSessionEndsWithItsLastTask() async throws {
    let server = try LoopbackServer.forTest()
    let gate = LoopbackServer.Gate()
    server.route(.get, "/", [.wait(gate), .head(status: 200, headers: ["Content-Length": "2"]), "ok"])
    weak var weakSession: FoundationSession?
    let texts = Collector<String?>()
    func start() {
      let session = FoundationSession()
      weakSession = session
      session.transferTask(with: TransportRequest(url: server.url("/"))) { texts.append($0.text) }.resume()
    }
    start()
    await gate.waitUntilReached()
    #expect(weakSession != nil)
    gate.open()
    await texts.waitForElements(1)
    expectEqual(texts.elements, ["ok"])
    #expect(await server.waitForOpenConnections(count: 0))
    #expect(weakSession == nil)
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
      let request = TransportRequest(method: method, url: harness.server.url("/second"), timeouts: .init(whole: 20))
      expectEqual(await harness.transfer(request).text, "second")
      isPushed.open()
    }
  #endif
}
