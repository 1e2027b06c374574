import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesResilience

@Suite struct ResponseCacheChangeTests {
  private let cache: ResponseCache
  private let wall: WallClock
  private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  init() {
    (cache, wall) = cacheOnWallClock()
  }

  @Test(
    arguments: [
      ("POST", 200, true), ("PUT", 204, true), ("DELETE", 200, true), ("PATCH", 303, true),
      ("PURGE", 200, true), ("POST", 400, false), ("POST", 500, false), ("OPTIONS", 200, false),
    ])
  func unsafeRequestInvalidatesItsURL(method: String, statusCode: Int, isForgotten: Bool) {
    let ada = identity(of: "ada")
    cache.exchange(wall.response(200, tagged))
    cache.exchange(identity: ada, wall.response(200, tagged))
    let request = cityRequest(HTTPMethod(rawValue: method))
    cache.exchange(request, identity: ada, wall.response(statusCode))
    #expect((cache.plan().delivered == nil) == isForgotten)
    #expect((cache.plan(identity: ada).delivered == nil) == isForgotten)
  }

  @Test func locationFieldsInvalidateOnTheSameOrigin() {
    let names = ["https://api.example.com/a", "https://api.example.com/b", "https://other.example.com/c"].map(testURL)
    for url in names { cache.exchange(cityRequest(.get, url), wall.response(200, tagged, url: url)) }
    cache.exchange(
      cityRequest(.post),
      wall.response(201, ["Location": "/a", "Content-Location": "https://API.example.com/b"]))
    cache.exchange(cityRequest(.post), wall.response(201, ["Location": "https://other.example.com/c"]))
    let isThere = names.map { cache.plan(cityRequest(.get, $0)).delivered != nil }
    #expect(isThere == [false, false, true])
  }

  @Test func responseOvertakenByAChangeIsNotStored() {
    let early = cache.plan()
    cache.exchange(cityRequest(.put), wall.response(204))
    #expect(cache.handle(wall.response(200, tagged), plan: early).text == "Rome")
    #expect(cache.plan().delivered == nil)
    cache.exchange(wall.response(200, tagged, body: "Oslo"))
    #expect(cache.plan().delivered?.text == "Oslo")
  }

  @Test func changeIsRememberedAmongManyChanges() {
    let early = cache.plan()
    cache.exchange(cityRequest(.put), wall.response(204))
    for number in 0..<1000 {
      let url = testURL("https://api.example.com/other/\(number)")
      cache.exchange(cityRequest(.put, url), wall.response(204, url: url))
    }
    _ = cache.handle(wall.response(200, tagged), plan: early)
    #expect(cache.plan().delivered == nil)
  }

  @Test func removeAllForgetsTransfersAndStandIns() {
    let (cache, wall) = cacheOnWallClock(rules: ResponseCache.Rules(staleIfError: 1000))
    cache.exchange(wall.response(200, tagged))
    let other = testURL("https://api.example.com/other")
    let early = cache.plan(cityRequest(.get, other))
    wall.advance(by: 61)
    let stale = cache.plan()
    cache.removeAll()
    _ = cache.handle(wall.response(200, tagged, url: other), plan: early)
    #expect(cache.plan().sent?.headers == [:])
    #expect(cache.plan(cityRequest(.get, other)).delivered == nil)
    #expect(cache.handleError(plan: stale) == nil)
  }
}
