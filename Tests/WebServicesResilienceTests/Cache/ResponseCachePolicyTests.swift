import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP

@Suite struct ResponseCachePolicyTests {
  private let bench = CacheBench()
  private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  @Test func policyIsSentAsCacheControl() {
    bench.exchange(bench.response(200, tagged))
    #expect(bench.plan(policy: .reload).sent?.headers == ["Cache-Control": "no-cache"])
    #expect(bench.plan(policy: .noStore).sent?.headers == ["Cache-Control": "no-store"])
    #expect(
      bench.plan(policy: .revalidate).sent?.headers == ["If-None-Match": "\"1\"", "Cache-Control": "max-age=0"])
    let own = CacheBench.request(headers: ["Cache-Control": "x=y"])
    #expect(bench.plan(own, policy: .reload).sent?.headers == ["Cache-Control": "x=y"])
  }

  @Test func reloadedResponseIsStored() {
    bench.exchange(bench.response(200, tagged))
    bench.exchange(policy: .reload, bench.response(200, tagged, body: "Oslo"))
    #expect(bench.plan().delivered?.text == "Oslo")
  }

  @Test func noStoreStoresNothingAndKeepsTheStored() {
    bench.exchange(policy: .noStore, bench.response(200, tagged))
    #expect(bench.plan().delivered == nil)
    bench.exchange(bench.response(200, tagged))
    bench.exchange(policy: .noStore, bench.response(200, tagged, body: "Oslo"))
    bench.exchange(
      CacheBench.request(headers: ["Cache-Control": "no-store"]), bench.response(200, tagged, body: "Bonn"))
    #expect(bench.plan().delivered?.text == "Rome")
  }

  @Test func onlyIfCachedGives504WithoutSending() {
    for plan in [
      bench.plan(policy: .onlyIfCached), bench.plan(CacheBench.request(headers: ["Cache-Control": "only-if-cached"])),
      bench.plan(CacheBench.request(.post), policy: .onlyIfCached),
    ] {
      #expect(plan.sent == nil)
      #expect(plan.delivered?.statusCode == 504)
      #expect(plan.delivered?.url == CacheBench.url)
    }
    bench.exchange(bench.response(200, tagged))
    #expect(bench.plan(policy: .onlyIfCached).delivered?.text == "Rome")
  }

  @Test func uncachedRequestsPassUnchanged() {
    bench.exchange(bench.response(200, tagged))
    var withBody = CacheBench.request()
    withBody.body = .data(Data("x".utf8))
    var streamed = CacheBench.request()
    streamed.receiver = ForgetfulReceiver()
    let others = [
      withBody, streamed, CacheBench.request(.post), CacheBench.request(.options),
      CacheBench.request(headers: ["Range": "bytes=0-1"]), CacheBench.request(headers: ["if-none-match": "\"7\""]),
      CacheBench.request(headers: ["If-Modified-Since": "x"]),
    ]
    for request in others {
      let plan = bench.plan(request)
      #expect(plan.delivered == nil)
      #expect(plan.sent?.headers == request.headers)
      #expect(bench.cache.handle(bench.response(304, body: ""), plan: plan).response?.statusCode == 304)
    }
  }

  @Test func responseBeyondTheRequestsLimitIsNotServed() {
    bench.exchange(bench.response(200, tagged))
    var small = CacheBench.request()
    small.responseLimit = 3
    #expect(bench.plan(small).delivered == nil)
    small.responseLimit = 4
    #expect(bench.plan(small).delivered != nil)
  }

  @Test func redirectFollowedBySessionIsNotStored() {
    bench.exchange(bench.response(200, tagged, url: testURL("https://api.example.com/elsewhere")))
    #expect(bench.plan().delivered == nil)
  }

  @Test func redirectIsStoredAsItIs() {
    bench.exchange(bench.response(301, ["Location": "/new", "Cache-Control": "max-age=60"]))
    #expect(bench.plan().delivered?.headers["Location"] == "/new")
  }

  @Test func newerAnswerNotStored() {
    bench.exchange(bench.response(200, tagged))
    bench.exchange(policy: .reload, bench.response(200, ["Cache-Control": "no-store"], body: "Oslo"))
    #expect(bench.plan().delivered == nil)
    bench.exchange(bench.response(200, tagged))
    bench.exchange(policy: .reload, bench.response(503))
    #expect(bench.plan().delivered?.text == "Rome")
  }
}
