import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices

@Suite struct HTTPHeadersFieldsTests {
  private let moment = Date(timeIntervalSince1970: 784_111_777)

  @Test func fieldsRoundTrip() {
    var headers = HTTPHeaders()
    headers.accept = "text/html, */*;q=0.5"
    headers.acceptLanguage = "de, en;q=0.8"
    headers.userAgent = "Feather/1"
    headers.contentType = MediaType(type: "text", subtype: "plain", parameters: ["charset": "utf-8"])
    headers.contentLength = 42
    headers.eTag = #""abc""#
    headers.ifMatch = "*"
    headers.ifNoneMatch = #""a", W/"b""#
    headers.lastModified = moment
    headers.ifModifiedSince = moment
    headers.date = moment
    headers.location = "../x"
    headers.range = .bytes(0...499)
    headers.cacheControl = "no-cache"
    let expected: HTTPHeaders = [
      "Accept": "text/html, */*;q=0.5", "Accept-Language": "de, en;q=0.8", "User-Agent": "Feather/1",
      "Content-Type": "text/plain; charset=utf-8", "Content-Length": "42", "ETag": #""abc""#, "If-Match": "*",
      "If-None-Match": #""a", W/"b""#, "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT",
      "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
      "Location": "../x", "Range": "bytes=0-499", "Cache-Control": "no-cache",
    ]
    #expect(headers == expected)
    #expect(headers.accept == "text/html, */*;q=0.5" && headers.acceptLanguage == "de, en;q=0.8")
    #expect(headers.userAgent == "Feather/1" && headers.contentType?.charset == "utf-8")
    #expect(headers.contentLength == 42 && headers.eTag == #""abc""# && headers.ifMatch == "*")
    #expect(headers.ifNoneMatch == #""a", W/"b""# && headers.location == "../x")
    #expect(headers.lastModified == moment && headers.ifModifiedSince == moment && headers.date == moment)
    #expect(headers.range == .bytes(0...499) && headers.cacheControl == "no-cache")
  }

  @Test func missingAndMalformedFieldsAreNil() {
    var headers: HTTPHeaders = [
      "Content-Type": "nonsense", "Content-Length": "-1", "Date": "0", "Range": "lines=1-2", "ETag": "x",
    ]
    #expect(headers.contentType == nil && headers.contentLength == nil && headers.date == nil && headers.range == nil)
    #expect(headers.accept == nil && headers.lastModified == nil)
    headers.eTag = nil
    headers.range = nil
    #expect(headers.map(\.name) == ["Content-Type", "Content-Length", "Date"])
  }

  @Test(
    arguments: [
      (["5", "5"], 5), (["5, 5"], 5), (["5", "6"], nil), (["5,6"], nil), ([""], nil), (["+5"], nil), (["5x"], nil),
      (["9223372036854775808"], nil), (["9223372036854775807"], .max), ([" 7 "], 7), (["5,"], nil),
    ] as [([String], Int64?)])
  func contentLengthsMustBeEqual(values: [String], expected: Int64?) {
    var headers = HTTPHeaders()
    values.forEach { headers.add(name: "content-length", value: $0) }
    #expect(headers.contentLength == expected)
  }

  @Test func listsAreJoined() {
    let headers: HTTPHeaders = ["Cache-Control": "no-cache", "cache-control": "no-store", "If-None-Match": #""a""#]
    #expect(headers.cacheControl == "no-cache, no-store")
    #expect(headers.ifNoneMatch == #""a""#)
  }
}
