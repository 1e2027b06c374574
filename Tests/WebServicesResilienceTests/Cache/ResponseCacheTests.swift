@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct ResponseCacheTests {
  private let cache: ResponseCache
  private let wall: WallClock

  init() { (cache, wall) = cacheOnWallClock() }

  @Test func freshResponseIsServedWithItsAge() {
    cache.exchange(wall.response(200, tagged.adding("Age", "5").adding("age", "7")))
    wall.advance(by: 12.7)
    let plan = cache.plan()
    let delivered = plan.delivered
    #expect(plan.sent == nil && delivered?.statusCode == 200 && delivered?.url == cityURL)
    expectEqual([delivered?.text, delivered?.headers["ETag"]], ["Rome", "\"1\""])
    expectEqual(delivered?.headers.values(for: "Age"), ["17"])
  }

  @Test func otherIdentitiesNeverGetTheStoredResponse() {
    let users = [nil, identity(of: "ada"), identity(of: "bob")]
    for user in users {
      #expect(cache.plan(identity: user).delivered == nil)
      cache.exchange(identity: user, wall.response(200, ["Cache-Control": "public, max-age=60"], body: user ?? "none"))
    }
    for user in users { expectEqual(cache.plan(identity: user).delivered?.text, user ?? "none") }
  }

  @Test func noCacheFieldsAreOmittedUntilConfirmed() {
    let headers: HTTPHeaders = [
      "Cache-Control": "max-age=60, no-cache=\"Set-Cookie\", private=\"ETag\"", "Set-Cookie": "a=b", "ETag": "\"1\"",
    ]
    expectEqual(cache.exchange(wall.response(200, headers)).headers["Set-Cookie"], "a=b")
    let delivered = cache.plan().delivered
    expectEqual(["ETag", "Set-Cookie"].map { delivered?.headers[$0] }, ["\"1\"", nil])
    expectEqual(cache.exchange(policy: .revalidate, wall.response(304, body: "")).headers["Set-Cookie"], "a=b")
  }

  /// A layer behind the cache, such as `.limits`, may hold the request back.
  @Test func waitBeforeTheRequestWasSentDoesNotAgeItsResponse() {
    for response in [wall.response(200, tagged), wall.response(304, tagged, body: "")] {
      let plan = cache.plan()
      wall.advance(by: 50)
      var response = response
      response.headers["Date"] = nil
      response.metrics = WebServiceResponse.Metrics(total: 2)
      _ = cache.handle(response, plan: plan)
      wall.advance(by: 57)
      expectEqual(cache.plan().delivered?.headers["Age"], "59")
      wall.advance(by: 1)
      #expect(cache.plan().delivered == nil)
    }
  }

  // MARK: Revalidation

  /// Without validators the request has no conditions, so a 304 to it says nothing about the stored response.
  @Test func unaskedConfirmationConfirmsNothing() {
    cache.exchange(wall.response(200, ["Cache-Control": "max-age=60, stale-if-error=100"]))
    wall.advance(by: 61)
    let plan = cache.plan()
    #expect(plan.candidate != nil && plan.sent?.headers["If-None-Match"] == nil)
    expectEqual(cache.handle(wall.response(304, body: ""), plan: plan).statusCode, 304)
  }

  @Test func staleResponseIsRevalidatedAndUpdated() {
    cache.exchange(wall.response(200, tagged.adding("X-Version", "1").adding("Content-Type", "text/plain")))
    wall.advance(by: 61)
    // The fields of a 304 with another tag belong to another response.
    expectEqual(
      cache.exchange(wall.response(304, ["Cache-Control": "max-age=60", "ETag": "\"2\""], body: "")).text, "Rome")
    let plan = cache.plan()
    #expect(plan.delivered == nil)
    expectEqual(plan.sent?.headers, ["If-None-Match": "\"1\""])
    let response = cache.handle(
      wall.response(
        304,
        [
          "Cache-Control": "max-age=100", "X-Version": "2", "ETag": "\"1\"", "Content-Length": "0",
          "Content-Type": "text/html", "Content-Encoding": "br", "Connection": "close",
        ], body: ""),
      plan: plan
    )
    #expect(response.statusCode == 200 && response.text == "Rome")
    let names = ["X-Version", "Content-Type", "Content-Length", "Content-Encoding", "Connection"]
    expectEqual(names.map { response.headers[$0] }, ["2", "text/plain", nil, nil, nil])
    wall.advance(by: 99)
    expectEqual(cache.plan().delivered?.headers["Age"], "99")
    wall.advance(by: 2)
    #expect(cache.plan().delivered == nil)
  }

  @Test func confirmationWithoutDateRestartsTheAge() {
    cache.exchange(wall.response(200, tagged.adding("Age", "50")))
    wall.advance(by: 3600)
    let confirmation = WebServiceResponse(statusCode: 304, url: cityURL)
    expectEqual(cache.exchange(confirmation).headers["Age"], "0")
    wall.advance(by: 59)
    expectEqual(cache.plan().delivered?.headers["Age"], "59")
  }

  @Test func confirmationIsFoundByItsVaryFields() {
    let request = cityRequest(headers: ["Accept": "a"])
    cache.exchange(request, wall.response(200, tagged))
    wall.advance(by: 61)
    cache.exchange(request, wall.response(304, tagged.adding("Vary", "Accept"), body: ""))
    expectEqual(cache.plan(request).delivered?.text, "Rome")
    #expect(cache.plan(cityRequest(headers: ["Accept": "b"])).delivered == nil)
  }

  @Test(
    arguments: [
      ("\"1\"", "\"1\"", true), ("\"1\"", "\"2\"", false), ("W/\"1\"", "W/\"1\"", true), ("\"1\"", "W/\"1\"", true),
      ("W/\"1\"", "\"1\"", false), ("\"1\"", nil, true), ("\"1\"", "junk", true), (nil, "\"1\"", false),
    ] as [(String?, String?, Bool)])
  func entityTagsAreComparedWeaklyForConfirmation(stored: String?, confirmed: String?, isSame: Bool) {
    let headers = [stored, confirmed].map { tag -> HTTPHeaders in tag.map { ["ETag": $0] } ?? [:] }
    expectEqual(cachedResponse(headers[0]).isConfirmed(by: wall.response(304, headers[1])), isSame)
  }

  // MARK: Changes

  @Test(arguments: [
    ("POST", 200, true), ("PUT", 204, true), ("DELETE", 200, true), ("PATCH", 303, true),
    ("PURGE", 200, true), ("POST", 400, false), ("POST", 500, false), ("OPTIONS", 200, false),
  ])
  func unsafeRequestInvalidatesItsURL(method: String, statusCode: Int, isForgotten: Bool) {
    let users = [nil, identity(of: "ada")]
    for user in users { cache.exchange(identity: user, wall.response(200, tagged)) }
    cache.exchange(cityRequest(HTTPMethod(rawValue: method)), identity: users[1], wall.response(statusCode))
    expectEqual(users.map { cache.plan(identity: $0).delivered == nil }, [isForgotten, isForgotten])
  }

  @Test func locationFieldsInvalidateOnTheSameOrigin() {
    let names = ["https://api.example.com/a", "https://api.example.com/b", "https://other.example.com/c"].map(testURL)
    for url in names { cache.exchange(cityRequest(.get, url), wall.response(200, tagged, url: url)) }
    cache.exchange(
      cityRequest(.post), wall.response(201, ["Location": "/a", "Content-Location": "https://API.example.com/b"]))
    cache.exchange(cityRequest(.post), wall.response(201, ["Location": "https://other.example.com/c"]))
    let isThere = names.map { cache.plan(cityRequest(.get, $0)).delivered != nil }
    expectEqual(isThere, [false, false, true])
  }

  @Test(arguments: [0, 1000])
  func responseOvertakenByAChangeIsNotStored(laterChanges: Int) {
    let early = cache.plan()
    cache.exchange(cityRequest(.put), wall.response(204))
    for number in 0..<laterChanges {
      let url = testURL("https://api.example.com/other/\(number)")
      cache.exchange(cityRequest(.put, url), wall.response(204, url: url))
    }
    expectEqual(cache.handle(wall.response(200, tagged), plan: early).text, "Rome")
    #expect(cache.plan().delivered == nil)
    cache.exchange(wall.response(200, tagged, body: "Oslo"))
    _ = cache.handle(wall.response(200, tagged), plan: early)
    expectEqual(cache.plan().delivered?.text, "Oslo")
  }

  @Test func responseWhoseURLChangesWhileItIsStoredIsRemoved() {
    let store = ChangingStore()
    let (cache, wall) = cacheOnWallClock(store: store)
    store.change.withLock { $0 = { cache.exchange(cityRequest(.put), wall.response(204)) } }
    cache.exchange(wall.response(200, tagged))
    #expect(cache.plan().delivered == nil)
    cache.exchange(wall.response(200, tagged, body: "Oslo"))
    expectEqual(cache.plan().delivered?.text, "Oslo")
  }

  @Test(arguments: [false, true])
  func responseThatEndsDuringARemovalIsNotStored(ofAll: Bool) {
    let store = ChangingStore()
    let (cache, wall) = cacheOnWallClock(store: store)
    let early = cache.plan()
    store.change.withLock { $0 = { _ = cache.handle(wall.response(200, tagged), plan: early) } }
    if ofAll { cache.removeAll() } else { cache.exchange(cityRequest(.put), wall.response(204)) }
    #expect(cache.plan().delivered == nil)
  }

  /// Runs an action once, before it stores a response or after it removes responses.
  private final class ChangingStore: ResponseStore {
    let change = Locked<(@Sendable () -> Void)?>(nil)
    private let store = MemoryResponseStore()

    var isImmediate: Bool { false }

    func store(_ response: CachedResponse, for key: CacheKey) {
      change.withLock { $0.take() }?()
      store.store(response, for: key)
    }

    func lookup(_ key: CacheKey) -> [CachedResponse] { store.lookup(key) }
    func remove(_ key: CacheKey) { store.remove(key) }

    func removeAll() {
      store.removeAll()
      change.withLock { $0.take() }?()
    }

    func removeAll(ofURL url: String) {
      store.removeAll(ofURL: url)
      change.withLock { $0.take() }?()
    }
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
    expectEqual(cache.plan().sent?.headers, [:])
    #expect(cache.plan(cityRequest(.get, other)).delivered == nil)
    #expect(cache.handleError(plan: stale) == nil)
  }

  // MARK: Stale responses

  @Test func oneRefreshAtATimeIsBegun() {
    let plan = cache.plan()
    #expect(cache.beginRefresh(of: plan))
    #expect(!cache.beginRefresh(of: cache.plan()))
    cache.endRefresh(of: plan)
    #expect(cache.beginRefresh(of: cache.plan()))
  }

  @Test func staleIfErrorServesStaleAfterFailures() {
    cache.exchange(wall.response(200, ["Cache-Control": "max-age=60, stale-if-error=40", "ETag": "\"1\""]))
    wall.advance(by: 70)
    expectEqual(cache.handleError(plan: cache.plan())?.text, "Rome")
    for status in [500, 502, 503, 504] {
      let response = cache.exchange(wall.response(status, body: "sorry"))
      #expect(response.text == "Rome" && response.statusCode == 200 && response.headers["Age"] == "70")
    }
    let plan = cache.plan()
    for status in [403, 501] { expectEqual(cache.handle(wall.response(status), plan: plan).statusCode, status) }
    wall.advance(by: 30)
    #expect(cache.handleError(plan: plan) == nil)
    expectEqual(cache.handle(wall.response(503), plan: plan).statusCode, 503)
  }

  @Test func missingOrMismatchedResponseDoesNotStandIn() {
    #expect(cache.handleError(plan: cache.plan()) == nil)
    let (cache, wall) = cacheOnWallClock(rules: ResponseCache.Rules(staleIfError: 1000))
    cache.exchange(wall.response(200, tagged))
    wall.advance(by: 61)
    for plan in [cache.plan(policy: .reload), cache.plan(policy: .revalidate), cache.plan(cityRequest(.put))] {
      #expect(cache.handleError(plan: plan) == nil)
    }
    expectEqual(cache.handleError(plan: cache.plan())?.text, "Rome")
  }

  @Test(arguments: [400, 404, 500, 503])
  func storedErrorIsNotServedForAFailure(statusCode: Int) {
    let (cache, wall) = cacheOnWallClock(rules: ResponseCache.Rules(staleIfError: 600))
    let headers = ["Cache-Control": "max-age=60, stale-if-error=600", "ETag": "\"1\""] as HTTPHeaders
    cache.exchange(wall.response(statusCode, headers))
    wall.advance(by: 61)
    let plan = cache.plan()
    #expect(cache.handleError(plan: plan) == nil)
    expectEqual(cache.handle(wall.response(502, body: "now"), plan: plan).text, "now")
  }

  // MARK: Policies

  @Test func policyIsSentAsCacheControl() {
    cache.exchange(wall.response(200, tagged))
    expectEqual(cache.plan(policy: .reload).sent?.headers, ["Cache-Control": "no-cache"])
    expectEqual(cache.plan(policy: .noStore).sent?.headers, ["Cache-Control": "no-store"])
    #expect(cache.plan(policy: .revalidate).sent?.headers == ["If-None-Match": "\"1\"", "Cache-Control": "max-age=0"])
    let own = cityRequest(headers: ["Cache-Control": "x=y"])
    expectEqual(cache.plan(own, policy: .reload).sent?.headers, ["Cache-Control": "x=y"])
    expectEqual(cache.plan(cityRequest(.post), policy: .reload).sent?.headers, [:])
  }

  @Test func noStoreStoresNothingAndRemovesNothing() {
    for stored in [nil, "Rome"] {
      if let stored { cache.exchange(wall.response(200, tagged, body: stored)) }
      cache.exchange(policy: .noStore, wall.response(200, tagged, body: "Oslo"))
      expectEqual(cache.plan().delivered?.text, stored)
    }
  }

  @Test func onlyIfCachedGives504WithoutSending() {
    for plan in [
      cache.plan(policy: .onlyIfCached), cache.plan(cityRequest(headers: ["Cache-Control": "only-if-cached"])),
      cache.plan(cityRequest(.post), policy: .onlyIfCached),
    ] {
      #expect(plan.sent == nil && plan.delivered?.statusCode == 504 && plan.delivered?.url == cityURL)
    }
    cache.exchange(wall.response(200, tagged))
    expectEqual(cache.plan(policy: .onlyIfCached).delivered?.text, "Rome")
  }

  @Test func uncachedRequestsPassUnchanged() {
    var withBody = cityRequest()
    withBody.body = .data(Data("x".utf8))
    var streamed = cityRequest()
    streamed.receiver = SlowReceiver(isLetGo: true)
    let others = [
      withBody, streamed, cityRequest(.post), cityRequest(.options),
      cityRequest(headers: ["if-none-match": "\"7\""]), cityRequest(headers: ["If-Modified-Since": "x"]),
      cityRequest(headers: ["If-Range": "\"1\""]), cityRequest(headers: ["Range": "bytes=0-1,3-3"]),
    ]
    for request in others {
      // A change removes the stored response.
      cache.exchange(policy: .reload, wall.response(200, tagged))
      let plan = cache.plan(request)
      #expect(plan.delivered == nil)
      expectEqual(plan.sent?.headers, request.headers)
      expectEqual(cache.handle(wall.response(304, body: ""), plan: plan).statusCode, 304)
    }
  }

  @Test func responseOfAnotherURLOrBeyondTheRequestsLimitIsNotServed() {
    cache.exchange(wall.response(200, tagged, url: testURL("https://api.example.com/elsewhere")))
    #expect(cache.plan().delivered == nil)
    cache.exchange(wall.response(200, tagged))
    var small = cityRequest()
    for (limit, isServed) in [(3, false), (4, true)] {
      small.responseLimit = limit
      expectEqual(cache.plan(small).delivered != nil, isServed)
    }
    // The response to HEAD has no content.
    var head = cityRequest(.head)
    head.responseLimit = 0
    #expect(cache.plan(head).delivered != nil)
  }

  @Test func responseWithNoStoreRemovesTheStoredOneButErrorKeepsIt() {
    cache.exchange(wall.response(200, tagged))
    cache.exchange(policy: .reload, wall.response(200, ["Cache-Control": "no-store"], body: "Oslo"))
    #expect(cache.plan().delivered == nil)
    cache.exchange(wall.response(200, tagged))
    cache.exchange(policy: .reload, wall.response(503))
    expectEqual(cache.plan().delivered?.text, "Rome")
    wall.advance(by: 61)
    expectEqual(cache.exchange(wall.response(304, ["Cache-Control": "no-store"], body: "")).text, "Rome")
    expectEqual(cache.plan().sent?.headers, [:])
  }
}
