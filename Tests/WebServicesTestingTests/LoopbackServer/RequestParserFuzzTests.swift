import Foundation
import Testing
import WebServices

@testable import WebServicesTestSupport
@testable import WebServicesTesting

@Suite struct RequestParserFuzzTests {
  private static let samples = [
    "GET /a?b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.0\r\n\r\n",
    "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n",
  ].map { Array($0.utf8) }
  private static let words = [
    "\r\n", "Content-Length: 99999999999999999999\r\n", "Transfer-Encoding: chunked\r\n", "FFFFFFFFFFFFFFFF\r\n",
    "7fffffffffffffff",
    "HTTP/9.9", ":", " ",
  ].map { Array($0.utf8) }

  @Test func parsingIsIndependentOfCutsForRandomRequests() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<1500 {
      var bytes = Self.samples[random.below(Self.samples.count)]
      for _ in 0...random.below(6) { change(&bytes, &random) }
      let whole = events(in: [bytes])
      let place = random.below(bytes.count + 1)
      #expect(events(in: [Array(bytes[..<place]), Array(bytes[place...])]) == whole)
      #expect(events(in: bytes.map { [$0] }) == whole)
    }
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let place = random.below(bytes.count + 1)
    let end = min(bytes.count, place + 1 + random.below(8))
    switch random.below(4) {
    case 0: bytes.replaceSubrange(place..<end, with: [UInt8(truncatingIfNeeded: random.next())])
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count + 1))
    default: bytes.insert(contentsOf: Self.words[random.below(Self.words.count)], at: place)
    }
  }

  /// All events, with the pieces of each body joined.
  private func events(in pieces: [[UInt8]]) -> [RequestParser.Event] {
    var parser = RequestParser()
    var events: [RequestParser.Event] = []
    for piece in pieces {
      parser.receive(piece)
      while let event = parser.next() {
        if case .body(let more) = event, case .body(let former)? = events.last {
          events[events.count - 1] = .body(former + more)
        } else {
          events.append(event)
        }
      }
    }
    return events
  }
}

extension SeededGenerator {
  fileprivate mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: next() % UInt64(max(1, bound))) }
}
