@testable import WebServicesTestSupport

@Suite struct LoopbackServerTests {
  /// Stops when the test has ended, because nothing holds it then.
  private let server: LoopbackServer
  private let client: RawClient

  init() throws {
    server = try LoopbackServer()
    client = try RawClient(server)
  }

  @Test func routeRespondsAndRequestIsRecorded() throws {
    server.route(.post, "/:name", .text("ok", status: 201, headers: ["X-A": "1"]))
    client.send("POST /signin?a=1&b=%20x&c HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nX-Y:  z \r\n\r\nabc")
    let response = try client.read(through: "ok")
    #expect(response.hasPrefix("HTTP/1.1 201 OK\r\n"))
    #expect(response.contains("X-A: 1\r\n"))
    #expect(response.contains("Content-Length: 2\r\n"))
    let request = try #require(server.requests.first)
    expectEqual(request.method, .post)
    expectEqual(request.target, "/signin?a=1&b=%20x&c")
    expectEqual(request.path, "/signin")
    expectEqual(request.queryItems.map(\.name), ["a", "b", "c"])
    expectEqual(request.query("b"), " x")
    expectEqual(request.headers["x-y"], "z")
    expectEqual(request.text, "abc")
    expectEqual(request.parameters, ["name": "signin"])
    #expect(request.connection == 1 && request.order == 1)
  }

  /// Serves what the table of exchanges requests.
  private func addRoutes() {
    server.route(.get, "/jokes/:id/*") { .text("\($0.parameters["id"] ?? "")|\($0.parameters["*"] ?? "")") }
    server.route(nil, "/any/*", .text("any"))
    server.route(.get, "/any/a", .text("first"))
    server.route(.get, "/any/a", .text("second"))
    server.route(.get, "/chunked", .chunked(["a", "b"]))
    server.route(.get, "/repeated", [.head(status: 200), .repeated(Data("abc".utf8), times: 100_000)])
    server.route(.get, "/forgets") { _, _ in }
    server.route(
      .get, "/empty", [.head(status: 200), .repeated(Data(), times: nil), .repeated(Data("z".utf8), times: 1)])
    server.route(
      .get, "/large",
      [
        .head(status: 200), .repeated(Data(repeating: 97, count: 70_000), times: 2),
        .repeated(Data("!".utf8), times: 1),
      ])
    server.route(.get, "/early", [.head(status: 103, headers: ["Link": "x"]), .head(status: 200)])
    for status in [204, 304] { server.route(.get, "/\(status)", .status(status)) }
    server.route(.get, "/own", .status(200, headers: ["Content-Length": "0"]))
    server.route(.get, "/until", .untilClose(Data("u".utf8), headers: ["Connection": "x"]))
    server.route(.get, "/*/a", .text("literal"))
  }

  @Test(arguments: [
    ("GET /jokes/a%2Fb/c/d HTTP/1.1", "200 OK", "a/b|c/d"), ("GET /jokes//c HTTP/1.1", "404 Status", "/jokes//c."),
    ("GET /jokes HTTP/1.1", "404 Status", "/jokes."), ("GET /other/1/2 HTTP/1.1", "404 Status", "/other/1/2."),
    ("GET /any/a HTTP/1.1", "200 OK", "second"), ("GET /any/a/b HTTP/1.1", "200 OK", "any"),
    ("PURGE http://h/any/b?y HTTP/1.1", "200 OK", "any"),
    ("HEAD /jokes/1/2 HTTP/1.1", "200 OK", "Content-Length: 3\r\nConnection: close\r\n\r\n"),
    ("HEAD /chunked HTTP/1.1", "200 OK", "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"),
    ("HEAD /repeated HTTP/1.1", "200 OK", "OK\r\nConnection: close\r\n\r\n"),
    ("GET /forgets HTTP/1.1", "500 Status", "no response."), ("GET /any/a HTTP/1.0", "200 OK", "second"),
    ("GET /repeated HTTP/1.1", "200 OK", "abcabc"), ("GET /empty HTTP/1.1", "200 OK", "\r\n\r\nz"),
    ("GET /large HTTP/1.1", "200 OK", String(repeating: "a", count: 140_000) + "!"),
    ("GET /early HTTP/1.1", "103 Status", "\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"),
    ("GET /204 HTTP/1.1", "204 OK", "OK\r\nConnection: close\r\n\r\n"),
    ("GET /304 HTTP/1.1", "304 Status", "Status\r\nConnection: close\r\n\r\n"),
    ("GET /own HTTP/1.1", "200 OK", "OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    ("GET /until HTTP/1.1", "200 OK", "OK\r\nConnection: close\r\n\r\nu"), ("GET /*/a HTTP/1.1", "200 OK", "literal"),
    ("GET /x/a HTTP/1.1", "404 Status", "/x/a."), ("GET //any/a HTTP/1.1", "404 Status", "//any/a."),
    ("OPTIONS http://h HTTP/1.1", "404 Status", "OPTIONS /."),
  ])
  func requestGetsItsRoute(line: String, status: String, end: String) throws {
    addRoutes()
    client.send("\(line)\r\nHost: h\r\nConnection: close\r\n\r\n")
    let response = try client.readToEnd()
    #expect(response.hasPrefix("HTTP/1.1 \(status)\r\n") && response.hasSuffix(end), "\(response)")
    #expect(response.contains("Connection: close\r\n"))
  }

  @Test func responseThatClosesTheConnectionEndsIt() throws {
    server.route(.get, "/", .text("last", headers: ["Connection": "Close"]))
    client.get("/")
    let response = try client.readToEnd()
    #expect(response.contains("Connection: Close\r\n") && response.hasSuffix("\r\n\r\nlast"))
  }

  @Test func http10EndsTheConnectionUnlessKept() throws {
    addRoutes()
    client.send("GET /any/a HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
    #expect(try client.read(through: "second").contains("Connection: keep-alive\r\n"))
    client.send("GET /any/a HTTP/1.0\r\n\r\n")
    let response = try client.readToEnd()
    #expect(response.contains("Connection: close\r\n") && response.hasSuffix("second"))
  }

  @Test func pipelinedRequestsGetResponsesInOrder() throws {
    server.route(.get, "/:n") { .text("<\($0.parameters["n"] ?? "")>") }
    server.route(.get, "/const", .text("<const>"))
    client.send((0..<300).map { "GET /\($0 % 2 == 0 ? "const" : "\($0)") HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
    for number in 0..<300 {
      let mark = number % 2 == 0 ? "<const>" : "<\(number)>"
      #expect(try client.read(through: ">").hasSuffix(mark))
    }
  }

  @Test func manyHandlersMayBlockAtTheSameTime() throws {
    let clients = try (0..<40).map { _ in try RawClient(server) }
    let (arrivals, gate) = (Locked(0), DispatchSemaphore(value: 0))
    // No task of the test takes part: other tests may block the threads of all tasks.
    server.route(.get, "/") { [count = clients.count] _ in
      if arrivals.takeNext() == count - 1 { for _ in 0..<count { gate.signal() } }
      return gate.wait(timeout: .now() + 8) == .success ? .text("all came!") : .text("too late!")
    }
    for client in clients { client.get("/") }
    expectEqual(try clients.filter { try $0.read(through: "!").hasSuffix("all came!") }.count, clients.count)
  }

  @Test func chunkedBodiesMayHaveTrailers() throws {
    server.route(.put, "/", .chunked(["ab", "", "cde"], trailers: ["X-T": "1"]))
    client.send("PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
    client.send("3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nX-S: 2\r\n\r\n")
    let response = try client.read(through: "0\r\nX-T: 1\r\n\r\n")
    #expect(response.hasSuffix("\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\nX-T: 1\r\n\r\n"))
    expectEqual(server.requests.first?.text, "abc0123456789")
    expectEqual(server.requests.first?.trailers["x-s"], "2")
  }

  @Test func continueIsSentOnceBeforeTheBody() throws {
    server.route(.post, "/") { .text("got \($0.text)") }
    server.route(.get, "/", .text("seen!"))
    let other = try RawClient(server)
    for expectation in ["Expect: 100-continue\r\n", ""] {
      client.send("POST / HTTP/1.1\r\nHost: h\r\n\(expectation)Content-Length: 2\r\n\r\n")
      if !expectation.isEmpty {
        expectEqual(try client.read(through: "\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n")
      }
      client.send("h")
      // The server has seen what was sent before.
      other.get("/")
      _ = try other.read(through: "seen!")
      client.send("i")
      #expect(try client.read(through: "got hi").hasPrefix("HTTP/1.1 200 OK"))
    }
  }

  /// Each connection may wait for a time of its own.
  @Test func responsesComeInTheOrderOfTheirDelays() throws {
    for (path, delay) in [("/late", 3600.0), ("/soon", 0.02)] {
      server.route(.get, path, .text("!").delayed(by: delay))
    }
    let clients = try (0..<3).map { _ in try RawClient(server) }
    for (client, path) in zip(clients, ["/late", "/soon", "/late"]) { client.get(path) }
    #expect(try clients[1].read(through: "!").hasSuffix("!"))
  }

  @Test func pipelineIsReadUpToALimit() async throws {
    let gate = LoopbackServer.Gate()
    server.route(.get, "/", LoopbackServer.Response.text("!").beforeHead(.wait(gate)))
    server.route(.get, "/other", .text("seen!"))
    client.send(String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: 100))
    await server.waitForRequests(count: 64)
    let other = try RawClient(server)
    other.get("/other")
    _ = try other.read(through: "seen!")
    expectEqual(server.requestCount, 65)
    gate.open()
    for _ in 0..<100 { _ = try client.read(through: "!") }
    expectEqual(gate.arrivals, 100)
  }

  @Test func headRequestGetsTheLatestRouteForHEADFirst() throws {
    server.route(.head, "/a", .status(202))
    server.route(.get, "/a", .status(200))
    client.send("HEAD /a HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(try client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 202"))
  }

  @Test(arguments: [
    (1, ["1!", "2!", "3!", "3!", "3!"]), (2, ["1!", "2!", "3!", "2!", "3!"]), (9, ["1!", "2!", "3!", "1!", "2!"]),
    (0, ["1!", "2!", "3!", "All 3 scripted responses have been sent."]),
  ])
  func lastResponsesOfAScriptRepeat(count: Int, expected: [String]) throws {
    server.script(.get, "/a", [.text("1!"), .text("2!"), .text("3!").delayed(by: 0)], repeatingLast: count)
    for text in expected {
      client.get("/a")
      #expect(try client.read(through: text).hasPrefix("HTTP/1.1 \(text.count == 2 ? 200 : 500)"))
    }
  }

  @Test func responderRespondsOnceFromAnyThread() async throws {
    let held = Collector<LoopbackServer.Responder>()
    server.route(.get, "/held") { _, responder in held.append(responder) }
    server.route(.get, "/", .text("free"))
    let first = try RawClient(server)
    first.get("/held")
    await server.waitForRequests(count: 1)
    let second = try RawClient(server)
    second.get("/")
    #expect(try second.read(through: "free").hasPrefix("HTTP/1.1 200"))
    await held.waitForElements(1)
    expectEqual([held.elements.first?.send(.text("late")), held.elements.first?.send(.text("twice"))], [true, false])
    #expect(try first.read(through: "late").hasPrefix("HTTP/1.1 200"))
  }
}
