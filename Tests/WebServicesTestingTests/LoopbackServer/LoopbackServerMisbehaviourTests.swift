import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

@Suite struct LoopbackServerMisbehaviourTests {
  /// Starts a server with one route, and a client that has requested it.
  private func asking(_ response: LoopbackServer.Response) throws -> (LoopbackServer, RawClient) {
    let server = try LoopbackServer()
    server.route(.get, "/", response)
    let client = try RawClient(server)
    client.get("/")
    return (server, client)
  }

  @Test func delaysComeBeforeHeadAndBetweenPieces() throws {
    let start = Date()
    let response = LoopbackServer.Response.chunked(["a", "b"], headers: ["X-A": "1"])
      .betweenPieces(.delay(0.03)).beforeHead(.delay(0.05))
    let (server, client) = try asking(response)
    defer { server.stop() }
    let text = try client.read(through: "0\r\n\r\n")
    #expect(
      text == "HTTP/1.1 200 OK\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n")
    #expect(Date().timeIntervalSince(start) >= 0.05 + 2 * 0.03 - 0.001)
  }

  @Test func gateHoldsResponseUntilOpened() async throws {
    let gate = LoopbackServer.Gate()
    let (server, client) = try asking(.text("body!").afterHead(.wait(gate)))
    defer { server.stop() }
    #expect(try client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK"))
    #expect(await gate.waitUntilReached())
    #expect(!gate.isOpen)
    gate.open()
    #expect(try client.read(through: "!") == "body!")
    client.get("/")
    #expect(try client.read(through: "!").hasSuffix("body!"))
    #expect(gate.arrivals == 2)
  }

  @Test func responseCanBeCutAfterAnyByte() throws {
    let whole = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    let server = try LoopbackServer()
    defer { server.stop() }
    for count in 0...whole.utf8.count {
      server.route(.get, "/", .json("{}").cut(afterBytes: count, then: .close))
      let client = try RawClient(server)
      client.get("/")
      #expect(try client.readToEnd() == String(whole.prefix(utf8: count)))
    }
  }

  @Test func connectionCanBeResetInTheMiddle() throws {
    let (server, client) = try asking(.text("abc").cut(afterBytes: 5, then: .reset))
    defer { server.stop() }
    #expect(throws: RawClient.Failure.self) { try client.readToEnd() }
  }

  @Test func responseStallsUntilTheClientDisconnects() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.route(.get, "/", .never)
    do {
      let client = try RawClient(server)
      client.get("/")
      await server.waitForRequests()
      #expect(server.openConnections == 1)
    }
    #expect(await server.waitForOpenConnections(count: 0))
  }

  @Test func throttleSpreadsBytesOverTime() throws {
    let start = Date()
    let (server, client) = try asking(.raw("0123456789", then: .close).throttled(bytesPerSecond: 100))
    defer { server.stop() }
    #expect(try client.readToEnd() == "0123456789")
    #expect(Date().timeIntervalSince(start) >= 0.07)
  }

  @Test func keptConnectionGoesStaleAfterSwallowedRequest() throws {
    let (server, client) = try asking(.text("one!").thenSwallowingNextRequest())
    defer { server.stop() }
    #expect(try client.read(through: "!").hasSuffix("one!"))
    client.send("POST /second HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
    #expect(try client.readToEnd() == "")
    #expect(server.requests.map(\.path) == ["/", "/second"])
    #expect(server.requests.last?.text == "abc")
  }

  @Test func connectionClosesDuringTheNextRequest() throws {
    let (server, client) = try asking(.text("one!").thenClosingOnNextRequest(afterBytes: 4))
    defer { server.stop() }
    #expect(try client.read(through: "!").hasSuffix("one!"))
    client.send("POST")
    #expect(try client.readToEnd() == "")
    #expect(server.requests.count == 1)
  }

  @Test func responseMayBeginBeforeTheBody() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let gate = LoopbackServer.Gate()
    server.route(.post, "/", LoopbackServer.Response.text("done!").beforeHead(.wait(gate)).beforeBody())
    server.route(.post, "/no", .status(413).beforeBody())
    let client = try RawClient(server)
    client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n")
    #expect(await gate.waitUntilReached())
    #expect(server.requests.map(\.text) == [""])
    client.send("abc")
    gate.open()
    #expect(try client.read(through: "!").hasSuffix("done!"))

    client.send("POST /no HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    let refusal = try client.readToEnd()
    #expect(refusal.hasPrefix("HTTP/1.1 413") && refusal.contains("Connection: close\r\n"))
    #expect(server.requests.first?.text == "abc")
  }

  @Test func endlessBodyDoesNotStarveOthers() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.route(.get, "/", .endlessBody())
    server.route(.get, "/chunks", .endlessChunks())
    server.route(.get, "/head", .endlessHead)
    server.route(.get, "/other", .text("other!"))
    do {
      let clients = try ["/", "/chunks", "/head"].map { path in
        let client = try RawClient(server)
        client.get(path)
        #expect(try client.count(upTo: 2_000_000) >= 2_000_000)
        return client
      }
      let other = try RawClient(server)
      other.get("/other")
      #expect(try other.read(through: "!").hasSuffix("other!"))
      #expect(clients.count == 3)
    }
    #expect(await server.waitForOpenConnections(count: 0))
  }

  @Test func redirectsAndChallengesHaveTheirHeaders() throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.route(.get, "/r", .redirect(to: "../x?y", status: 308))
    server.route(.get, "/c", .unauthorized("Bearer", #"Basic realm="test""#, "Odd"))
    let client = try RawClient(server)
    client.get("/r")
    #expect(
      try client.read(through: "\r\n\r\n")
        == "HTTP/1.1 308 Permanent Redirect\r\nLocation: ../x?y\r\nContent-Length: 0\r\n\r\n")
    client.get("/c")
    let text = try client.read(through: "\r\n\r\nunauthorized")
    #expect(text.contains("401") && text.components(separatedBy: "WWW-Authenticate: ").count == 4)
    #expect(text.contains(#"WWW-Authenticate: Basic realm="test""#))
  }
}

extension String {
  fileprivate func prefix(utf8 count: Int) -> String {
    String(decoding: utf8.prefix(count), as: UTF8.self)
  }
}
