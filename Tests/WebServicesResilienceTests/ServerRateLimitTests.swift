import Foundation
import Testing
@testable import WebServicesTestSupport

import WebServices
@testable import WebServicesResilience

@Suite struct ServerRateLimitTests {
  private let now = Date(timeIntervalSince1970: 1_700_000_000)

  private func limit(_ headers: HTTPHeaders) -> ServerRateLimit? { ServerRateLimit(headers, now: now) }

  @Test(
    arguments: [
      (["RateLimit": "\"default\";r=50;t=30"], 50, 30),
      (["ratelimit": "\"problemPolicy\";r=0;t=10"], 0, 10),
      (["RateLimit": "default;r=50;t=30"], 50, 30),
      (["RateLimit": "\"a;r=9,b\" ; r=1 ;pk=:cHNsZQ==:; t=2"], 1, 2),
      (["RateLimit": "\"permin\";r=50;t=30, \"perhr\";r=2;t=1800"], 2, 1800),
      (["RateLimit": "\"a\";r=0;t=5, \"b\";r=0;t=9"], 0, 9),
      (["RateLimit": "\"a\";r=0", "RateLimit-Policy": "\"b\";q=5;w=7, \"a\";q=100;w=60"], 0, 60),
      (["RateLimit": "\"a\";r=4"], 4, nil),
      (["RateLimit": "limit=100, remaining=7, reset=50"], 7, 50),
      (["RateLimit-Limit": "100", "RateLimit-Remaining": "3", "RateLimit-Reset": "12"], 3, 12),
    ] as [(HTTPHeaders, Int, Double?)])
  func draftFieldsAreRead(headers: HTTPHeaders, remaining: Int, resetsAfter: Double?) {
    #expect(limit(headers) == ServerRateLimit(remaining: remaining, resetsAfter: resetsAfter))
  }

  @Test(
    arguments: [
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"], 0, 30),
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000045"], 0, 45),
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000045123"], 0, 45.123),
      (["x-rate-limit-remaining": "5", "x-rate-limit-reset": "1700000010"], 5, 10),
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "0.25"], 0, 0.25),
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1600000000"], 0, 0),
      (["X-RateLimit-Remaining": "-3", "X-RateLimit-Reset": "soon"], 0, nil),
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "Tue, 14 Nov 2023 22:13:50 GMT"], 0, 30),
      (
        [
          "Date": "Tue, 14 Nov 2023 22:13:00 GMT", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000000",
        ], 0, 20
      ),
    ] as [(HTTPHeaders, Int, Double?)])
  func olderFieldsAreReadWithSpansAndDates(headers: HTTPHeaders, remaining: Int, resetsAfter: Double?) throws {
    let read = try #require(limit(headers))
    #expect(read.remaining == remaining)
    #expect(read.resetsAfter.map { ($0 * 1000).rounded() / 1000 } == resetsAfter)
  }

  @Test(
    arguments: [
      [:], ["Retry-After": "5"], ["RateLimit": ""], ["RateLimit": ";;,,;r"], ["RateLimit": "\"a"],
      ["RateLimit": "\"a\";r=x;t=5"], ["RateLimit": "\"a\";t=5"], ["RateLimit": "remaining=, reset=5"],
      ["RateLimit-Remaining": ""], ["X-RateLimit-Remaining": "1.5"], ["X-RateLimit-Reset": "5"],
      ["X-RateLimit-Remaining": "99999999999999999999"],
    ] as [HTTPHeaders])
  func unreadableFieldsAreNoLimit(headers: HTTPHeaders) {
    #expect(limit(headers) == nil)
  }

  @Test func hugeValuesAreBounded() {
    let many = (0..<10_000).map { "\"\($0)\";r=\($0 + 1);t=5" }.joined(separator: ", ")
    #expect(limit(["RateLimit": many]) == ServerRateLimit(remaining: 1, resetsAfter: 5))
    for text in ["nan", "inf", "1e400", "0x7", "..", String(repeating: "9", count: 400)] {
      let seconds = limit(["RateLimit": "\"a\";r=0;t=\(text)"])?.resetsAfter
      #expect(seconds == nil || seconds == 100 * 366 * 86_400)
      let reset = limit(["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": text])?.resetsAfter
      #expect(reset == nil || reset == 100 * 366 * 86_400)
    }
    var generator = SeededGenerator(seed: 3)
    let alphabet = Array("\"\\;,=rt019.- a")
    for _ in 0..<3000 {
      let text = String(
        (0..<Int.random(in: 0...30, using: &generator)).compactMap { _ in
          alphabet.randomElement(using: &generator)
        })
      let read = limit(["RateLimit": text, "X-RateLimit-Remaining": text, "X-RateLimit-Reset": text])
      #expect(read.map { $0.remaining >= 0 && ($0.resetsAfter ?? 0) >= 0 } != false)
    }
  }

  @Test func pauseNeedsZeroRemainingAndAResetTime() {
    #expect(ServerRateLimit(remaining: 0, resetsAfter: 5).pause == 5)
    #expect(ServerRateLimit(remaining: 1, resetsAfter: 5).pause == nil)
    #expect(ServerRateLimit(remaining: 0, resetsAfter: nil).pause == nil)
  }
}
