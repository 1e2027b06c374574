import WebServicesTestSupport

@Suite struct SHA256Tests {
  private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

  @Test func examplesOfFIPS180AreHashed() {
    let letters = Array("abcdefghijklmnopqrstu")
    let long = String((0..<14).flatMap { letters[$0..<($0 + 8)] })
    let rows = [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (long, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"),
    ]
    for (text, hash) in rows {
      expectEqual(hex(SHA256.hash(text.utf8)), hash)
      expectEqual(hex(SHA256.hash(Data(text.utf8))), hash)
    }
  }

  @Test func lengthsAroundABlockAreHashed() {
    for length in 0...200 {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      var hash = SHA256()
      for byte in bytes { hash.update(CollectionOfOne(byte)) }
      expectEqual(hash.finalize(), SHA256.hash(bytes))
    }
  }
}
