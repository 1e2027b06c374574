import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesResilience

@Suite struct ResponseCacheTests {
  private let bench = CacheBench()
  private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  @Test func freshResponseIsServedWithItsAge() {
    let first = bench.exchange(bench.response(200, tagged))
    #expect(first.headers["Age"] == nil)
    bench.advance(by: 12.7)
    let plan = bench.plan()
    #expect(plan.sent == nil)
    #expect(plan.delivered?.text == "Rome")
    #expect(plan.delivered?.statusCode == 200)
    #expect(plan.delivered?.url == CacheBench.url)
    #expect(plan.delivered?.headers["ETag"] == "\"1\"")
    #expect(plan.delivered?.headers.values(for: "Age") == ["12"])
    #expect(bench.cache.statistics.hits == 1)
    #expect(bench.cache.statistics.misses == 1)
    #expect(bench.cache.statistics.stores == 1)
  }

  @Test func ageFieldIsReplaced() {
    bench.exchange(bench.response(200, ["Cache-Control": "max-age=60", "Age": "5", "age": "7"]))
    bench.advance(by: 10)
    #expect(bench.plan().delivered?.headers.values(for: "Age") == ["15"])
  }

  @Test func noCacheFieldsAreOmittedUntilConfirmed() {
    let answer = bench.response(200, ["Cache-Control": "max-age=60, no-cache=\"Set-Cookie\"", "Set-Cookie": "a=b"])
    #expect(bench.exchange(answer).headers["Set-Cookie"] == "a=b")
    let delivered = bench.plan().delivered
    #expect(delivered?.text == "Rome")
    #expect(delivered?.headers["Set-Cookie"] == nil)
  }

  // MARK: Revalidation

  @Test func staleResponseIsRevalidatedAndUpdated() {
    bench.exchange(bench.response(200, tagged.adding("X-Version", "1").adding("Content-Type", "text/plain")))
    bench.advance(by: 61)
    let plan = bench.plan()
    #expect(plan.delivered == nil)
    #expect(plan.sent?.headers == ["If-None-Match": "\"1\""])
    let answer = bench.cache.handle(
      bench.response(
        304,
        [
          "Cache-Control": "max-age=100", "X-Version": "2", "ETag": "\"1\"", "Content-Length": "0",
          "Content-Type": "text/html", "Content-Encoding": "br", "Connection": "close",
        ], body: ""),
      plan: plan
    ).response
    #expect(answer?.statusCode == 200)
    #expect(answer?.text == "Rome")
    #expect(answer?.headers["X-Version"] == "2")
    #expect(answer?.headers["Content-Type"] == "text/plain")
    #expect(answer?.headers["Content-Length"] == nil)
    #expect(answer?.headers["Content-Encoding"] == nil)
    #expect(answer?.headers["Connection"] == nil)
    #expect(bench.cache.statistics.revalidations == 1)
    bench.advance(by: 99)
    #expect(bench.plan().delivered?.headers["Age"] == "99")
    bench.advance(by: 2)
    #expect(bench.plan().delivered == nil)
  }

  @Test func confirmationWithoutDateRestartsTheAge() {
    bench.exchange(bench.response(200, tagged.adding("Age", "50")))
    bench.advance(by: 3600)
    let plan = bench.plan()
    let confirmation = WebServiceResponse(statusCode: 304, url: CacheBench.url)
    #expect(bench.cache.handle(confirmation, plan: plan).response?.headers["Age"] == "0")
    bench.advance(by: 59)
    #expect(bench.plan().delivered?.headers["Age"] == "59")
  }

  @Test func confirmationIsFoundByItsVaryFields() {
    let request = CacheBench.request(headers: ["Accept": "a"])
    bench.exchange(request, bench.response(200, tagged))
    bench.advance(by: 61)
    bench.exchange(request, bench.response(304, tagged.adding("Vary", "Accept"), body: ""))
    #expect(bench.plan(request).delivered?.text == "Rome")
    #expect(bench.plan(CacheBench.request(headers: ["Accept": "b"])).delivered == nil)
  }

  @Test func newResponseReplacesTheStaleOne() {
    bench.exchange(bench.response(200, tagged))
    bench.advance(by: 61)
    let answer = bench.exchange(bench.response(200, ["Cache-Control": "max-age=60", "ETag": "\"2\""], body: "Oslo"))
    #expect(answer.text == "Oslo")
    #expect(bench.plan().delivered?.text == "Oslo")
  }

  @Test func wrongConfirmationRequestsTheWholeResponseOnce() {
    bench.exchange(bench.response(200, tagged))
    bench.advance(by: 61)
    let other = bench.response(304, ["ETag": "\"2\""], body: "")
    guard let second = bench.cache.handle(other, plan: bench.plan()).secondPlan else {
      Issue.record("no second plan")
      return
    }
    #expect(second.sent?.headers == [:])
    #expect(bench.cache.handle(other, plan: second).response?.statusCode == 304)
    #expect(bench.cache.handle(bench.response(200, tagged, body: "Oslo"), plan: second).response?.text == "Oslo")
    #expect(bench.plan().delivered?.text == "Oslo")
  }

  @Test(
    arguments: [
      ("\"1\"", "\"1\"", true), ("\"1\"", "\"2\"", false), ("W/\"1\"", "W/\"1\"", true), ("\"1\"", "W/\"1\"", true),
      ("W/\"1\"", "\"1\"", false), ("\"1\"", nil, true), ("\"1\"", "junk", true), (nil, "\"1\"", false),
    ] as [(String?, String?, Bool)])
  func entityTagsAreComparedWeaklyForConfirmation(stored: String?, confirmed: String?, isSame: Bool) {
    var headers: HTTPHeaders = ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
    headers["ETag"] = stored
    var answer = HTTPHeaders()
    answer["ETag"] = confirmed
    #expect(cachedResponse(headers).isConfirmed(by: bench.response(304, answer)) == isSame)
  }

  @Test func confirmedAndNotToBeStored() {
    bench.exchange(bench.response(200, tagged))
    bench.advance(by: 61)
    let answer = bench.exchange(bench.response(304, ["Cache-Control": "no-store"], body: ""))
    #expect(answer.text == "Rome")
    #expect(bench.plan().sent?.headers == [:])
  }
}
