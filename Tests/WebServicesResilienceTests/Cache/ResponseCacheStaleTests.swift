import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesResilience

@Suite struct ResponseCacheStaleTests {
  private let cache: ResponseCache
  private let wall: WallClock
  private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  init() {
    (cache, wall) = cacheOnWallClock()
  }

  @Test func staleWhileRevalidateServesStaleDuringOneRefresh() {
    cache.exchange(wall.response(200, ["Cache-Control": "max-age=60, stale-while-revalidate=100", "ETag": "\"1\""]))
    wall.advance(by: 70)
    var request = cityRequest()
    request.onProgress = { _ in }
    let plan = cache.plan(request)
    #expect(plan.delivered?.text == "Rome")
    #expect(plan.delivered?.headers["Age"] == "70")
    #expect(plan.sent?.headers == ["If-None-Match": "\"1\""])
    #expect(plan.sent?.onProgress == nil)
    #expect(cache.beginRefresh(of: plan))
    let second = cache.plan()
    #expect(second.delivered?.text == "Rome")
    #expect(!cache.beginRefresh(of: second))
    _ = cache.handle(wall.response(200, tagged, body: "Oslo"), plan: plan)
    #expect(cache.plan().delivered?.text == "Oslo")
  }

  @Test func failedRefreshIsRepeated() {
    cache.exchange(wall.response(200, ["Cache-Control": "max-age=60, stale-while-revalidate=1000"]))
    wall.advance(by: 70)
    let plan = cache.plan()
    #expect(cache.beginRefresh(of: plan))
    #expect(cache.handleError(plan: plan) == nil)
    cache.endRefresh(of: plan)
    #expect(cache.beginRefresh(of: cache.plan()))
  }

  @Test func staleIfErrorServesStaleAfterFailures() {
    cache.exchange(wall.response(200, ["Cache-Control": "max-age=60, stale-if-error=40", "ETag": "\"1\""]))
    wall.advance(by: 70)
    #expect(cache.handleError(plan: cache.plan())?.text == "Rome")
    for status in [500, 502, 503, 504] {
      let response = cache.exchange(wall.response(status, body: "sorry"))
      #expect(response.text == "Rome")
      #expect(response.statusCode == 200)
      #expect(response.headers["Age"] == "70")
    }
    #expect(cache.exchange(wall.response(501, body: "sorry")).statusCode == 501)
    #expect(cache.exchange(wall.response(403, body: "sorry")).statusCode == 403)
    let plan = cache.plan()
    wall.advance(by: 30)
    #expect(cache.handleError(plan: plan) == nil)
    #expect(cache.exchange(wall.response(503)).statusCode == 503)
  }

  @Test func missingOrMismatchedResponseDoesNotStandIn() {
    #expect(cache.handleError(plan: cache.plan()) == nil)
    let (cache, wall) = cacheOnWallClock(rules: ResponseCache.Rules(staleIfError: 1000))
    cache.exchange(wall.response(200, tagged))
    wall.advance(by: 61)
    #expect(cache.handleError(plan: cache.plan(policy: .reload)) == nil)
    #expect(cache.handleError(plan: cache.plan(policy: .revalidate)) == nil)
    #expect(cache.handleError(plan: cache.plan(cityRequest(.put))) == nil)
    #expect(cache.handleError(plan: cache.plan())?.text == "Rome")
  }
}
