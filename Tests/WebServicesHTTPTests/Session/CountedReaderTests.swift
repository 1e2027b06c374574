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

  @Test(arguments: [nil, 9] as [Int64?])
  func readerThatReturnsMoreThanRequestedFails(length: Int64?) {
    struct Greedy: TransportBody.Stream, TransportBody.Reader {
      let length: Int64?
      var isReplayable: Bool { true }
      func makeReader() -> any TransportBody.Reader { self }
      func read(upTo count: Int) -> Data { Data(count: count + 1) }
      func close() {}
    }
    let error = #expect(throws: RequestBodyError.self) {
      try TransportBody.stream(Greedy(length: length)).makeReader()?.read(upTo: 3)
    }
    expectEqual(error?.reason, .wrongLength)
  }
}
