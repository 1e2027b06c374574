import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices

@Suite struct ResponseCacheErrorTests {
  private let cache: ResponseCache
  private let wall: WallClock
  private let fresh: HTTPHeaders = ["Cache-Control": "max-age=60"]

  init() {
    (cache, wall) = cacheOnWallClock()
  }

  @Test(arguments: [299, 400, 403, 404, 499, 500, 502, 503, 504, 599])
  func statusWithExplicitFreshnessIsStored(statusCode: Int) {
    cache.exchange(wall.response(statusCode, fresh))
    let given = cache.plan().delivered
    #expect(given?.statusCode == statusCode)
    #expect(given?.text == "Rome")
    wall.advance(by: 61)
    #expect(cache.plan().delivered == nil)
  }

  @Test(arguments: [400, 404, 500, 503])
  func storedErrorIsNotServedForAFailure(statusCode: Int) {
    let (cache, wall) = cacheOnWallClock(rules: ResponseCache.Rules(staleIfError: 600))
    let headers = ["Cache-Control": "max-age=60, stale-if-error=600", "ETag": "\"1\""] as HTTPHeaders
    cache.exchange(wall.response(statusCode, headers))
    wall.advance(by: 61)
    let plan = cache.plan()
    #expect(cache.handleError(plan: plan) == nil)
    #expect(cache.handle(wall.response(502, body: "now"), plan: plan).response?.text == "now")
  }

  @Test func errorWithoutFreshnessLeavesWhatIsStored() {
    cache.exchange(wall.response(200, fresh))
    cache.exchange(policy: .reload, wall.response(500, ["ETag": "\"2\""], body: "down"))
    #expect(cache.plan().delivered?.text == "Rome")
  }

  @Test func errorWithFreshnessReplacesWhatIsStored() {
    cache.exchange(wall.response(200, fresh))
    cache.exchange(policy: .reload, wall.response(410, fresh, body: "gone"))
    #expect(cache.plan().delivered?.text == "gone")
  }
}
