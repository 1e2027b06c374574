@testable import WebServicesTestSupport

@Suite struct CountedReaderTests {
  @Test(arguments: [0, 1, 2, 300])
  func negativeLengthFailsBeforeTheFirstByte(count: Int) {
    let stream = PieceStream(count: count, length: -1)
    let error = #expect(throws: TransportError.self) { try TransportBody.stream(stream).loaded() }
    let cause = error?.underlying as? RequestBodyError
    #expect(error?.kind == .file && cause?.reason == .wrongLength)
    expectEqual(cause?.description.contains("length is -1 bytes"), true)
    expectEqual(stream.opened.count, 0)
  }
}
