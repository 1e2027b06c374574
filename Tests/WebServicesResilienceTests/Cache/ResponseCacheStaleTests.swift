import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesResilience

@Suite struct ResponseCacheStaleTests {
  private let bench = CacheBench()
  private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  @Test func staleWhileRevalidateServesStaleDuringOneRefresh() {
    bench.exchange(bench.response(200, ["Cache-Control": "max-age=60, stale-while-revalidate=100", "ETag": "\"1\""]))
    bench.advance(by: 70)
    var request = CacheBench.request()
    request.onProgress = { _ in }
    let plan = bench.plan(request)
    #expect(plan.delivered?.text == "Rome")
    #expect(plan.delivered?.headers["Age"] == "70")
    #expect(plan.sent?.headers == ["If-None-Match": "\"1\""])
    #expect(plan.sent?.onProgress == nil)
    let second = bench.plan()
    #expect(second.delivered?.text == "Rome")
    #expect(second.sent == nil)
    _ = bench.cache.handle(bench.response(200, tagged, body: "Oslo"), plan: plan)
    #expect(bench.plan().delivered?.text == "Oslo")
    #expect(bench.cache.statistics.staleHits == 2)
  }

  @Test func failedRefreshIsRepeated() {
    bench.exchange(bench.response(200, ["Cache-Control": "max-age=60, stale-while-revalidate=1000"]))
    bench.advance(by: 70)
    let plan = bench.plan()
    #expect(bench.cache.handleError(plan: plan) == nil)
    #expect(bench.plan().sent != nil)
    #expect(bench.plan().sent == nil)
    bench.advance(by: 60)
    #expect(bench.plan().sent != nil)
  }

  @Test func staleIfErrorServesStaleAfterFailures() {
    bench.exchange(bench.response(200, ["Cache-Control": "max-age=60, stale-if-error=40", "ETag": "\"1\""]))
    bench.advance(by: 70)
    #expect(bench.cache.handleError(plan: bench.plan())?.text == "Rome")
    for status in [500, 502, 503, 504] {
      let answer = bench.exchange(bench.response(status, body: "sorry"))
      #expect(answer.text == "Rome")
      #expect(answer.statusCode == 200)
      #expect(answer.headers["Age"] == "70")
    }
    #expect(bench.cache.statistics.staleOnError == 5)
    #expect(bench.exchange(bench.response(501, body: "sorry")).statusCode == 501)
    #expect(bench.exchange(bench.response(403, body: "sorry")).statusCode == 403)
    let plan = bench.plan()
    bench.advance(by: 30)
    #expect(bench.cache.handleError(plan: plan) == nil)
    #expect(bench.exchange(bench.response(503)).statusCode == 503)
  }

  @Test func missingOrMismatchedResponseDoesNotStandIn() {
    #expect(bench.cache.handleError(plan: bench.plan()) == nil)
    let bench = CacheBench(rules: ResponseCache.Rules(staleIfError: 1000))
    bench.exchange(bench.response(200, tagged))
    bench.advance(by: 61)
    #expect(bench.cache.handleError(plan: bench.plan(policy: .reload)) == nil)
    #expect(bench.cache.handleError(plan: bench.plan(policy: .revalidate)) == nil)
    #expect(bench.cache.handleError(plan: bench.plan(CacheBench.request(.put))) == nil)
    #expect(bench.cache.handleError(plan: bench.plan())?.text == "Rome")
  }
}
