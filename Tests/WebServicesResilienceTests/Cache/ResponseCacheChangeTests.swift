import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP

@Suite struct ResponseCacheChangeTests {
  private let bench = CacheBench()
  private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  @Test(
    arguments: [
      ("POST", 200, true), ("PUT", 204, true), ("DELETE", 200, true), ("PATCH", 303, true),
      ("PURGE", 200, true), ("POST", 400, false), ("POST", 500, false), ("OPTIONS", 200, false),
    ])
  func unsafeRequestInvalidatesItsURL(method: String, statusCode: Int, isForgotten: Bool) {
    let ada = CacheIdentity(account: "ada")
    bench.exchange(bench.response(200, tagged))
    bench.exchange(identity: ada, bench.response(200, tagged))
    let request = CacheBench.request(HTTPMethod(rawValue: method))
    bench.exchange(request, identity: ada, bench.response(statusCode))
    #expect((bench.plan().delivered == nil) == isForgotten)
    #expect((bench.plan(identity: ada).delivered == nil) == isForgotten)
  }

  @Test func locationFieldsInvalidateOnTheSameOrigin() {
    let names = ["https://api.example.com/a", "https://api.example.com/b", "https://other.example.com/c"].map(testURL)
    for url in names { bench.exchange(CacheBench.request(.get, url), bench.response(200, tagged, url: url)) }
    bench.exchange(
      CacheBench.request(.post),
      bench.response(201, ["Location": "/a", "Content-Location": "https://API.example.com/b"]))
    bench.exchange(CacheBench.request(.post), bench.response(201, ["Location": "https://other.example.com/c"]))
    let isThere = names.map { bench.plan(CacheBench.request(.get, $0)).delivered != nil }
    #expect(isThere == [false, false, true])
  }

  @Test func answerOvertakenByChange() {
    let early = bench.plan()
    bench.exchange(CacheBench.request(.put), bench.response(204))
    #expect(bench.cache.handle(bench.response(200, tagged), plan: early).response?.text == "Rome")
    #expect(bench.plan().delivered == nil)
    bench.exchange(bench.response(200, tagged, body: "Oslo"))
    #expect(bench.plan().delivered?.text == "Oslo")
  }

  @Test func changeIsRememberedAmongManyChanges() {
    let early = bench.plan()
    bench.exchange(CacheBench.request(.put), bench.response(204))
    for number in 0..<1000 {
      let url = testURL("https://api.example.com/other/\(number)")
      bench.exchange(CacheBench.request(.put, url), bench.response(204, url: url))
    }
    _ = bench.cache.handle(bench.response(200, tagged), plan: early)
    #expect(bench.plan().delivered == nil)
  }

  @Test func removeAllForgetsTransfersAndStandIns() {
    let bench = CacheBench(rules: ResponseCache.Rules(staleIfError: 1000))
    bench.exchange(bench.response(200, tagged))
    let other = testURL("https://api.example.com/other")
    let early = bench.plan(CacheBench.request(.get, other))
    bench.advance(by: 61)
    let stale = bench.plan()
    bench.cache.removeAll()
    _ = bench.cache.handle(bench.response(200, tagged, url: other), plan: early)
    #expect(bench.plan().sent?.headers == [:])
    #expect(bench.plan(CacheBench.request(.get, other)).delivered == nil)
    #expect(bench.cache.handleError(plan: stale) == nil)
  }
}
