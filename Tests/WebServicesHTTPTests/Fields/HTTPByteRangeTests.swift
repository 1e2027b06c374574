@testable import WebServicesTestSupport

@Suite struct HTTPByteRangeTests {
  @Test(
    arguments: [
      ("bytes=0-499", HTTPHeaders.ByteRange.bytes(0...499)), ("bytes=9500-", .from(9500)), ("bytes=-500", .last(500)),
      ("bytes=0-0", .bytes(0...0)),
    ])
  func rangeRoundTrips(text: String, range: HTTPHeaders.ByteRange) {
    expectEqual(HTTPHeaders.ByteRange(text), range)
    expectEqual(range.description, text)
  }

  @Test(
    arguments: [
      "", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=0-1,3-4", "lines=0-1", "bytes=a-b", "bytes=--5",
      "bytes=1--2",
      "bytes=99999999999999999999-", "bytes=+1-2", "0-1",
    ])
  func otherRangesAreRefused(text: String) {
    expectEqual(HTTPHeaders.ByteRange(text), nil)
  }

  @Test func unitHasNoCase() {
    expectEqual(HTTPHeaders.ByteRange("Bytes=1-2"), .bytes(1...2))
    expectEqual(HTTPHeaders.ByteRange.from(-5).description, "bytes=0-")
    expectEqual(HTTPHeaders.ByteRange.last(.min).description, "bytes=-0")
  }
}
