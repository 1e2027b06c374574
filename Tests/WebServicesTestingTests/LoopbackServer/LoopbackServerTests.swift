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
  }

  @Test(arguments: [
    ("GET /jokes/a%2Fb/c/d HTTP/1.1", "200 OK", "a/b|c/d"), ("GET /jokes//c HTTP/1.1", "404 Status", "/jokes//c."),
    ("GET /jokes HTTP/1.1", "404 Status", "/jokes."), ("GET /other/1/2 HTTP/1.1", "404 Status", "/other/1/2."),
    ("GET /any/a HTTP/1.1", "200 OK", "second"), ("PURGE http://h/any/b?y HTTP/1.1", "200 OK", "any"),
    ("HEAD /jokes/1/2 HTTP/1.1", "200 OK", "Content-Length: 3\r\nConnection: close\r\n\r\n"),
    ("HEAD /chunked HTTP/1.1", "200 OK", "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"),
    ("HEAD /repeated HTTP/1.1", "200 OK", "OK\r\nConnection: close\r\n\r\n"),
    ("GET /forgets HTTP/1.1", "500 Status", "no response."), ("GET /any/a HTTP/1.0", "200 OK", "second"),
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

  @Test func continueIsSentBeforeTheBody() throws {
    server.route(.post, "/") { .text("got \($0.text)") }
    client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    expectEqual(try client.read(through: "\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("hi")
    #expect(try client.read(through: "got hi").hasPrefix("HTTP/1.1 200 OK"))
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
