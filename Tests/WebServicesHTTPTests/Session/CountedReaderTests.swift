@testable import WebServicesTestSupport

@Suite struct CountedReaderTests {
  @Test(arguments: [0, 1, 2, 300])
  func negativeLengthFailsBeforeTheFirstByte(count: Int) {
    let stream = PieceStream(count: count, length: -1)
    let error = #expect(throws: RequestBodyError.self) { try TransportBody.stream(stream).makeReader() }
    expectEqual(error?.reason, .wrongLength)
    expectEqual(error?.description.contains("length is -1 bytes"), true)
    expectEqual(stream.opened.count, 0)
  }
}
