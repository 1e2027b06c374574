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

  /// Waits until the server has handled what the clients have sent.
  private func waitUntilReceived() throws {
    server.route(.get, "/received", .text("all!"))
    let other = try RawClient(server)
    other.get("/received")
    _ = try other.read(through: "all!")
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
    for count in -1...(whole.utf8.count + 1) {
      server.route(.get, "/", .json("{}").cut(afterBytes: count, then: .close))
      let client = try RawClient(server)
      client.get("/")
      expectEqual(try client.readToEnd(), String(whole.prefix(utf8: max(0, count))))
    }
  }

  @Test func throttleSpreadsBytesOverTime() throws {
    let start = Date()
    ask(for: .raw("0123456789", then: .close).throttled(bytesPerSecond: 100))
    expectEqual(try client.readToEnd(), "0123456789")
    #expect(Date().timeIntervalSince(start) >= 0.07)
  }

  @Test func throttleEndsWithItsResponseAndNoDelay() throws {
    let start = Date()
    // A byte takes 25 ms, which is more than the pieces of a second in which a server sends.
    ask(for: .raw("!", then: .delay(0.2), "?").throttled(bytesPerSecond: 40))
    _ = try client.read(through: "?")
    #expect(Date().timeIntervalSince(start) >= 0.2 - 0.001)
    ask(for: .text(String(repeating: "x", count: 100_000) + "!"))
    _ = try client.read(through: "x!")
  }

  @Test func partsOfABodyAreChosenByTheirSteps() {
    let response: LoopbackServer.Response = [
      .delay(1), .head(status: 100), .head(status: 200), .body(Data()), .never, .chunk(Data()),
    ]
    func words(_ response: LoopbackServer.Response) -> [String] {
      response.steps.map { String("\($0)".prefix { $0 != "(" }) }
    }
    expectEqual(words(response.afterHead("")), ["delay", "head", "head", "bytes", "body", "never", "chunk"])
    expectEqual(words(response.betweenPieces("")), ["delay", "head", "head", "body", "never", "bytes", "chunk"])
    expectEqual(words(["", .body(Data())] as LoopbackServer.Response).count, 2)
    expectEqual(words(([.close] as LoopbackServer.Response).afterHead("")), ["bytes", "close"])
  }

  @Test func clientThatLeavesEndsAnEndlessBody() async throws {
    server.route(.get, "/", [.head(status: 200), .repeated(Data("abc".utf8), times: nil)])
    do {
      let client = try RawClient(server)
      client.get("/")
      _ = try client.read(through: "abc")
    }
    // The client of this test is left.
    #expect(await server.waitForOpenConnections(count: 1))
  }

  @Test func connectionSurvivesTheEndOfAnother() async throws {
    server.route(.get, "/", .text("still here!"))
    var others = try (0..<3).map { _ in try RawClient(server) }
    for client in others {
      client.get("/")
      _ = try client.read(through: "!")
    }
    others.removeFirst()
    #expect(await server.waitForOpenConnections(count: 3))
    for client in others + [client] {
      client.get("/")
      #expect(try client.read(through: "!").hasSuffix("still here!"))
    }
  }

  @Test func openedGateStaysOpenAndOpensNoOther() async throws {
    let gates = (0..<3).map { _ in LoopbackServer.Gate() }
    ask(for: [.wait(gates[0]), "1", .wait(gates[1]), "2!", .wait(gates[2])])
    await gates[0].waitUntilReached()
    gates[0].open()
    expectEqual(try client.read(through: "1"), "1")
    await gates[1].waitUntilReached()
    gates[0].open()
    let other = try RawClient(server)
    other.get("/")
    expectEqual(try other.read(through: "1"), "1")
    await gates[1].waitUntilReached(count: 2)
    gates[0].open()
    try waitUntilReceived()
    expectEqual(gates[2].arrivals, 0)
    gates[1].open()
    expectEqual(try client.read(through: "!"), "2!")
    gates[2].open()
    #expect(gates[0].isOpen && gates[0].arrivals == 2)
    #expect(await !LoopbackServer.Gate().waitUntilReached(timeout: -1))
    let late = LoopbackServer.Gate()
    async let isReached = late.waitUntilReached(timeout: .infinity)
    ask(for: [.wait(late)])
    #expect(await isReached)
  }

  @Test func nextRequestIsSwallowedAsAWhole() throws {
    ask(for: .text("one!").thenSwallowingNextRequest())
    _ = try client.read(through: "one!")
    client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\na")
    try waitUntilReceived()
    client.send("bc")
    expectEqual(try client.readToEnd(), "")
    expectEqual(server.requests(.post).map(\.text), ["abc"])
  }

  @Test func bytesOfTheNextRequestAreCountedBehindTheBody() throws {
    let response = LoopbackServer.Response.text("one!").thenClosingOnNextRequest(afterBytes: 4)
    server.route(.post, "/", response.beforeBody())
    client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n")
    _ = try client.read(through: "one!")
    client.send("abc")
    try waitUntilReceived()
    expectEqual(server.requests(.post).map(\.text), ["abc"])
    client.send("POST")
    expectEqual(try client.readToEnd(), "")
    // They may have come together with the request.
    server.route(.get, "/", response)
    let other = try RawClient(server)
    other.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nPOST")
    #expect(try other.readToEnd().hasSuffix("one!"))
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
    // Nothing behind a refused request is one.
    client.send("abcGET / HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(await server.waitForOpenConnections(count: 0))
    expectEqual(server.requestCount, 2)
    expectEqual(server.requests.first?.text, "abc")
    #expect(LoopbackServer.Response.text("late").beforeBody().delayed(by: .infinity).beginsBeforeBody)
  }

  @Test func bodyThatBecomesInvalidGetsNoSecondResponse() async throws {
    let gate = LoopbackServer.Gate()
    server.route(.post, "/", LoopbackServer.Response.text("done!").beforeHead(.wait(gate)).beforeBody())
    client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
    #expect(await gate.waitUntilReached())
    client.send("no size\r\n")
    try waitUntilReceived()
    gate.open()
    #expect(try client.readToEnd().hasSuffix("done!"))
    expectEqual(server.refusals.count, 1)
  }
}

extension String {
  fileprivate func prefix(utf8 count: Int) -> String { String(decoding: utf8.prefix(count), as: UTF8.self) }
}
