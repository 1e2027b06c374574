@testable import WebServicesTestSupport
@testable import WebServicesDoubles

@Suite struct RequestParserTests {
  private typealias Event = RequestParser.Event

  static let messages = [
    "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
    "\r\n\r\nGET /a?b=c HTTP/1.1\r\nHost: h\r\nX-A:\r\nX-B: \t v w \t\r\nX-A: 2\r\n\r\n",
    "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab\r\ncGET /next HTTP/1.0\r\n\r\n",
    "PUT /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nab\r\n0A \r\n0123456789\r\n0\r\n"
      + "X-T: 1\r\n\r\nDELETE /d HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\nHost: h\n\n",
    "POST /e HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n",
  ]

  @Test(arguments: messages)
  func parsingIsIndependentOfCuts(message: String) {
    let bytes = Array(message.utf8)
    let whole = Self.events(of: [bytes])
    #expect(!whole.isEmpty)
    for first in 0...bytes.count {
      expectEqual(Self.events(of: [Array(bytes[..<first]), Array(bytes[first...])]), whole)
    }
    expectEqual(Self.events(of: bytes.map { [$0] }), whole)
  }

  @Test func headOfRequestIsParsed() throws {
    let lines = "PATCH /x%20y?q HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nConnection: x, Close\r\nX: "
    // The second value isn't UTF-8, and is read as Latin-1.
    for value in [Array("J\u{FC}".utf8), [0x4A, 0xFC]] {
      let events = Self.events(of: [Array(lines.utf8) + value + Array("\r\n\r\n".utf8)])
      let head = try #require(events.first.flatMap { if case .head(let head) = $0 { head } else { nil } })
      #expect(head.method == .patch && head.target == "/x%20y?q" && head.expectsContinue && !head.keepsAlive)
      expectEqual(head.headers["x"], "J\u{FC}")
      expectEqual(events.last, .end(trailers: [:]))
    }
  }

  @Test(arguments: [
    ("GET /\r\n\r\n", 400), ("GET / HTTP/1.1 \r\n\r\n", 400), ("G(T / HTTP/1.1\r\n\r\n", 400),
    ("GET  HTTP/1.1\r\n\r\n", 400), (" GET / HTTP/1.1\r\n\r\n", 400), ("GET /\u{7} HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/2.0\r\n\r\n", 505), ("GET / HTTPS\r\n\r\n", 400), ("GET / HTTP/1.1\nHost: h\n\n", 400),
    ("\u{16}\u{3}\u{1}", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400), ("GET / HTTP/1.1\r\n Host: h\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\nX\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\nX: a\u{0}\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\nX: a\rb\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 101\r\n\r\n", 413),
    ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    (chunked + "65\r\n", 413), (chunked + "fffffffffffffffff\r\n", 413), (chunked + "-1\r\n", 400),
    (chunked + "\r\n", 400), (chunked + "g\r\n", 400), (chunked + "1\nx", 400), (chunked + "1\r\nxyz", 400),
    (chunked + "0\r\nbad trailer\r\n\r\n", 400), (chunked + String(repeating: "0", count: 2000), 400),
    ("GET /" + String(repeating: "a", count: 2000), 431),
    ("GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: y\r\n", count: 400), 431),
    (chunked + "0\r\n" + String(repeating: "X: y\r\n", count: 400), 431),
  ])
  func invalidRequestsAreRefused(message: String, status: Int) {
    var limits = LoopbackServer.Limits()
    limits.headBytes = 1000
    limits.bodyBytes = 100
    let bytes = Array(message.utf8)
    for pieces in [[bytes], bytes.map { [$0] }] {
      let events = Self.events(of: pieces + [Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)], limits: limits)
      guard case .failure(let failure) = events.last else {
        Issue.record("\(message.debugDescription) was accepted: \(events)")
        continue
      }
      #expect(failure.status == status, "\(message.debugDescription): \(failure.reason)")
    }
  }

  private static let chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

  /// The parser's events for these pieces, with the pieces of one body joined.
  private static func events(of pieces: [[UInt8]], limits: LoopbackServer.Limits = .init()) -> [Event] {
    var parser = RequestParser(limits: limits)
    var events: [Event] = []
    for piece in pieces {
      parser.receive(piece)
      while let event = parser.next() {
        if case .body(let bytes) = event, case .body(let before) = events.last {
          events[events.count - 1] = .body(before + bytes)
        } else {
          events.append(event)
        }
      }
    }
    return events
  }
}
