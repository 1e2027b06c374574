@testable import WebServicesTestSupport

@Suite struct LoopbackServerMisbehaviourTests {
  /// Stops when the test has ended, because nothing holds it then.
  private let server: LoopbackServer
  private let client: RawClient

  init() throws {
    server = try LoopbackServer()
    client = try RawClient(server)
  }

  /// Serves one response, and requests it.
  private func ask(for response: LoopbackServer.Response) {
    server.route(.get, "/", response)
    client.get("/")
  }

  @Test func delaysComeBeforeHeadAndBetweenPieces() throws {
    let start = Date()
    let response = LoopbackServer.Response.chunked(["a", "b"], headers: ["X-A": "1"])
      .betweenPieces(.delay(0.03)).beforeHead(.delay(0.05))
    ask(for: response)
    let text = try client.read(through: "0\r\n\r\n")
    expectEqual(text, "HTTP/1.1 200 OK\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n")
    #expect(Date().timeIntervalSince(start) >= 0.05 + 2 * 0.03 - 0.001)
  }

  @Test func responseCanBeCutAfterAnyByte() throws {
    let whole = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    // A cut behind the end comes at the end.
    for count in 0...(whole.utf8.count + 1) {
      server.route(.get, "/", .json("{}").cut(afterBytes: count, then: .close))
      let client = try RawClient(server)
      client.get("/")
      expectEqual(try client.readToEnd(), String(whole.prefix(utf8: count)))
    }
  }

  @Test func throttleSpreadsBytesOverTime() throws {
    let start = Date()
    ask(for: .raw("0123456789", then: .close).throttled(bytesPerSecond: 100))
    expectEqual(try client.readToEnd(), "0123456789")
    #expect(Date().timeIntervalSince(start) >= 0.07)
  }

  @Test func connectionClosesDuringTheNextRequest() throws {
    ask(for: .text("one!").thenClosingOnNextRequest(afterBytes: 4))
    #expect(try client.read(through: "!").hasSuffix("one!"))
    client.send("POST")
    expectEqual(try client.readToEnd(), "")
    expectEqual(server.requests.count, 1)
  }

  @Test func responseMayBeginBeforeTheBody() async throws {
    let gate = LoopbackServer.Gate()
    server.route(.post, "/", LoopbackServer.Response.text("done!").beforeHead(.wait(gate)).beforeBody())
    server.route(.post, "/no", .status(413).beforeBody())
    client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n")
    #expect(await gate.waitUntilReached())
    expectEqual(server.requests.map(\.text), [""])
    client.send("abc")
    gate.open()
    #expect(try client.read(through: "!").hasSuffix("done!"))

    client.send("POST /no HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    let refusal = try client.readToEnd()
    #expect(refusal.hasPrefix("HTTP/1.1 413") && refusal.contains("Connection: close\r\n"))
    expectEqual(server.requests.first?.text, "abc")
    #expect(LoopbackServer.Response.text("late").beforeBody().delayed(by: .infinity).beginsBeforeBody)
  }
}

extension String {
  fileprivate func prefix(utf8 count: Int) -> String { String(decoding: utf8.prefix(count), as: UTF8.self) }
}
