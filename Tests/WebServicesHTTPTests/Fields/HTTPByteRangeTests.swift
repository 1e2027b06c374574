@testable import WebServicesTestSupport

@Suite struct HTTPByteRangeTests {
  @Test func rangesRoundTrip() {
    let rows: [(String, HTTPHeaders.ByteRange)] = [
      ("bytes=0-499", .bytes(0...499)), ("bytes=9500-", .from(9500)), ("bytes=-500", .last(500)),
      ("bytes=0-0", .bytes(0...0)),
    ]
    for (text, range) in rows {
      expectEqual(HTTPHeaders.ByteRange(text), range)
      expectEqual(HTTPHeaders.ByteRange(text.uppercased()), range)
      expectEqual(range.description, text)
    }
    expectEqual(HTTPHeaders.ByteRange.from(-5).description, "bytes=0-")
    expectEqual(HTTPHeaders.ByteRange.last(.min).description, "bytes=-0")
    expectEqual(HTTPHeaders.ByteRange.bytes(-5...3).description, "bytes=0-3")
    expectEqual(HTTPHeaders.ByteRange.bytes(-5 ... -3).description, "bytes=0-0")
    for text in [
      "", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=0-1,3-4", "lines=0-1", "bytes=a-b", "bytes=5-b",
      "bytes=--5",
      "bytes=1--2", "bytes=99999999999999999999-", "bytes=+1-2", "0-1",
    ] { expectEqual(HTTPHeaders.ByteRange(text), nil) }
  }
}
