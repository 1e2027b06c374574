/// A set of ASCII bytes. A look-up takes a few instructions.
package struct ByteSet: Hashable, Sendable, ExpressibleByStringLiteral {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Creates a set of the bytes that are ASCII.
  package init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte < 64 { low |= 1 &<< UInt64(byte) } else if byte < 128 { high |= 1 &<< UInt64(byte) }
    }
  }

  package init(stringLiteral text: String) { self.init(text.utf8) }

  package func contains(_ byte: UInt8) -> Bool { (byte < 64 ? low : byte < 128 ? high : 0) & 1 &<< UInt64(byte) != 0 }

  package func union(_ other: ByteSet) -> ByteSet {
    var union = self
    union.low |= other.low
    union.high |= other.high
    return union
  }

  package static let alphanumeric: ByteSet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  static let hexDigits: ByteSet = "0123456789ABCDEFabcdef"
  /// The characters that stand raw in every part of a URL (RFC 3986, section 2.3).
  package static let unreserved = alphanumeric.union("-._~")
  /// The characters that stand raw in a path and in a query, but for those that may separate parts.
  static let plain = unreserved.union("!$&'()*+,;=@/")
  /// `tchar` (RFC 9110, section 5.6.2).
  static let token = alphanumeric.union("!#$%&'*+-.^_`|~")
}
