@testable import WebServicesTestSupport

@Suite struct HTTPHeadersFieldsTests {
  private let moment = Date(timeIntervalSince1970: 784_111_777)

  @Test func fieldsRoundTrip() {
    var headers = HTTPHeaders()
    headers.contentType = HTTPHeaders.MediaType(type: "text", subtype: "plain", parameters: ["charset": "utf-8"])
    headers.contentLength = 42
    headers.lastModified = moment
    headers.ifModifiedSince = moment
    headers.date = moment
    headers.range = .bytes(0...499)
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let expected: HTTPHeaders = [
      "Content-Type": "text/plain; charset=utf-8", "Content-Length": "42", "Last-Modified": date,
      "If-Modified-Since": date, "Date": date, "Range": "bytes=0-499",
    ]
    expectEqual(headers, expected)
    #expect(headers.contentType?.charset == "utf-8" && headers.contentLength == 42 && headers.range == .bytes(0...499))
    #expect(headers.lastModified == moment && headers.ifModifiedSince == moment && headers.date == moment)
  }

  @Test func missingAndMalformedFieldsAreNil() {
    var headers: HTTPHeaders = ["Content-Type": "nonsense", "Content-Length": "-1", "Date": "0", "Range": "lines=1-2"]
    #expect(headers.contentType == nil && headers.contentLength == nil && headers.date == nil && headers.range == nil)
    expectEqual(headers.lastModified, nil)
    headers.range = nil
    expectEqual(headers.map(\.name), ["Content-Type", "Content-Length", "Date"])
  }

  @Test(
    arguments: [
      (["5", "5"], 5), (["5, 5"], 5), (["5", "6"], nil), (["5,6"], nil), ([""], nil), (["+5"], nil), (["5x"], nil),
      (["9223372036854775808"], nil), (["9223372036854775807"], .max), ([" 7 "], 7), (["5,"], nil),
    ] as [([String], Int64?)])
  func contentLengthsMustBeEqual(values: [String], expected: Int64?) {
    var headers = HTTPHeaders()
    values.forEach { headers.add(name: "content-length", value: $0) }
    expectEqual(headers.contentLength, expected)
  }
}
