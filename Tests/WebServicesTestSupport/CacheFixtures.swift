@testable import WebServicesHTTP
@testable import WebServicesResilience

/// The URL of the cached city.
let cityURL = testURL("https://api.example.com/cities/1")

/// A date that a test advances.
final class WallClock: Sendable {
  static let start = Date(timeIntervalSince1970: 1_790_000_000)

  private let date = Locked(WallClock.start)

  var now: Date { date.withLock { $0 } }

  func advance(by seconds: TimeInterval) { date.withLock { $0.addTimeInterval(seconds) } }

  /// A response with the current date.
  func response(
    _ statusCode: Int = 200, _ headers: HTTPHeaders = HTTPHeaders(), body: String = "Rome", url: URL = cityURL
  ) -> WebServiceResponse {
    var headers = headers
    if headers["Date"] == nil { headers["Date"] = HTTPDate.string(from: now) }
    return WebServiceResponse(statusCode: statusCode, headers: headers, url: url, body: Data(body.utf8))
  }
}

extension WebServiceResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Makes a URL from a valid text.
func testURL(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: "/no/url") }

/// A stored response with default values for everything that a test doesn't set.
func cachedResponse(
  _ headers: HTTPHeaders, statusCode: Int = 200, body: String = "Rome", request: HTTPHeaders = HTTPHeaders(),
  delay: TimeInterval = 0, at responseTime: Date = WallClock.start, url: URL = cityURL
) -> CachedResponse {
  CachedResponse(
    WebServiceResponse(statusCode: statusCode, headers: headers, url: url, body: Data(body.utf8)), to: request,
    requestTime: responseTime.addingTimeInterval(-delay), responseTime: responseTime)
}

extension HTTPHeaders {
  func adding(_ name: String, _ value: String) -> HTTPHeaders {
    var copy = self
    copy.add(name: name, value: value)
    return copy
  }
}
