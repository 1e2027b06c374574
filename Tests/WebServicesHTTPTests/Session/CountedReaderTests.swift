@testable import WebServicesTestSupport
@testable import WebServicesHTTP

@Suite struct CountedReaderTests {
  @Test(arguments: [0, 1, 2, 300])
  func negativeLengthFailsBeforeTheFirstByte(count: Int) {
    let stream = PieceStream(count: count, length: -1)
    do throws(TransportError) {
      _ = try TransportBody.stream(stream).loaded()
      Issue.record("a stream of \(count) bytes was read")
    } catch {
      let cause = error.underlying as? RequestBodyError
      expectEqual(error.kind, .file)
      expectEqual(cause?.reason, .wrongLength)
      expectEqual(cause?.description.contains("length is -1 bytes"), true)
    }
    expectEqual(stream.opened.count, 0)
  }
}
