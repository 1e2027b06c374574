@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct RetryAfterTests {
  private let now = Date(timeIntervalSince1970: 941_241_600)

  private func delay(_ text: String) -> TimeInterval? { (["Retry-After": text] as HTTPHeaders).retryAfter(now: now) }

  @Test func rfc9110ExamplesAreParsed() {
    expectEqual(delay("120"), 120)
    expectEqual(delay("Fri, 31 Dec 1999 23:59:59 GMT"), 5_443_199)
    expectEqual(delay(" 0\t"), 0)
    expectEqual(delay("Fri, 31 Dec 1993 23:59:59 GMT"), 0)
  }

  @Test(arguments: ["", " ", "-1", "+1", "1.5", "1e3", "0x10", "nan", "inf", "soon", "1 2", "٣"])
  func otherTextsAreRefused(text: String) {
    expectEqual(delay(text), nil)
  }

  @Test func hugeNumbersAreBounded() {
    expectEqual(delay(String(repeating: "9", count: 5000)), HTTPHeaders.retryAfterLimit)
    let headers: HTTPHeaders = [
      "Date": "Thu, 01 Jan 1970 00:00:00 GMT", "Retry-After": "Fri, 31 Dec 9999 23:59:59 GMT",
    ]
    expectEqual(headers.retryAfter(now: now), HTTPHeaders.retryAfterLimit)
  }

  @Test func headersAndErrorSayTheSeconds() {
    let headers: HTTPHeaders = ["Retry-After": "120"]
    expectEqual(headers.retryAfter, 120)
    let response = WebServiceResponse(statusCode: 429, headers: headers, url: testURL("https://api.example.com"))
    expectEqual(WebServiceError(.statusCode(429), response: response).retryAfter, 120)
    expectEqual(WebServiceError(.cancelled).retryAfter, nil)
  }

  @Test func serverDateCorrectsClockSkew() {
    let headers: HTTPHeaders = [
      "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT",
    ]
    expectEqual(headers.retryAfter(now: now), 30)
    expectEqual(delay("5"), 5)
    expectEqual(HTTPHeaders().retryAfter(now: now), nil)
  }
}
