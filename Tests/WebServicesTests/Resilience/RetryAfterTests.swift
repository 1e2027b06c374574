import Foundation
import Testing
import WebServices

@Suite("The time after which a server wants to be asked again")
struct RetryAfterTests {
  private let now = Date(timeIntervalSince1970: 941_241_600)

  @Test("is read as RFC 9110's examples have it")
  func examples() {
    #expect(RetryAfter("120") == .seconds(120))
    #expect(RetryAfter("Fri, 31 Dec 1999 23:59:59 GMT") == .date(Date(timeIntervalSince1970: 946_684_799)))
    #expect(RetryAfter(" 0\t") == .seconds(0))
  }

  @Test("is nothing else", arguments: ["", " ", "-1", "+1", "1.5", "1e3", "0x10", "nan", "inf", "soon", "1 2", "٣"])
  func others(text: String) {
    #expect(RetryAfter(text) == nil)
    #expect(RetryAfter.delay(in: ["Retry-After": text], now: now) == nil)
  }

  @Test("is bounded, however many digits it has")
  func huge() {
    let century: TimeInterval = 100 * 366 * 86_400
    #expect(RetryAfter(String(repeating: "9", count: 5000)) == .seconds(century))
    #expect(RetryAfter.date(.distantFuture).delay(since: .distantPast) <= century)
  }

  @Test("is over where its date is")
  func past() {
    #expect(RetryAfter.delay(in: ["Retry-After": "Fri, 31 Dec 1993 23:59:59 GMT"], now: now) == 0)
  }

  @Test("counts from the server's own date, whatever the client's clock shows")
  func skew() {
    let headers: HTTPHeaders = [
      "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT",
    ]
    #expect(RetryAfter.delay(in: headers, now: now) == 30)
    #expect(RetryAfter.delay(in: ["Retry-After": "5"], now: now) == 5)
    #expect(RetryAfter.delay(in: [:], now: now) == nil)
  }
}
