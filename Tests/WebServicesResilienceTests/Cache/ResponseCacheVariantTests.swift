import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesResilience

@Suite struct ResponseCacheVariantTests {
  private let cache: ResponseCache
  private let wall: WallClock
  private let tagged: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

  init() {
    (cache, wall) = cacheOnWallClock()
  }

  @Test func atMostEightVariantsAreKept() {
    func request(_ language: Int) -> TransportRequest {
      cityRequest(headers: ["Accept-Language": "x-\(language)"])
    }
    let headers = tagged.adding("Vary", "Accept-Language")
    for language in 0..<10 { cache.exchange(request(language), wall.response(200, headers, body: "\(language)")) }
    for language in 2..<10 { #expect(cache.plan(request(language)).delivered?.text == "\(language)") }
    for language in 0..<2 { #expect(cache.plan(request(language)).delivered == nil) }
    cache.exchange(request(5), policy: .reload, wall.response(200, headers, body: "five"))
    #expect(cache.plan(request(5)).delivered?.text == "five")
    #expect(cache.plan(request(2)).delivered?.text == "2")
  }

  @Test func identitiesNeverShareResponses() {
    var generator = SeededGenerator(seed: 5)
    var hits = 0
    let identities = [nil, identity(of: "ada"), identity(of: "bob")]
    for step in 0..<2000 {
      let owner = Int.random(in: 0..<identities.count, using: &generator)
      let url = testURL("https://api.example.com/\(Int.random(in: 0..<3, using: &generator))")
      let method = Int.random(in: 0..<20, using: &generator) == 0 ? HTTPMethod.put : .get
      let plan = cache.plan(cityRequest(method, url), identity: identities[owner])
      let delivered = plan.delivered
      if let delivered {
        #expect(delivered.text.hasPrefix("\(owner) "))
        hits += 1
      }
      guard plan.sent != nil else { continue }
      let isConfirming = plan.sent?.headers["If-None-Match"] != nil && step % 2 == 0
      let response = wall.response(
        isConfirming ? 304 : 200, ["Cache-Control": "public, max-age=3, stale-while-revalidate=3", "ETag": "\"1\""],
        body: isConfirming ? "" : "\(owner) \(step)", url: url)
      let served = cache.handle(response, plan: plan)
      #expect(served.text.hasPrefix("\(owner) "))
      wall.advance(by: Double.random(in: 0..<1, using: &generator))
    }
    #expect(hits > 200)
  }

  @Test func encodedContentIsAVariant() {
    let encoded = cityRequest(headers: ["Accept-Encoding": "br"])
    cache.exchange(encoded, wall.response(200, tagged.adding("Content-Encoding", "br"), body: "packed"))
    #expect(cache.plan(encoded).delivered?.text == "packed")
    #expect(cache.plan().delivered == nil)
    cache.exchange(wall.response(200, tagged))
    #expect(cache.plan().delivered?.text == "Rome")
  }

  // MARK: HEAD

  @Test func headIsServedFromStoredGet() {
    cache.exchange(wall.response(200, tagged))
    let delivered = cache.plan(cityRequest(.head)).delivered
    #expect(delivered?.headers["ETag"] == "\"1\"")
    #expect(delivered?.body.isEmpty ?? false)
  }

  @Test func headConfirmationRefreshesTheResponse() {
    cache.exchange(wall.response(200, tagged))
    wall.advance(by: 61)
    let response = cache.exchange(cityRequest(.head), wall.response(304, tagged, body: ""))
    #expect(response.statusCode == 200)
    #expect(response.body.isEmpty)
    #expect(cache.plan().delivered?.text == "Rome")
  }

  @Test func headIsNotStored() {
    cache.exchange(cityRequest(.head), wall.response(200, tagged, body: ""))
    #expect(cache.plan(cityRequest(.head)).delivered == nil)
    #expect(cache.plan().delivered == nil)
  }

  @Test(
    arguments: [
      ("ETag", "\"2\"", true), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT", true), ("X-New", "1", false),
    ])
  func headRemovesTheResponseThatChanged(name: String, value: String, isRemoved: Bool) {
    var headers = tagged.adding("Last-Modified", "Mon, 07 Nov 1994 08:49:37 GMT")
    cache.exchange(wall.response(200, headers))
    headers[name] = value
    cache.exchange(cityRequest(.head), policy: .reload, wall.response(200, headers, body: ""))
    #expect((cache.plan().delivered == nil) == isRemoved)
  }
}
