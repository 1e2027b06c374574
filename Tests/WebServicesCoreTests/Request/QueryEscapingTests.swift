@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct QueryEscapingTests {
  private let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

  private func query(_ value: String, _ escaping: QueryEncoder.Escaping) -> String {
    escaping.query(of: [URLQueryItem(name: "n", value: value)])
  }

  /// The encoded form of one ASCII character.
  private func sent(_ byte: UInt8, _ escaping: QueryEncoder.Escaping) -> String {
    String(query(String(UnicodeScalar(byte)), escaping).dropFirst(2))
  }

  private func percentEncoded(_ byte: UInt8) -> String {
    "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }

  @Test func strictEscapingKeepsOnlyUnreserved() {
    for byte in UInt8(0)...0x7F {
      let expected = unreserved.contains(byte) ? String(UnicodeScalar(byte)) : percentEncoded(byte)
      expectEqual(sent(byte, .strict), expected)
    }
    expectEqual(query("ü 😀", .strict), "n=%C3%BC%20%F0%9F%98%80")
    expectEqual(query("%41+&=;", .strict), "n=%2541%2B%26%3D%3B")
  }

  @Test func formEscapingFollowsWHATWG() {
    let raw = unreserved.subtracting("~".utf8).union("*".utf8)
    for byte in UInt8(0)...0x7F {
      let expected = byte == 0x20 ? "+" : raw.contains(byte) ? String(UnicodeScalar(byte)) : percentEncoded(byte)
      expectEqual(sent(byte, .form), expected)
    }
    expectEqual(query("a+b c\r\n‽", .form), "n=a%2Bb+c%0D%0A%E2%80%BD")
  }

  @Test func emptyValueHasAnEqualsSign() {
    let items = [URLQueryItem(name: "flag", value: nil), URLQueryItem(name: "", value: "")]
    expectEqual(QueryEncoder.Escaping.strict.query(of: items), "flag&=")
    expectEqual(QueryEncoder.Escaping.form.query(of: []), "")
  }
}
