import Foundation
import Testing

@testable import WebServices

@Suite("What is stored")
struct CacheStorabilityTests {
  private func isStored(
    _ headers: HTTPHeaders, statusCode: Int = 200, method: HTTPMethod = .get, body: String = "Rome",
    request: HTTPHeaders = HTTPHeaders(), rules: CacheRules = CacheRules()
  ) -> Bool {
    let response = WebServiceResponse(
      statusCode: statusCode, headers: headers, url: CacheBench.url, body: Data(body.utf8))
    let request = CacheBench.request(method, headers: request)
    let cached = CachedResponse(
      response, to: request, identity: nil, requestTime: CacheBench.start, responseTime: CacheBench.start, salt: Data())
    return CacheStorability.canStore(response, as: cached, to: request, rules: rules)
  }

  @Test(
    "depends on the status",
    arguments: [
      (200, true), (203, true), (204, true), (300, true), (301, true), (302, true), (303, true), (307, true),
      (308, true), (404, true), (405, true), (410, true), (414, true), (501, true), (100, false), (199, false),
      (201, false), (202, false), (206, false), (304, false), (400, false), (401, false), (403, false), (407, false),
      (412, false), (416, false), (429, false), (500, false), (502, false), (503, false), (504, false), (999, false),
    ])
  func statuses(statusCode: Int, isWanted: Bool) {
    #expect(isStored(["Cache-Control": "max-age=60"], statusCode: statusCode) == isWanted)
  }

  @Test(
    "depends on the method",
    arguments: [
      ("GET", true), ("HEAD", true), ("POST", false), ("PUT", false), ("DELETE", false), ("OPTIONS", false),
      ("get", false),
    ])
  func methods(method: String, isWanted: Bool) {
    #expect(isStored(["Cache-Control": "max-age=60"], method: HTTPMethod(rawValue: method)) == isWanted)
  }

  @Test(
    "depends on the answer's directives",
    arguments: [
      ("max-age=60", true), ("max-age=60, no-store", false), ("max-age=60, private", true),
      ("max-age=60, public", true),
      ("no-store, must-understand, max-age=60", true), ("private=\"Set-Cookie\", max-age=60", true),
      ("max-age=0", false), ("no-cache", false), ("max-age=0, stale-if-error=10", true),
      ("max-age=0, stale-while-revalidate=10", true), ("max-age=0, stale-if-error=10, must-revalidate", false),
      ("max-age=60, must-revalidate", true), ("no-cache, stale-if-error=10", false),
    ])
  func directives(control: String, isWanted: Bool) {
    #expect(isStored(["Cache-Control": control]) == isWanted)
  }

  @Test("is what may be confirmed, though it is never fresh")
  func validators() {
    #expect(isStored(["ETag": "\"1\""]))
    #expect(isStored(["Cache-Control": "no-cache", "ETag": "\"1\""]))
    #expect(isStored(["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]))
    #expect(!isStored([:]))
    #expect(isStored([:], rules: CacheRules(staleIfError: 60)))
    #expect(!isStored(["Cache-Control": "no-store", "ETag": "\"1\""]))
  }

  @Test("isn't what the request doesn't want stored")
  func requestDirectives() {
    #expect(!isStored(["Cache-Control": "max-age=60"], request: ["Cache-Control": "no-store"]))
    #expect(isStored(["Cache-Control": "max-age=60"], request: ["Cache-Control": "no-cache"]))
  }

  @Test("is what was asked with credentials: the cache is a private one")
  func credentials() {
    #expect(isStored(["Cache-Control": "max-age=60"], request: ["Authorization": "Bearer x"]))
  }

  @Test("isn't what fits no other request")
  func varyAny() {
    #expect(!isStored(["Cache-Control": "max-age=60", "Vary": "*"]))
    #expect(!isStored(["Cache-Control": "max-age=60", "Vary": "Accept", "vary": "a, *"]))
  }

  @Test("isn't what broke off")
  func incomplete() {
    #expect(isStored(["Cache-Control": "max-age=60", "Content-Length": "4"]))
    #expect(!isStored(["Cache-Control": "max-age=60", "Content-Length": "5"]))
    #expect(isStored(["Cache-Control": "max-age=60", "Content-Length": "5", "Content-Encoding": "gzip"]))
    #expect(isStored(["Cache-Control": "max-age=60", "Content-Length": "5"], method: .head, body: ""))
  }

  @Test("has none of the fields that were for one connection only (RFC 9111, section 3.1)")
  func connectionFields() {
    let stored = cachedResponse([
      "Connection": "close, X-Hop", "X-Hop": "1", "Keep-Alive": "timeout=5", "Transfer-Encoding": "chunked",
      "Upgrade": "h2c", "Proxy-Authenticate": "Basic", "ETag": "\"1\"", "Set-Cookie": "a=b",
    ])
    #expect(stored.headers == ["ETag": "\"1\"", "Set-Cookie": "a=b"])
  }
}
