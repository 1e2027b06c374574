/// Which bytes may stand raw in a part of a URL (RFC 3986, section 2 and appendix A).
struct PercentEncoding: Hashable, Sendable {
  /// A bit for each allowed ASCII byte.
  private var allowedLow: UInt64 = 0
  private var allowedHigh: UInt64 = 0
  /// Whether `%41` is taken as encoded already, instead of being encoded once more.
  private let keepsEscapes: Bool
  /// Whether a space is written as `+`, as forms have it.
  private let writesSpaceAsPlus: Bool

  private init(
    allowing characters: StaticString, besides others: String = Self.unreserved, keepsEscapes: Bool,
    writesSpaceAsPlus: Bool = false
  ) {
    self.keepsEscapes = keepsEscapes
    self.writesSpaceAsPlus = writesSpaceAsPlus
    characters.withUTF8Buffer { allow($0) }
    allow(others.utf8)
  }

  /// Lets more ASCII bytes stand raw.
  private mutating func allow(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte < 64 { allowedLow |= 1 << UInt64(byte) } else if byte < 128 { allowedHigh |= 1 << UInt64(byte - 64) }
    }
  }

  private static let alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  private static let unreserved = alphanumeric + "-._~"

  /// A path with its slashes; escapes that are there stay.
  static let path = PercentEncoding(allowing: "!$&'()*+,;=:@/", keepsEscapes: true)
  /// A query that is written out; escapes that are there stay.
  static let query = PercentEncoding(allowing: "!$&'()*+,;=:@/?", keepsEscapes: true)
  /// The name of a host (RFC 3986, section 3.2.2). A `%` isn't allowed: programs disagree on what an escape means there.
  static let host = PercentEncoding(allowing: "!$&'()*+,;=", keepsEscapes: false)
  /// A value that must arrive as it is, wherever it is put.
  static let everythingReserved = PercentEncoding(allowing: "", keepsEscapes: false)
  /// A name or a value of `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
  static let form = PercentEncoding(
    allowing: "*-._", besides: alphanumeric, keepsEscapes: false, writesSpaceAsPlus: true)

  /// An encoding that lets more bytes stand raw.
  func allowing(_ bytes: some Sequence<UInt8>) -> PercentEncoding {
    var copy = self
    copy.allow(bytes)
    return copy
  }

  func allows(_ byte: UInt8) -> Bool {
    if byte < 64 { return allowedLow & (1 << UInt64(byte)) != 0 }
    if byte < 128 { return allowedHigh & (1 << UInt64(byte - 64)) != 0 }
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
      } else if writesSpaceAsPlus, byte == UInt8(ascii: " ") {
        output.append(UInt8(ascii: "+"))
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
  var isHexDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default:
      false
    }
  }
}
