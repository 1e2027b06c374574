import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP

@Suite struct ResponseCachePolicyTests {
  private let cache: ResponseCache
  private let wall: WallClock
  private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  init() {
    (cache, wall) = cacheOnWallClock()
  }

  @Test func policyIsSentAsCacheControl() {
    cache.exchange(wall.response(200, tagged))
    #expect(cache.plan(policy: .reload).sent?.headers == ["Cache-Control": "no-cache"])
    #expect(cache.plan(policy: .noStore).sent?.headers == ["Cache-Control": "no-store"])
    #expect(
      cache.plan(policy: .revalidate).sent?.headers == ["If-None-Match": "\"1\"", "Cache-Control": "max-age=0"])
    let own = cityRequest(headers: ["Cache-Control": "x=y"])
    #expect(cache.plan(own, policy: .reload).sent?.headers == ["Cache-Control": "x=y"])
  }

  @Test func noStoreLeavesTheStoredResponseUnchanged() {
    cache.exchange(policy: .noStore, wall.response(200, tagged))
    #expect(cache.plan().delivered == nil)
    cache.exchange(wall.response(200, tagged))
    cache.exchange(policy: .noStore, wall.response(200, tagged, body: "Oslo"))
    cache.exchange(
      cityRequest(headers: ["Cache-Control": "no-store"]), wall.response(200, tagged, body: "Bonn"))
    #expect(cache.plan().delivered?.text == "Rome")
  }

  @Test func onlyIfCachedGives504WithoutSending() {
    for plan in [
      cache.plan(policy: .onlyIfCached), cache.plan(cityRequest(headers: ["Cache-Control": "only-if-cached"])),
      cache.plan(cityRequest(.post), policy: .onlyIfCached),
    ] {
      #expect(plan.sent == nil)
      #expect(plan.delivered?.statusCode == 504)
      #expect(plan.delivered?.url == cityURL)
    }
    cache.exchange(wall.response(200, tagged))
    #expect(cache.plan(policy: .onlyIfCached).delivered?.text == "Rome")
  }

  @Test func uncachedRequestsPassUnchanged() {
    cache.exchange(wall.response(200, tagged))
    var withBody = cityRequest()
    withBody.body = .data(Data("x".utf8))
    var streamed = cityRequest()
    streamed.receiver = ForgetfulReceiver()
    let others = [
      withBody, streamed, cityRequest(.post), cityRequest(.options),
      cityRequest(headers: ["Range": "bytes=0-1"]), cityRequest(headers: ["if-none-match": "\"7\""]),
      cityRequest(headers: ["If-Modified-Since": "x"]),
    ]
    for request in others {
      let plan = cache.plan(request)
      #expect(plan.delivered == nil)
      #expect(plan.sent?.headers == request.headers)
      #expect(cache.handle(wall.response(304, body: ""), plan: plan).statusCode == 304)
    }
  }

  @Test func responseBeyondTheRequestsLimitIsNotServed() {
    cache.exchange(wall.response(200, tagged))
    var small = cityRequest()
    small.responseLimit = 3
    #expect(cache.plan(small).delivered == nil)
    small.responseLimit = 4
    #expect(cache.plan(small).delivered != nil)
  }

  @Test func redirectFollowedBySessionIsNotStored() {
    cache.exchange(wall.response(200, tagged, url: testURL("https://api.example.com/elsewhere")))
    #expect(cache.plan().delivered == nil)
  }

  @Test func noStoreReloadRemovesTheResponseButErrorKeepsIt() {
    cache.exchange(wall.response(200, tagged))
    cache.exchange(policy: .reload, wall.response(200, ["Cache-Control": "no-store"], body: "Oslo"))
    #expect(cache.plan().delivered == nil)
    cache.exchange(wall.response(200, tagged))
    cache.exchange(policy: .reload, wall.response(503))
    #expect(cache.plan().delivered?.text == "Rome")
  }
}
