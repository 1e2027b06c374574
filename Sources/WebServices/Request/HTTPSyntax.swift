/// The character classes of RFC 9110 that decide whether a name or a value may be put on the wire.
extension Sequence where Element == UInt8 {
  /// One or more `tchar` (RFC 9110, section 5.6.2).
  package var isHTTPToken: Bool {
    var isEmpty = true
    for byte in self {
      guard byte.isHTTPTokenCharacter else { return false }
      isEmpty = false
    }
    return !isEmpty
  }

  /// No control character but the tab: CR, LF and NUL would let a value end its line (RFC 9110, section 5.5).
  package var isHTTPFieldValue: Bool {
    allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }
}

extension UInt8 {
  fileprivate var isHTTPTokenCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      return true
    default:
      return false
    }
  }

  var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// The byte with an ASCII capital letter made small.
  var asciiLowercased: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
  }
}

extension String {
  /// Whether two field names or schemes are the same but for the case of ASCII letters.
  package func equalsIgnoringASCIICase(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Nearly every name is written as everybody writes it.
    if self == other { return true }
    let isEqual = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.equalsIgnoringASCIICase(right) }
    }
    // A string of Foundation's on Apple's systems has its bytes elsewhere.
    return (isEqual ?? nil) ?? zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// - Parameter other: as many bytes.
  fileprivate func equalsIgnoringASCIICase(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < count {
      guard self[index] == other[index] || self[index].asciiLowercased == other[index].asciiLowercased else {
        return false
      }
      index += 1
    }
    return true
  }
}
