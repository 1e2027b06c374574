@testable import WebServicesTestSupport

/// The result of a session that collects the whole response.
@Suite struct DeliveredResultTests {
  @Test func bodyOfExactlyTheLimitIsDelivered() {
    let url = testURL("https://api.example.com")
    let response = WebServiceResponse(statusCode: 200, url: url, body: Data("abcd".utf8))
    for limit in [3, 4] {
      let delivered = Result<WebServiceResponse, TransportError>.success(response)
        .delivered(to: TransportRequest(url: url, responseLimit: limit))
      expectEqual(delivered.failure?.kind, limit == 4 ? nil : .tooLarge)
      expectEqual(delivered.failure?.response?.body ?? (try? delivered.get().body), Data("abcd".utf8).prefix(limit))
    }
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd"])
  func contentThatFoundationDecodesHasNoFieldsOfTheCodedContent(_ coding: String) throws {
    let url = testURL("https://api.example.com")
    let fields = ["Content-Encoding": coding, "Content-Length": "9"]
    let head = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
    let response = WebServiceResponse(head, method: .get, url: url)
    #expect(response.isDecoded && response.headers.isEmpty)
  }

  @Test func fieldsThatFoundationJoinsAreSeparated() throws {
    let url = testURL("https://api.example.com")
    let fields = [
      "Set-Cookie": "a=1, b=2; Expires=Wed, 09 Jun 2027 10:18:14 GMT, c=3; Path=/, d", "Content-Length": "7, 7",
    ]
    let head = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields))
    let headers = WebServiceResponse(head, method: .get, url: url).headers
    expectEqual(
      headers.values(for: "Set-Cookie"), ["a=1", "b=2; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "c=3; Path=/, d"])
    expectEqual(headers["Content-Length"], "7")
  }

  @Test(arguments: [(HTTPMethod.head, 200), (.get, 204), (.get, 304)] as [(HTTPMethod, Int)])
  func fieldsOfContentThatIsNotSentStay(method: HTTPMethod, status: Int) throws {
    let url = testURL("https://api.example.com")
    let fields = ["Content-Encoding": "gzip", "Content-Length": "9"]
    let head = try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields))
    let response = WebServiceResponse(head, method: method, url: url)
    #expect(!response.isDecoded && response.headers["Content-Length"] == "9")
  }

  /// The session of an app may keep cookies, which belong to the layer for cookies.
  @Test func requestOfFoundationHasNeitherCookiesNorTheLengthOfItsBody() throws {
    var request = TransportRequest(url: testURL("https://api.example.com"), headers: ["Content-Length": "9", "A": "b"])
    request.timeouts.idle = 1.5
    for (foundation, timeout) in [(.apple, 2), (.openSource, TransportRequest.Timeouts.longest)]
      as [(FoundationKind, TimeInterval)]
    {
      let converted = try URLRequest(request, for: foundation)
      expectEqual(converted.allHTTPHeaderFields, ["A": "b"])
      #expect(!converted.httpShouldHandleCookies && converted.timeoutInterval == timeout)
    }
  }

  @Test(arguments: [0, -1, .nan, .infinity, 7] as [TimeInterval])
  func onlyATimeoutIsTakenFromARequestOfFoundation(timeout: TimeInterval) {
    var request = URLRequest(url: testURL("https://api.example.com"))
    request.timeoutInterval = timeout
    expectEqual(TransportRequest(request).timeouts.idle, timeout == 7 ? 7 : nil)
  }

  @Test func requestWithAnInvalidHeadFailsBeforeItsTaskIsMade() {
    let (session, results) = (HeldSession(usesDataTasks: true), Collector<TransportError.Kind?>())
    let request = TransportRequest(url: testURL("https://api.example.com"), headers: ["A": "b\nc"])
    session.transferTask(with: request) { results.append($0.failure?.kind) }.resume()
    expectEqual(results.elements, [.invalidRequest])
    #expect(session.transfers.isEmpty)
  }
}
