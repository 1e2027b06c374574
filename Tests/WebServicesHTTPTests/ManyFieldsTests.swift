@testable import WebServicesTestSupport
@testable import WebServicesResilience

/// Each test would take minutes if the time grew with the square of the number of fields or names.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ManyFieldsTests {
  private static let count = 100_000
  private static let names = (0..<count).map { "Name-\($0)" }
  private static let fields = HTTPHeaders(names.map { HTTPHeaders.Field(name: $0, value: "1") })

  @Test func mergeTakesLinearTime() {
    var headers = Self.fields
    headers.merge(HTTPHeaders(Self.names.map { HTTPHeaders.Field(name: $0.uppercased(), value: "2") }))
    expectEqual(headers.count, Self.count)
    #expect(headers.allSatisfy { $0.value == "2" })
  }

  @Test func connectionFieldsAreRemovedInLinearTime() {
    let headers = Self.fields.adding("Connection", Self.names.joined(separator: ", ")).adding("ETag", "1")
    expectEqual(headers.withoutConnectionFields, ["ETag": "1"])
    let stored = cachedResponse(Self.fields.adding("ETag", "\"1\""))
    let fields = Self.fields.adding("Connection", Self.names.prefix(Self.count / 2).joined(separator: ","))
    let newer = WebServiceResponse(statusCode: 304, headers: fields, url: cityURL)
    let fresh = stored.freshened(by: newer, to: [:], requestTime: WallClock.start, responseTime: WallClock.start)
    expectEqual(fresh.response.headers.count, Self.count + 1)
  }

  @Test func noCacheWithManyFieldsTakesLinearTime() {
    let list = "max-age=60, no-cache=\"\(Self.names.joined(separator: ", "))\""
    let stored = cachedResponse(Self.fields.adding("Cache-Control", list))
    #expect(!stored.facts.control.isNoCache)
    let given = stored.delivery(to: TransportRequest(url: cityURL), at: WallClock.start, isConfirmed: false)
    expectEqual(given.headers.map(\.name), ["Cache-Control", "Age"])
  }

  @Test func namesOfVaryAreLimited() {
    func names(_ count: Int) -> [String]? {
      cachedResponse(["Vary": Self.names.prefix(count).joined(separator: ", ")]).facts.varyingNames
    }
    expectEqual(names(CachedResponse.varyingNameLimit)?.count, CachedResponse.varyingNameLimit)
    expectEqual(names(CachedResponse.varyingNameLimit + 1), nil)
    expectEqual(names(Self.count), nil)
  }

  @Test func repeatedFieldsAreJoinedInLinearTime() {
    let value = String(repeating: "v", count: 50)
    let headers = HTTPHeaders((0..<Self.count).map { _ in HTTPHeaders.Field(name: "Set-Cookie", value: value) })
    let response = WebServiceResponse(statusCode: 200, headers: headers, url: cityURL)
    expectEqual(response.foundation?.value(forHTTPHeaderField: "Set-Cookie")?.utf8.count, Self.count * 52 - 2)
  }

  @Test func longListsAreReadInLinearTime() {
    let count = Self.count / 4
    let list = (0..<count).map { "a\($0)=1" }.joined(separator: ",")
    expectEqual(CacheControl(list).directives.count, count)
    for links in ["</a>; rel=next, ", "<", "\"", "</a>;a;"] {
      let headers: HTTPHeaders = ["Link": String(repeating: links, count: count)]
      expectEqual(WebServiceResponse(statusCode: 200, headers: headers, url: cityURL).link(relation: "last"), nil)
    }
    let lengths = HTTPHeaders([.init(name: "Content-Length", value: String(repeating: "4,", count: count) + "4")])
    expectEqual(lengths.contentLength, 4)
    expectEqual(HTTPHeaders.MediaType("text/plain" + (0..<count).map { ";a\($0)=1" }.joined())?.parameters.count, count)
  }
}
