import Foundation

extension UInt8 {
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isHexadecimalDigit: Bool {
    isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }

  /// Whether it goes on with a character of UTF-8 that a byte before it began.
  var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }
}

extension [UInt8] {
  /// The length of the character of UTF-8 that begins here (RFC 3629, section 4), or 0 where none does. A character that
  /// the end cuts off has the length that is left.
  func utf8Length(at index: Int) -> Int {
    let lead = self[index]
    var second: ClosedRange<UInt8> = 0x80...0xBF
    let length: Int
    switch lead {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { second = 0xA0...0xBF }
      if lead == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { second = 0x90...0xBF }
      if lead == 0xF4 { second = 0x80...0x8F }
    default: return 0
    }
    let rest = self[(index + 1)..<Swift.min(index + length, count)]
    guard rest.first.map(second.contains) ?? true, rest.dropFirst().allSatisfy(\.isUTF8Continuation) else { return 0 }
    return 1 + rest.count
  }

  /// The text of a JSON string without its quotes. What is malformed becomes U+FFFD.
  func jsonText(_ range: Range<Int>) -> String {
    let piece = self[range]
    guard piece.contains(UInt8(ascii: "\\")) else { return String(decoding: piece, as: UTF8.self) }
    let quoted = Data([UInt8(ascii: "\"")] + piece + [UInt8(ascii: "\"")])
    return (try? JSONDecoder().decode(String.self, from: quoted)) ?? String(decoding: piece, as: UTF8.self)
  }
}
