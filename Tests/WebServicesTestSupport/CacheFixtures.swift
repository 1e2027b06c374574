@testable import WebServicesHTTP
@testable import WebServicesResilience

/// The URL of the cached city.
let cityURL = testURL("https://api.example.com/cities/1")

/// The header fields of a response that is fresh for a minute and can be confirmed.
let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

/// A date that a test advances.
final class WallClock: Sendable {
  static let start = Date(timeIntervalSince1970: 1_790_000_000)

  private let date = Locked(WallClock.start)

  var now: Date { date.withLock { $0 } }

  func advance(by seconds: TimeInterval) {
    date.withLock { $0.addTimeInterval(seconds) }
  }

  /// A response with the current date.
  func response(
    _ statusCode: Int = 200, _ headers: HTTPHeaders = HTTPHeaders(), body: String = "Rome", url: URL = cityURL
  ) -> WebServiceResponse {
    var headers = headers
    if headers["Date"] == nil { headers["Date"] = HTTPDate.string(from: now) }
    return WebServiceResponse(statusCode: statusCode, headers: headers, url: url, body: Data(body.utf8))
  }
}

/// Makes a cache whose date the test advances.
func cacheOnWallClock(
  store: any ResponseStore = MemoryResponseStore(), rules: ResponseCache.Rules = ResponseCache.Rules()
) -> (cache: ResponseCache, wall: WallClock) {
  let wall = WallClock()
  return (ResponseCache(store, rules) { wall.now }, wall)
}

func cityRequest(
  _ method: HTTPMethod = .get, _ url: URL = cityURL, headers: HTTPHeaders = HTTPHeaders()
) -> TransportRequest {
  TransportRequest(method: method, url: url, headers: headers)
}

extension ResponseCache {
  /// The plan for a request without a body.
  func plan(
    _ request: TransportRequest = cityRequest(), identity: String? = nil, policy: ResponseCache.Policy = .useCache
  ) -> CachePlan {
    plan(for: request, identity: identity, policy: policy)
  }

  /// Sends a request, responds once if the server is asked, and returns the caller's response.
  @discardableResult
  func exchange(
    _ request: TransportRequest, identity: String? = nil, policy: ResponseCache.Policy = .useCache,
    _ response: WebServiceResponse, sourceLocation: SourceLocation = #_sourceLocation
  ) -> WebServiceResponse {
    let plan = plan(request, identity: identity, policy: policy)
    #expect(plan.sent != nil, "nothing was to be sent", sourceLocation: sourceLocation)
    return handle(response, plan: plan)
  }

  /// Sends a plain GET.
  @discardableResult
  func exchange(
    identity: String? = nil, policy: ResponseCache.Policy = .useCache, _ response: WebServiceResponse,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> WebServiceResponse {
    exchange(cityRequest(), identity: identity, policy: policy, response, sourceLocation: sourceLocation)
  }
}

/// The identity of a user with these credentials.
func identity(of user: String) -> String? {
  CacheKey.identity(of: cityRequest(headers: ["Authorization": user]))
}

extension ResponseCache {
  /// The response that the caller gets after the server's response.
  func handle(_ response: WebServiceResponse, plan: CachePlan) -> WebServiceResponse {
    outcome(of: response, plan: plan) ?? response
  }
}

extension WebServiceResponse {
  var text: String { String(decoding: body, as: UTF8.self) }
}

/// Makes a URL from a valid text.
func testURL(_ text: String) -> URL {
  URL(string: text) ?? URL(fileURLWithPath: "/no/url")
}

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
