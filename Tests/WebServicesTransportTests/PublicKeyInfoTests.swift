@testable import WebServicesTransport
@testable import WebServicesTestSupport

@Suite struct PublicKeyInfoTests {
  private func certificate() throws -> Data {
    let text = try String(contentsOfFile: TLSFixtures.path("server.pem"), encoding: .utf8)
    let lines = text.split(separator: "\n").dropFirst().prefix { !$0.hasPrefix("-----") }
    return try #require(Data(base64Encoded: lines.joined()))
  }

  @Test func publicKeyIsReadFromACertificate() throws {
    let key = try #require(PublicKeyInfo.bytes(of: try certificate()))
    expectEqual(Data(SHA256.hash(key)).base64EncodedString(), TLSFixtures.publicKeyDigest)
  }

  @Test func damagedCertificatesNeverTrap() throws {
    let whole = try certificate()
    for count in 0..<whole.count { expectEqual(PublicKeyInfo.bytes(of: whole.prefix(count)), nil) }
    for index in whole.indices {
      for byte: UInt8 in [0, 0x30, 0x7F, 0x80, 0x84, 0x88, 0xFF] {
        var damaged = whole
        damaged[index] = byte
        _ = PublicKeyInfo.bytes(of: damaged)
      }
    }
  }
}
