@testable import WebServicesTestSupport

@Suite struct ResponseCacheVariantTests {
  private let cache: ResponseCache
  private let wall: WallClock

  init() { (cache, wall) = cacheOnWallClock() }

  @Test func atMostEightVariantsAreKept() {
    func request(_ language: Int) -> TransportRequest {
      cityRequest(headers: ["Accept-Language": "x-\(language)"])
    }
    let headers = tagged.adding("Vary", "Accept-Language")
    for language in 0..<10 { cache.exchange(request(language), wall.response(200, headers, body: "\(language)")) }
    expectEqual((0..<10).map { cache.plan(request($0)).delivered?.text }, [nil, nil] + (2..<10).map(String.init))
    cache.exchange(request(5), policy: .reload, wall.response(200, headers, body: "five"))
    expectEqual(cache.plan(request(5)).delivered?.text, "five")
    expectEqual(cache.plan(request(2)).delivered?.text, "2")
  }

  @Test func encodedContentIsAVariant() {
    let encoded = cityRequest(headers: ["Accept-Encoding": "br"])
    cache.exchange(encoded, wall.response(200, tagged.adding("Content-Encoding", "br"), body: "packed"))
    expectEqual(cache.plan(encoded).delivered?.text, "packed")
    #expect(cache.plan().delivered == nil)
    cache.exchange(wall.response(200, tagged))
    expectEqual(cache.plan().delivered?.text, "Rome")
  }

  // MARK: HEAD

  @Test func storedGetServesHeadWhichMayConfirmIt() {
    cache.exchange(wall.response(200, tagged))
    let delivered = cache.plan(cityRequest(.head)).delivered
    #expect(delivered?.headers["ETag"] == "\"1\"" && delivered?.body.isEmpty == true)
    wall.advance(by: 61)
    let response = cache.exchange(cityRequest(.head), wall.response(304, tagged, body: ""))
    #expect(response.statusCode == 200 && response.body.isEmpty)
    expectEqual(cache.plan().delivered?.text, "Rome")
  }

  @Test(arguments: [
    ("ETag", "\"2\"", true), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT", true), ("X-New", "1", false),
    ("Content-Length", "4", false), ("Content-Length", "9", true),
  ])
  func headRemovesTheResponseThatChanged(name: String, value: String, isRemoved: Bool) {
    var headers = tagged.adding("Last-Modified", "Mon, 07 Nov 1994 08:49:37 GMT")
    cache.exchange(wall.response(200, headers))
    headers[name] = value
    cache.exchange(cityRequest(.head), policy: .reload, wall.response(200, headers, body: ""))
    expectEqual((cache.plan().delivered == nil), isRemoved)
  }

  // MARK: Parts

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

  @Test func decodedContentIsForWholeRequestsOnly() throws {
    let folder = try TemporaryFolder()
    for store in try responseStores(in: folder) {
      let (cache, wall) = cacheOnWallClock(store: store)
      var response = wall.response(200, tagged, body: "0123456789")
      response.isDecoded = true
      cache.exchange(response)
      expectEqual(cache.plan().delivered?.text, "0123456789")
      expectEqual(cache.plan(request("bytes=2-4")).sent?.headers, ["Range": "bytes=2-4"])
      // A part in another encoding doesn't replace the stored one.
      cache.exchange(request("bytes=2-4"), part(2, 4, ["Cache-Control": "max-age=60", "ETag": "\"1-identity\""]))
      expectEqual(cache.plan().delivered?.text, "0123456789")
    }
  }

  @Test func staleContentIsConfirmedForARange() {
    cache.exchange(whole(tagged))
    wall.advance(by: 61)
    let plan = cache.plan(request("bytes=2-4"))
    expectEqual(plan.sent?.headers, ["Range": "bytes=2-4", "If-None-Match": "\"1\""])
    let given = cache.handle(wall.response(304, tagged, body: ""), plan: plan)
    #expect(given.statusCode == 206 && given.text == "234")
    expectEqual(cache.plan().delivered?.text, "0123456789")
  }

  @Test func backgroundRefreshRequestsTheWholeContent() {
    cache.exchange(whole(["Cache-Control": "max-age=60, stale-while-revalidate=60", "ETag": "\"1\""]))
    wall.advance(by: 61)
    var request = request("bytes=2-4", ifRange: "\"1\"")
    request.onProgress = { _ in }
    let plan = cache.plan(request)
    expectEqual(plan.delivered?.text, "234")
    expectEqual(plan.sent?.headers, ["If-None-Match": "\"1\""])
    #expect(plan.sent?.onProgress == nil)
  }

  @Test func partIsNotStored() {
    cache.exchange(request("bytes=0-3"), part(0, 3, tagged))
    for other in [request("bytes=0-3"), cityRequest(), cityRequest(.head)] {
      #expect(cache.plan(other).delivered == nil)
    }
  }

  @Test func wholeContentStaysUnlessAPartShowsAChange() {
    cache.exchange(whole(tagged))
    for (headers, isKept) in [
      (tagged, true), (["Cache-Control": "max-age=60"], true), (tagged.adding("Content-Length", "3"), true),
      (["Cache-Control": "max-age=60", "ETag": "\"2\""], false),
    ] {
      cache.exchange(request("bytes=2-4"), policy: .reload, part(2, 4, headers))
      expectEqual(cache.plan().delivered?.text, isKept ? "0123456789" : nil)
    }
  }
}
