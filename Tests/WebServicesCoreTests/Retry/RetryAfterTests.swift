import Foundation
import Testing
import WebServices

@Suite struct RetryAfterTests {
  private let now = Date(timeIntervalSince1970: 941_241_600)

  @Test func rfc9110ExamplesAreParsed() {
    #expect(RetryAfter("120") == .seconds(120))
    #expect(RetryAfter("Fri, 31 Dec 1999 23:59:59 GMT") == .date(Date(timeIntervalSince1970: 946_684_799)))
    #expect(RetryAfter(" 0\t") == .seconds(0))
  }

  @Test(arguments: ["", " ", "-1", "+1", "1.5", "1e3", "0x10", "nan", "inf", "soon", "1 2", "٣"])
  func otherTextsAreRefused(text: String) {
    #expect(RetryAfter(text) == nil)
    #expect(RetryAfter.delay(in: ["Retry-After": text], now: now) == nil)
  }

  @Test func hugeNumbersAreBounded() {
    let century: TimeInterval = 100 * 366 * 86_400
    #expect(RetryAfter(String(repeating: "9", count: 5000)) == .seconds(century))
    #expect(RetryAfter.date(.distantFuture).delay(since: .distantPast) <= century)
  }

  @Test func pastDateIsOver() {
    #expect(RetryAfter.delay(in: ["Retry-After": "Fri, 31 Dec 1993 23:59:59 GMT"], now: now) == 0)
  }

  @Test func serverDateCorrectsClockSkew() {
    let headers: HTTPHeaders = [
      "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT",
    ]
    #expect(RetryAfter.delay(in: headers, now: now) == 30)
    #expect(RetryAfter.delay(in: ["Retry-After": "5"], now: now) == 5)
    #expect(RetryAfter.delay(in: [:], now: now) == nil)
  }
}
