import Testing

@testable import WebServices

@Suite("SHA-256")
struct SHA256DigestTests {
  @Test(
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
          + "nopqrstu", "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
      (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
  func digestMatchesTheStandardsExamples(text: String, expected: String) {
    #expect(SHA256Digest.hexadecimal(SHA256Digest.digest(of: Array(text.utf8))) == expected)
  }

  @Test func digestsOfAllLengthsArePadded() {
    let digests = (0..<300).flatMap { SHA256Digest.digest(of: [UInt8](repeating: 0x61, count: $0)) }
    #expect(digests.count == 300 * 32)
    #expect(
      SHA256Digest.hexadecimal(SHA256Digest.digest(of: digests))
        == "80e953e3b006c4bab43fd5d792f8bd29c122f6cf1497318365fe66bf2d61398d")
  }

  @Test func digestDependsOnTheBoundariesOfParts() {
    #expect(SHA256Digest.digest(ofParts: [[1], [2, 3]]) != SHA256Digest.digest(ofParts: [[1, 2], [3]]))
    #expect(SHA256Digest.digest(ofParts: [[1]]) != SHA256Digest.digest(ofParts: [[1], []]))
  }
}
