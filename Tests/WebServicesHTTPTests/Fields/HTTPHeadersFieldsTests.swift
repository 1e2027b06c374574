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

@Suite struct HTTPByteRangeTests {
  @Test(
    arguments: [
      ("bytes=0-499", HTTPByteRange.bytes(0...499)), ("bytes=9500-", .from(9500)), ("bytes=-500", .last(500)),
      ("bytes=0-0", .bytes(0...0)),
    ])
  func rangeRoundTrips(text: String, range: HTTPByteRange) {
    #expect(HTTPByteRange(text) == range)
    #expect(range.description == text)
  }

  @Test(
    arguments: [
      "", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=0-1,3-4", "lines=0-1", "bytes=a-b", "bytes=--5",
      "bytes=1--2",
      "bytes=99999999999999999999-", "bytes=+1-2", "0-1",
    ])
  func otherRangesAreRefused(text: String) {
    #expect(HTTPByteRange(text) == nil)
  }

  @Test func unitHasNoCase() {
    #expect(HTTPByteRange("Bytes=1-2") == .bytes(1...2))
    #expect(HTTPByteRange.from(-5).description == "bytes=0-")
    #expect(HTTPByteRange.last(.min).description == "bytes=-0")
  }

  @Test func randomRangesRoundTripOrFail() {
    var generator = SeededGenerator(seed: 21)
    let alphabet = Array("bytes=0123456789--,  \u{0}ü")
    var count = 0
    for _ in 0..<20_000 {
      let tail = String(
        (0..<Int.random(in: 0..<24, using: &generator)).compactMap { _ in
          alphabet.randomElement(using: &generator)
        })
      for text in [tail, "bytes=" + tail] {
        let headers: HTTPHeaders = ["Range": text, "Content-Length": text, "Content-Type": text, "Date": text]
        _ = (headers.contentLength, headers.contentType, headers.date)
        guard let range = headers.range else { continue }
        count += 1
        #expect(HTTPByteRange(range.description) == range)
      }
    }
    #expect(count > 10)
  }
}
