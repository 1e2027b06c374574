@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct CacheRangeTests {
  private let modified = "Sun, 06 Nov 1994 08:49:37 GMT"

  /// Makes a stored response with the body "0123456789".
  private func stored(statusCode: Int = 200, tag: String = "\"1\"") -> CachedResponse {
    let headers: HTTPHeaders = [
      "ETag": tag, "Last-Modified": modified, "Date": HTTPDate.string(from: WallClock.start), "Content-Type": "a/b",
    ]
    // A body may begin at any index.
    let body = Data("x0123456789".utf8).dropFirst()
    let response = WebServiceResponse(statusCode: statusCode, headers: headers, url: cityURL, body: body)
    return CachedResponse(response, requestTime: WallClock.start, responseTime: WallClock.start)
  }

  /// The body that the cache delivers; `nil` if the cache must ask the server.
  private func text(_ range: String?, _ response: CachedResponse, ifRange: String? = nil) -> String? {
    var headers = HTTPHeaders()
    headers["Range"] = range
    headers["If-Range"] = ifRange
    let request = cityRequest(headers: headers)
    guard response.share(for: request) != nil else { return nil }
    return response.delivery(to: request, at: WallClock.start, isConfirmed: false).text
  }

  @Test(
    arguments: [
      ("bytes=0-0", "0"), ("bytes=2-5", "2345"), ("bytes=0-9", "0123456789"), ("bytes=7-99", "789"),
      ("bytes=7-", "789"), ("bytes=-3", "789"), ("bytes=-99", "0123456789"), ("BYTES=9-", "9"), ("bytes=10-", nil),
      ("bytes=10-12", nil), ("bytes=11-12", nil), ("bytes=-0", nil), ("bytes=0-9223372036854775807", "0123456789"),
    ] as [(String, String?)])
  func rangeIsServedFromTheWholeContent(range: String, expected: String?) {
    expectEqual(text(range, stored()), expected)
  }

  @Test func partialResponseHasStatus206AndContentRange() {
    let request = cityRequest(headers: ["Range": "bytes=4-5"])
    let given = stored().delivery(to: request, at: WallClock.start + 5, isConfirmed: false)
    expectEqual(given.statusCode, 206)
    let fields = ["Content-Range", "Content-Length", "ETag", "Age"].map { given.headers[$0] }
    expectEqual(fields, ["bytes 4-5/10", "2", "\"1\"", "5"])
  }

  @Test(arguments: [("\"1\"", "23"), ("\"2\"", "0123456789"), ("W/\"1\"", "0123456789")])
  func ifRangeDecidesBetweenPartAndWhole(condition: String, expected: String) {
    expectEqual(text("bytes=2-3", stored(), ifRange: condition), expected)
    expectEqual(text("bytes=2-3", stored(tag: "W/\"1\""), ifRange: "W/\"1\""), "0123456789")
    // Only the server judges a date.
    expectEqual(text("bytes=2-3", stored(), ifRange: modified), nil)
  }

  @Test func errorsAndEmptyContentGiveNoParts() {
    expectEqual(text("bytes=2-3", stored(statusCode: 404)), "0123456789")
    expectEqual(text("bytes=0-0", cachedResponse([:], body: "")), nil)
  }

  @Test func onlyGetWithASingleRangeIsSupported() {
    let requests: [(HTTPMethod, HTTPHeaders)] = [
      (.get, ["Range": "bytes=0-1,3-4"]), (.get, ["Range": "items=0-1"]), (.get, ["Range": "bytes=2-1"]),
      (.get, ["Range": "bytes=0-1", "range": "bytes=3-4"]), (.head, ["Range": "bytes=0-1"]),
      (.post, ["Range": "bytes=0-1"]),
    ]
    for (method, headers) in requests { #expect(CacheRange(cityRequest(method, headers: headers)) == nil) }
  }
}
