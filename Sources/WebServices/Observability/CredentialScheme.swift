/// Credentials in the form of an `Authorization` field (RFC 9110, section 11.4), wherever they are quoted.
enum CredentialScheme {
  private static let schemes = ["bearer", "basic", "digest", "dpop", "token"]
  private static let shortest = 8

  /// The credentials behind a scheme's name. What could be a word of a sentence isn't one.
  static func credentials(behind word: ArraySlice<UInt8>, at end: Int, in bytes: [UInt8]) -> Range<Int>? {
    guard (4...6).contains(word.count), end < bytes.count, bytes[end] == 0x20 else { return nil }
    let name = String(decoding: word.map(\.asciiLowercased), as: UTF8.self)
    guard schemes.contains(name) else { return nil }
    let start = end + 1
    let stop = bytes[start...].firstIndex { !$0.isToken68 } ?? bytes.count
    let credentials = bytes[start..<stop]
    // What stands at the very end may have been cut.
    let shortest = stop == bytes.count ? SecretValues.shortest : shortest
    guard credentials.count >= shortest, credentials.contains(where: { !$0.isOrdinaryLetter }) else { return nil }
    return start..<stop
  }
}

extension UInt8 {
  fileprivate var isOrdinaryLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }

  /// RFC 9110, section 11.2.
  fileprivate var isToken68: Bool {
    switch self {
    case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "~"): true
    case UInt8(ascii: "%"), 0x80...0xFF: false
    default: isFieldNameByte
    }
  }
}
