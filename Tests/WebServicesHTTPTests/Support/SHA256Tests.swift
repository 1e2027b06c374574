import WebServicesTestSupport
import WebServicesHTTP

@Suite struct SHA256Tests {
  private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

  @Test(
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func examplesOfFIPS180AreHashed(text: String, hash: String) {
    expectEqual(hex(SHA256.hash(text.utf8)), hash)
    expectEqual(hex(SHA256.hash(Data(text.utf8))), hash)
  }

  @Test func lengthsAroundABlockAreHashed() {
    for length in 0...200 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      var hash = SHA256()
      for byte in bytes { hash.update(CollectionOfOne(byte)) }
      expectEqual(hash.finalize(), SHA256.hash(bytes))
    }
  }

  @Test func authenticationCodesFollowRFC4231() {
    func code(_ message: some Collection<UInt8>, _ key: some Collection<UInt8>) -> String {
      hex(SHA256.authenticationCode(of: message, key: key))
    }
    expectEqual(
      code("Hi There".utf8, [UInt8](repeating: 0x0b, count: 20)),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    expectEqual(
      code("what do ya want for nothing?".utf8, "Jefe".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    expectEqual(
      code([UInt8](repeating: 0xdd, count: 50), [UInt8](repeating: 0xaa, count: 20)),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
    expectEqual(
      code("Test Using Larger Than Block-Size Key - Hash Key First".utf8, [UInt8](repeating: 0xaa, count: 131)),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }
}
