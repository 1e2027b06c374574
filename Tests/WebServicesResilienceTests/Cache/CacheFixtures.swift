@testable import WebServicesTestSupport
@testable import WebServicesResilience

/// The header fields of a response that is fresh for a minute and can be confirmed.
let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

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
func identity(of user: String) -> String? { identity(["Authorization": user]) }

/// The identity of a request with these fields, of which the named ones carry credentials.
func identity(_ headers: HTTPHeaders, _ names: [String] = [], scope: String? = nil) -> String? {
  var request = cityRequest(headers: headers)
  request.context.credentialNames = names
  return CacheKey.identity(of: request, fields: CredentialFields(redaction: .standard), scope: scope)
}

extension ResponseCache {
  /// The response that the caller gets after the server's response.
  func handle(_ response: WebServiceResponse, plan: CachePlan) -> WebServiceResponse {
    outcome(of: .success(response), plan: plan) ?? response
  }
}
