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
}
