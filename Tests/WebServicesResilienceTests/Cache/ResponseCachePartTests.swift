import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesResilience

@Suite struct ResponseCachePartTests {
  private let cache: ResponseCache
  private let wall: WallClock
  private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  init() {
    (cache, wall) = cacheOnWallClock()
  }

  private func request(_ range: String?, ifRange: String? = nil) -> TransportRequest {
    var headers = HTTPHeaders()
    headers["Range"] = range
    headers["If-Range"] = ifRange
    return cityRequest(headers: headers)
  }

  /// A part of "0123456789".
  private func part(_ first: Int, _ last: Int, _ headers: HTTPHeaders) -> WebServiceResponse {
    let text = String("0123456789".dropFirst(first).prefix(last - first + 1))
    return wall.response(206, headers.adding("Content-Range", "bytes \(first)-\(last)/10"), body: text)
  }

  private func whole(_ headers: HTTPHeaders) -> WebServiceResponse { wall.response(200, headers, body: "0123456789") }

  @Test func rangeIsServedFromTheStoredResponse() {
    cache.exchange(whole(tagged))
    let given = cache.plan(request("bytes=2-4")).delivered
    #expect(given?.statusCode == 206)
    #expect(given?.text == "234")
    #expect(cache.plan(request("bytes=2-4", ifRange: "\"2\"")).delivered?.statusCode == 200)
  }

  @Test func decodedContentIsForWholeRequestsOnly() throws {
    let folder = try TemporaryFolder()
    for store in [MemoryResponseStore(), try DiskResponseStore(directory: folder.url)] as [any ResponseStore] {
      let (cache, wall) = cacheOnWallClock(store: store)
      var response = wall.response(200, tagged, body: "0123456789")
      response.isDecoded = true
      cache.exchange(response)
      #expect(cache.plan().delivered?.text == "0123456789")
      #expect(cache.plan(request("bytes=2-4")).sent?.headers == ["Range": "bytes=2-4"])
      // A part in another encoding doesn't replace the stored one.
      cache.exchange(request("bytes=2-4"), part(2, 4, ["Cache-Control": "max-age=60", "ETag": "\"1-identity\""]))
      #expect(cache.plan().delivered?.text == "0123456789")
    }
  }

  @Test func staleContentIsConfirmedForARange() {
    cache.exchange(whole(tagged))
    wall.advance(by: 61)
    let plan = cache.plan(request("bytes=2-4"))
    #expect(plan.sent?.headers == ["Range": "bytes=2-4", "If-None-Match": "\"1\""])
    let given = cache.handle(wall.response(304, tagged, body: ""), plan: plan)
    #expect(given.statusCode == 206)
    #expect(given.text == "234")
    #expect(cache.plan().delivered?.text == "0123456789")
  }

  @Test func backgroundRefreshRequestsTheWholeContent() {
    cache.exchange(whole(["Cache-Control": "max-age=60, stale-while-revalidate=60", "ETag": "\"1\""]))
    wall.advance(by: 61)
    let plan = cache.plan(request("bytes=2-4", ifRange: "\"1\""))
    #expect(plan.delivered?.text == "234")
    #expect(plan.sent?.headers == ["If-None-Match": "\"1\""])
  }

  @Test func newestPartIsStored() throws {
    let folder = try TemporaryFolder()
    for store in [MemoryResponseStore(), try DiskResponseStore(directory: folder.url)] as [any ResponseStore] {
      let (cache, _) = cacheOnWallClock(store: store)
      cache.exchange(request("bytes=0-3"), part(0, 3, tagged))
      #expect(cache.plan(request("bytes=1-2")).delivered?.text == "12")
      #expect(cache.plan(request("bytes=2-4")).delivered == nil)
      #expect(cache.plan().delivered == nil)
      #expect(cache.plan(cityRequest(.head)).delivered == nil)
      #expect(cache.plan(policy: .onlyIfCached).delivered?.statusCode == 504)
      cache.exchange(request("bytes=4-6"), part(4, 6, tagged))
      #expect(cache.plan(request("bytes=5-6")).delivered?.text == "56")
      #expect(cache.plan(request("bytes=0-3")).delivered == nil)
    }
  }

  @Test func wholeContentStaysUnlessAPartShowsAChange() {
    cache.exchange(whole(tagged))
    cache.exchange(request("bytes=2-4"), policy: .reload, part(2, 4, tagged))
    #expect(cache.plan().delivered?.text == "0123456789")
    cache.exchange(request("bytes=2-4"), policy: .reload, part(2, 4, ["Cache-Control": "max-age=60"]))
    #expect(cache.plan().delivered?.text == "0123456789")
    cache.exchange(request("bytes=2-4"), policy: .reload, part(2, 4, ["Cache-Control": "max-age=60", "ETag": "\"2\""]))
    #expect(cache.plan().delivered == nil)
    #expect(cache.plan(request("bytes=2-4")).delivered?.text == "234")
  }
}
