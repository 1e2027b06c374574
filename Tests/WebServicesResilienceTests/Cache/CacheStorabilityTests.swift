@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct CacheStorabilityTests {
  private func isStored(
    _ headers: HTTPHeaders, statusCode: Int = 200, rules: ResponseCache.Rules = ResponseCache.Rules()
  ) -> Bool { cachedResponse(headers, statusCode: statusCode).mayBeStored(rules) }

  @Test(arguments: [
    (200, true), (203, true), (204, true), (300, true), (301, true), (302, true), (303, true), (307, true),
    (308, true), (404, true), (405, true), (410, true), (414, true), (501, true), (100, false), (199, false),
    (201, true), (202, true), (206, false), (299, true), (304, false), (400, true), (401, false), (403, true),
    (407, false), (408, false), (412, false), (416, false), (417, false), (421, false), (425, false), (428, false),
    (429, false), (431, false), (499, true), (500, true), (502, true), (503, true), (504, true), (511, false),
    (599, true), (600, false), (999, false),
  ])
  func statusDecidesAboutStoring(statusCode: Int, isStorable: Bool) {
    expectEqual(isStored(["Cache-Control": "max-age=60"], statusCode: statusCode), isStorable)
    expectEqual(isStored(["Expires": HTTPDate.string(from: WallClock.start + 60)], statusCode: statusCode), isStorable)
  }

  @Test(arguments: [201, 299, 302, 303, 307, 400, 403, 404, 405, 410, 414, 499, 500, 501, 502, 503, 504, 599])
  func uncacheableStatusNeedsExplicitFreshness(statusCode: Int) {
    let validators: HTTPHeaders = ["ETag": "\"1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
    #expect(!isStored(validators, statusCode: statusCode, rules: ResponseCache.Rules(staleIfError: 60)))
    for (control, isStorable) in [
      ("x", false), ("no-cache", false), ("stale-if-error=60", false), ("max-age=60", true), ("public", true),
      ("private", true),
    ] {
      expectEqual(isStored(validators.adding("Cache-Control", control), statusCode: statusCode), isStorable)
    }
  }

  @Test(arguments: [(200, true), (302, true), (404, true), (501, true), (299, false), (500, false)])
  func mustUnderstandExcludesUnknownStatuses(statusCode: Int, isStorable: Bool) {
    for control in ["max-age=60, must-understand", "no-store, max-age=60, must-understand"] {
      expectEqual(isStored(["Cache-Control": control], statusCode: statusCode), isStorable)
    }
  }

  @Test(arguments: [
    ("max-age=60", true), ("max-age=60, no-store", false), ("max-age=60, private", true),
    ("max-age=60, public", true),
    ("no-store, must-understand, max-age=60", true), ("private=\"Set-Cookie\", max-age=60", true),
    ("max-age=0", false), ("no-cache", false), ("max-age=0, stale-if-error=10", true),
    ("max-age=0, stale-while-revalidate=10", true), ("max-age=0, stale-if-error=10, must-revalidate", false),
    ("max-age=60, must-revalidate", true), ("no-cache, stale-if-error=10", false),
  ])
  func responseDirectivesDecideAboutStoring(control: String, isStorable: Bool) {
    expectEqual(isStored(["Cache-Control": control]), isStorable)
  }

  @Test(
    arguments: [
      // A validator makes a stale response storable.
      (["ETag": "\"1\""], true), (["Cache-Control": "no-cache", "ETag": "\"1\""], true),
      (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], true), ([:], false),
      (["Cache-Control": "no-store", "ETag": "\"1\""], false),
      // No later request can match this.
      (["Cache-Control": "max-age=60", "Vary": "*"], false),
      (["Cache-Control": "max-age=60", "Vary": "Accept", "vary": "a, *"], false),
      // A body with fewer bytes than the head says is incomplete.
      (["Cache-Control": "max-age=60", "Content-Length": "4"], true),
      (["Cache-Control": "max-age=60", "Content-Length": "5"], false),
      (["Cache-Control": "max-age=60", "Content-Length": "5", "Content-Encoding": "gzip"], true),
    ] as [(HTTPHeaders, Bool)])
  func fieldsDecideAboutStoring(headers: HTTPHeaders, isStorable: Bool) { expectEqual(isStored(headers), isStorable) }

  @Test func rulesAndMethodDecideAboutStoring() {
    #expect(isStored([:], rules: ResponseCache.Rules(staleIfError: 60)))
    #expect(!isStored(["Cache-Control": "max-age=0, stale-if-error=10"], statusCode: 404))
    for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "get"] {
      for control in ["no-store", "no-cache"] {
        let (cache, wall) = cacheOnWallClock()
        let request = cityRequest(HTTPMethod(rawValue: method), headers: ["Cache-Control": control])
        cache.exchange(request, wall.response(200, ["Cache-Control": "max-age=60"]))
        expectEqual(cache.plan().delivered != nil, method == "GET" && control == "no-cache")
      }
    }
  }

  @Test func connectionFieldsAreNotStored() {
    let stored = cachedResponse([
      "Connection": "close, X-Hop", "X-Hop": "1", "Keep-Alive": "timeout=5", "Transfer-Encoding": "chunked",
      "Upgrade": "h2c", "Proxy-Authenticate": "Basic", "ETag": "\"1\"", "Set-Cookie": "a=b",
    ])
    expectEqual(stored.response.headers, ["ETag": "\"1\"", "Set-Cookie": "a=b"])
  }
}
