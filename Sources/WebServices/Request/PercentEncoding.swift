/// Which bytes may stand raw in a part of a URL (RFC 3986, section 2 and appendix A).
struct PercentEncoding {
  /// A bit for each allowed ASCII byte.
  private let allowed: (UInt64, UInt64)
  /// Whether `%41` is taken as encoded already, instead of being encoded once more.
  private let keepsEscapes: Bool

  private init(allowing characters: StaticString, keepsEscapes: Bool) {
    var allowed: (UInt64, UInt64) = (0, 0)
    characters.withUTF8Buffer { buffer in
      for byte in [Self.unreserved, Array(buffer)].joined() {
        if byte < 64 { allowed.0 |= 1 << UInt64(byte) } else { allowed.1 |= 1 << UInt64(byte - 64) }
      }
    }
    self.allowed = allowed
    self.keepsEscapes = keepsEscapes
  }

  private static let unreserved = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

  /// A path with its slashes; escapes that are there stay.
  static let path = PercentEncoding(allowing: "!$&'()*+,;=:@/", keepsEscapes: true)
  /// A query that is written out; escapes that are there stay.
  static let query = PercentEncoding(allowing: "!$&'()*+,;=:@/?", keepsEscapes: true)
  /// A host and a port.
  static let authority = PercentEncoding(allowing: "!$&'()*+,;=:[]%", keepsEscapes: true)
  /// A value that must arrive as it is, wherever it is put.
  static let everythingReserved = PercentEncoding(allowing: "", keepsEscapes: false)

  func allows(_ byte: UInt8) -> Bool {
    if byte < 64 { return allowed.0 & (1 << UInt64(byte)) != 0 }
    if byte < 128 { return allowed.1 & (1 << UInt64(byte - 64)) != 0 }
    return false
  }

  func encode(_ text: String) -> String {
    if text.utf8.allSatisfy(allows) { return text }
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count * 3)
    for (index, byte) in bytes.enumerated() {
      if allows(byte) || (keepsEscapes && bytes.hasEscape(at: index)) {
        output.append(byte)
      } else {
        output += [UInt8(ascii: "%"), Self.digit(byte >> 4), Self.digit(byte & 0xF)]
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }
}

extension String {
  func percentEncoded(_ encoding: PercentEncoding) -> String { encoding.encode(self) }
}

extension [UInt8] {
  fileprivate func hasEscape(at index: Int) -> Bool {
    self[index] == UInt8(ascii: "%") && index + 2 < count && self[index + 1].isHexDigit
      && self[index + 2].isHexDigit
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default:
      false
    }
  }
}
