import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices

@Suite struct ResponseCacheErrorTests {
  private let bench = CacheBench()
  private let fresh: HTTPHeaders = ["Cache-Control": "max-age=60"]

  @Test(arguments: [299, 400, 403, 404, 499, 500, 502, 503, 504, 599])
  func statusWithExplicitFreshnessIsStored(statusCode: Int) {
    bench.exchange(bench.response(statusCode, fresh))
    let given = bench.plan().delivered
    #expect(given?.statusCode == statusCode)
    #expect(given?.text == "Rome")
    bench.advance(by: 61)
    #expect(bench.plan().delivered == nil)
  }

  @Test(arguments: [400, 404, 500, 503])
  func storedErrorStandsInForNothing(statusCode: Int) {
    let bench = CacheBench(rules: ResponseCache.Rules(staleIfError: 600))
    let headers = ["Cache-Control": "max-age=60, stale-if-error=600", "ETag": "\"1\""] as HTTPHeaders
    bench.exchange(bench.response(statusCode, headers))
    bench.advance(by: 61)
    let plan = bench.plan()
    #expect(bench.cache.handleError(plan: plan) == nil)
    #expect(bench.cache.handle(bench.response(502, body: "now"), plan: plan).response?.text == "now")
  }

  @Test func errorWithoutFreshnessLeavesWhatIsStored() {
    bench.exchange(bench.response(200, fresh))
    bench.exchange(policy: .reload, bench.response(500, ["ETag": "\"2\""], body: "down"))
    #expect(bench.plan().delivered?.text == "Rome")
  }

  @Test func errorWithFreshnessReplacesWhatIsStored() {
    bench.exchange(bench.response(200, fresh))
    bench.exchange(policy: .reload, bench.response(410, fresh, body: "gone"))
    #expect(bench.plan().delivered?.text == "gone")
  }
}
