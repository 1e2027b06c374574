@testable import WebServicesTestSupport
@testable import WebServicesDoubles

@Suite struct RequestParserTests {
  private typealias Event = RequestParser.Event

  /// A message, and its requests in words. A message that becomes invalid ends with a status.
  static let messages: [(String, [String])] = [
    ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", ["GET / Host: h"]),
    (
      "\r\n\r\nGET /a?b=c HTTP/1.1\r\nHost: h\r\nX-A:\r\nX-B: \t v w \t\r\nX-A: 2\r\n\r\n",
      ["GET /a?b=c Host: h, X-A: , X-B: v w, X-A: 2"]
    ),
    (
      "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab\r\ncGET /next HTTP/1.0\r\n\r\n",
      ["POST /p Host: h, Content-Length: 5; ab\r\nc", "GET /next "]
    ),
    (
      "PUT /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n2;x\r\nab\r\n0A \r\n0123456789\r\n1\t\r\nc\r\n"
        + "0\r\nX-T: 1\r\n\r\nDELETE /d HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
      ["PUT /c Host: h, Transfer-Encoding: Chunked; ab0123456789c; X-T: 1", "DELETE /d Host: h, Connection: close"]
    ),
    (
      "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\nGET / HTTP/1.1\nHost: h\n\n",
      ["PUT / Host: h, Content-Length: 0", "400"]
    ),
    (chunked + "3\r\nabcd\r\n0\r\n\r\n", ["POST / Host: h, Transfer-Encoding: chunked; abc", "400"]),
  ]

  @Test(arguments: messages)
  func parsingIsIndependentOfCuts(message: String, requests: [String]) {
    let bytes = Array(message.utf8)
    let whole = Self.events(of: [bytes])
    expectEqual(Self.words(for: whole), requests)
    for first in 0...bytes.count {
      expectEqual(Self.events(of: [Array(bytes[..<first]), Array(bytes[first...])]), whole)
    }
    expectEqual(Self.events(of: bytes.map { [$0] }), whole)
  }

  @Test func limitsCountForEachRequestAndAreReached() {
    var limits = LoopbackServer.Limits()
    (limits.headBytes, limits.bodyBytes) = (Self.chunked.utf8.count + 6, 100)
    let size = String(repeating: "0", count: 1020) + "3c\r\n"
    let body = String(repeating: "x", count: 60) + "\r\n"
    let whole = Self.chunked + size + body + "28\r\n" + body.dropFirst(20) + "0\r\n"
    let words = Self.words(for: Self.events(of: [Array((whole + "A:\r\n\r\n" + whole + "\r\n").utf8)], limits: limits))
    let start = "POST / Host: h, Transfer-Encoding: chunked; " + String(repeating: "x", count: 100)
    expectEqual(words, [start + "; A: ", start])
  }

  /// The parser moves its bytes to the front while it waits for the rest of a line.
  @Test func manyRequestsMayComeAtOnce() {
    let request = "GET /" + String(repeating: "a", count: 1000) + " HTTP/1.1\r\nHost: h\r\n\r\n"
    let bytes = Array(String(repeating: request, count: 100).utf8)
    let events = Self.events(of: [bytes.dropLast(20), bytes.suffix(20)])
    expectEqual(Self.words(for: events).count, 100)
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
    for fields in ["0\r\nExpect: 100-continue", "1\r\nHost: h\r\nExpect: else"] {
      let events = Self.events(of: [Array("PUT / HTTP/1.\(fields)\r\n\r\n".utf8)])
      let head = try #require(events.first.flatMap { if case .head(let head) = $0 { head } else { nil } })
      #expect(!head.expectsContinue)
    }
  }

  @Test(
    arguments: [
      ("GET /\r\nHost: h\r\n\r\n", 400), ("GET / HTTP/1.1 \r\nHost: h\r\n\r\n", 400),
      ("G(T / HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET  HTTP/1.1\r\nHost: h\r\n\r\n", 400),
      (" GET / HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("GET /\u{7} HTTP/1.1\r\nHost: h\r\n\r\n", 400),
      ("GET /\u{7F} HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
      ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400), (twoEncodings, 501),
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
      (chunked + "1\r\nxy\n", 400), (chunked + "1\r\nx\ry", 400), (chunked + "1;\u{1}\r\n", 400),
      (chunked + "0\r\nbad trailer\r\n\r\n", 400), (chunked + String(repeating: "0", count: 2000), 400),
      ("GET /" + String(repeating: "a", count: 2000), 431),
      ("GET / HTTP/1.1\r\nHost: h\r\nX: " + String(repeating: "y", count: 969) + "\r\n\r\n", 431),
      ("GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: y\r\n", count: 400), 431),
      (chunked + "0\r\n" + String(repeating: "X: y\r\n", count: 400), 431),
    ] as [(String, Int)])
  func invalidRequestsAreRefused(message: String, status: Int) {
    var limits = LoopbackServer.Limits()
    limits.headBytes = 1000
    limits.bodyBytes = 100
    let bytes = Array(message.utf8)
    for pieces in [[bytes], bytes.map { [$0] }] {
      let events = Self.events(of: pieces, limits: limits)
      guard case .failure(let failure) = events.last else {
        Issue.record("\(message.debugDescription) was accepted: \(events)")
        continue
      }
      #expect(failure.status == status, "\(message.debugDescription): \(failure.reason)")
      // No event follows.
      let next = Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
      expectEqual(Self.events(of: pieces + [next], limits: limits), events)
    }
  }

  private static let chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
  private static let twoEncodings =
    "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"

  /// A text for each request: method, target and fields, then the body and the trailers where there are any.
  private static func words(for events: [Event]) -> [String] {
    events.reduce(into: []) { words, event in
      switch event {
      case .head(let head): words.append("\(head.method) \(head.target) \(text(of: head.headers))")
      case .body(let bytes): words[words.count - 1] += "; " + String(decoding: bytes, as: UTF8.self)
      case .end(let trailers): words[words.count - 1] += trailers.isEmpty ? "" : "; " + text(of: trailers)
      case .failure(let failure): words.append("\(failure.status)")
      }
    }
  }

  private static func text(of headers: HTTPHeaders) -> String {
    headers.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
  }

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
