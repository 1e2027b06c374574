import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesResilience

@Suite struct ResponseCacheErrorTests {
  private let cache: ResponseCache
  private let wall: WallClock
  private let fresh: HTTPHeaders = ["Cache-Control": "max-age=60"]

  init() {
    (cache, wall) = cacheOnWallClock()
  }

  @Test(arguments: [400, 404, 500, 503])
  func storedErrorIsNotServedForAFailure(statusCode: Int) {
    let (cache, wall) = cacheOnWallClock(rules: ResponseCache.Rules(staleIfError: 600))
    let headers = ["Cache-Control": "max-age=60, stale-if-error=600", "ETag": "\"1\""] as HTTPHeaders
    cache.exchange(wall.response(statusCode, headers))
    wall.advance(by: 61)
    let plan = cache.plan()
    #expect(cache.handleError(plan: plan) == nil)
    #expect(cache.handle(wall.response(502, body: "now"), plan: plan).text == "now")
  }

  @Test func errorWithoutFreshnessLeavesWhatIsStored() {
    cache.exchange(wall.response(200, fresh))
    cache.exchange(policy: .reload, wall.response(500, ["ETag": "\"2\""], body: "down"))
    #expect(cache.plan().delivered?.text == "Rome")
  }
}
