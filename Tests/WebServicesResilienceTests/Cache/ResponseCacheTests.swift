import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesResilience

@Suite struct ResponseCacheTests {
  private let cache: ResponseCache
  private let wall: WallClock
  private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  init() {
    (cache, wall) = cacheOnWallClock()
  }

  @Test func freshResponseIsServedWithItsAge() {
    let first = cache.exchange(wall.response(200, tagged))
    #expect(first.headers["Age"] == nil)
    wall.advance(by: 12.7)
    let plan = cache.plan()
    #expect(plan.sent == nil)
    #expect(plan.delivered?.text == "Rome")
    #expect(plan.delivered?.statusCode == 200)
    #expect(plan.delivered?.url == cityURL)
    #expect(plan.delivered?.headers["ETag"] == "\"1\"")
    #expect(plan.delivered?.headers.values(for: "Age") == ["12"])
  }

  @Test func ageFieldIsReplaced() {
    cache.exchange(wall.response(200, ["Cache-Control": "max-age=60", "Age": "5", "age": "7"]))
    wall.advance(by: 10)
    #expect(cache.plan().delivered?.headers.values(for: "Age") == ["15"])
  }

  @Test func noCacheFieldsAreOmittedUntilConfirmed() {
    let response = wall.response(200, ["Cache-Control": "max-age=60, no-cache=\"Set-Cookie\"", "Set-Cookie": "a=b"])
    #expect(cache.exchange(response).headers["Set-Cookie"] == "a=b")
    let delivered = cache.plan().delivered
    #expect(delivered?.text == "Rome")
    #expect(delivered?.headers["Set-Cookie"] == nil)
  }

  // MARK: Revalidation

  @Test func staleResponseIsRevalidatedAndUpdated() {
    cache.exchange(wall.response(200, tagged.adding("X-Version", "1").adding("Content-Type", "text/plain")))
    wall.advance(by: 61)
    let plan = cache.plan()
    #expect(plan.delivered == nil)
    #expect(plan.sent?.headers == ["If-None-Match": "\"1\""])
    let response = cache.handle(
      wall.response(
        304,
        [
          "Cache-Control": "max-age=100", "X-Version": "2", "ETag": "\"1\"", "Content-Length": "0",
          "Content-Type": "text/html", "Content-Encoding": "br", "Connection": "close",
        ], body: ""),
      plan: plan
    )
    #expect(response.statusCode == 200)
    #expect(response.text == "Rome")
    #expect(response.headers["X-Version"] == "2")
    #expect(response.headers["Content-Type"] == "text/plain")
    #expect(response.headers["Content-Length"] == nil)
    #expect(response.headers["Content-Encoding"] == nil)
    #expect(response.headers["Connection"] == nil)
    wall.advance(by: 99)
    #expect(cache.plan().delivered?.headers["Age"] == "99")
    wall.advance(by: 2)
    #expect(cache.plan().delivered == nil)
  }

  @Test func confirmationWithoutDateRestartsTheAge() {
    cache.exchange(wall.response(200, tagged.adding("Age", "50")))
    wall.advance(by: 3600)
    let plan = cache.plan()
    let confirmation = WebServiceResponse(statusCode: 304, url: cityURL)
    #expect(cache.handle(confirmation, plan: plan).headers["Age"] == "0")
    wall.advance(by: 59)
    #expect(cache.plan().delivered?.headers["Age"] == "59")
  }

  @Test func confirmationIsFoundByItsVaryFields() {
    let request = cityRequest(headers: ["Accept": "a"])
    cache.exchange(request, wall.response(200, tagged))
    wall.advance(by: 61)
    cache.exchange(request, wall.response(304, tagged.adding("Vary", "Accept"), body: ""))
    #expect(cache.plan(request).delivered?.text == "Rome")
    #expect(cache.plan(cityRequest(headers: ["Accept": "b"])).delivered == nil)
  }

  @Test func wrongConfirmationChangesNothing() {
    cache.exchange(wall.response(200, tagged))
    wall.advance(by: 61)
    let given = cache.exchange(wall.response(304, ["ETag": "\"2\"", "Cache-Control": "max-age=60"], body: ""))
    #expect(given.text == "Rome")
    #expect(given.headers["ETag"] == "\"1\"")
    #expect(cache.plan().sent?.headers == ["If-None-Match": "\"1\""])
  }

  @Test(
    arguments: [
      ("\"1\"", "\"1\"", true), ("\"1\"", "\"2\"", false), ("W/\"1\"", "W/\"1\"", true), ("\"1\"", "W/\"1\"", true),
      ("W/\"1\"", "\"1\"", false), ("\"1\"", nil, true), ("\"1\"", "junk", true), (nil, "\"1\"", false),
    ] as [(String?, String?, Bool)])
  func entityTagsAreComparedWeaklyForConfirmation(stored: String?, confirmed: String?, isSame: Bool) {
    var headers: HTTPHeaders = ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
    headers["ETag"] = stored
    var response = HTTPHeaders()
    response["ETag"] = confirmed
    #expect(cachedResponse(headers).isConfirmed(by: wall.response(304, response)) == isSame)
  }

  @Test func confirmationWithNoStoreRemovesTheResponse() {
    cache.exchange(wall.response(200, tagged))
    wall.advance(by: 61)
    let response = cache.exchange(wall.response(304, ["Cache-Control": "no-store"], body: ""))
    #expect(response.text == "Rome")
    #expect(cache.plan().sent?.headers == [:])
  }
}
