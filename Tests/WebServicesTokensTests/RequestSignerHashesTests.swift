@testable import WebServicesTestSupport

struct RequestSignerHashesTests {
  /// The test cases 1, 2, 3 and 6 of RFC 4231.
  @Test func authenticationCodesFollowRFC4231() {
    let rows: [(message: Data, key: Data, code: String)] = [
      (
        Data("Hi There".utf8), Data(repeating: 0x0b, count: 20),
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Data("what do ya want for nothing?".utf8), Data("Jefe".utf8),
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        Data(repeating: 0xdd, count: 50), Data(repeating: 0xaa, count: 20),
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
      ),
      // A key of one block isn't hashed. The code is Python's.
      (
        Data("Hi There".utf8), Data(repeating: 0xaa, count: 64),
        "ebef34e13d0a0fe04593d043bc7a865106db0604211d404c18206d862e5d7852"
      ),
      (
        Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8), Data(repeating: 0xaa, count: 131),
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ]
    for (message, key, code) in rows {
      expectEqual(RequestSigner.hmacSHA256(message, key: key).map { String(format: "%02x", $0) }.joined(), code)
    }
  }

  @Test func readerOfAHashedBodyIsClosed() throws {
    let source = PieceStream(["a", "b"])
    let request = TransportRequest(url: testURL("https://h/"), body: .stream(source))
    expectEqual(try request.bodySHA256(), RequestSigner.sha256("ab".utf8))
    expectEqual(source.closed.count, 1)
  }
}
