import Foundation

/// The character classes of RFC 9110 that decide whether a name or a value may be put on the wire.
extension Collection where Element == UInt8 {
  /// Whether the bytes are a token: one or more `tchar` (RFC 9110, section 5.6.2).
  package var isHTTPToken: Bool {
    let token = ByteSet.token
    return !isEmpty && allBytes { token.contains($0) }
  }

  /// Whether the bytes have no control character but the tab. CR, LF and NUL would let a value end its line (RFC 9110,
  /// section 5.5).
  package var isHTTPFieldValue: Bool { allBytes { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) } }

  /// `allSatisfy`, four times as fast for the bytes of a string, which are in memory.
  private func allBytes(_ predicate: (UInt8) -> Bool) -> Bool {
    withContiguousStorageIfAvailable { $0.allSatisfy(predicate) } ?? allSatisfy(predicate)
  }
}

extension UInt8 {
  @inlinable package static var lineFeed: UInt8 { 0x0A }
  @inlinable package static var carriageReturn: UInt8 { 0x0D }

  package var isASCIIDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// The byte with an ASCII capital letter made small.
  package var asciiLowercased: UInt8 { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self }
}

extension String {
  /// The number of a length or an offset: digits alone. `nil` for any other text and for a number that is too large.
  package var httpNumber: Int64? { utf8.allSatisfy(\.isASCIIDigit) ? Int64(self) : nil }

  /// The length that a `Content-Length` announces, also as a list of equal numbers (RFC 9112, section 6.3); `nil` for
  /// any other text.
  package var announcedLength: Int64? {
    if let number = httpNumber { return number }
    let numbers = Set(parts(separatedBy: ",").map { $0.trimmingFieldWhitespace.httpNumber })
    return numbers.count == 1 ? numbers.first ?? nil : nil
  }

  /// The text without white space around it. Foundation takes thousands of instructions to find that there is none.
  package var trimmingWhitespace: String {
    let hasNone = (0x21..<0x80).contains(utf8.first ?? 0) && (0x21..<0x80).contains(utf8.last ?? 0)
    return hasNone ? self : trimmingCharacters(in: .whitespaces)
  }

  /// The parts between the separators, empty ones included. Compares bytes in an array: comparing characters takes
  /// several times as long, and overlooks a separator before a combining mark.
  package func parts(separatedBy separator: Unicode.Scalar) -> [String] {
    Array(utf8).split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The text with the capital letters of ASCII made small.
  package var asciiLowercased: String {
    guard utf8.contains(where: { $0 != $0.asciiLowercased }) else { return self }
    return String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }

  /// Whether two field names or schemes are the same but for the case of ASCII letters.
  package func equalsIgnoringASCIICase(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    // Most names have their usual case, and comparing equal strings is fastest.
    if self == other { return true }
    let isEqual = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        left.indices.allSatisfy { left[$0] == right[$0] || left[$0].asciiLowercased == right[$0].asciiLowercased }
      }
    }
    // On Apple's systems a bridged `NSString` has no contiguous bytes.
    return (isEqual ?? nil) ?? zip(utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  /// Whether the bytes are the same, while `==` compares the characters. Each request compares its header fields with
  /// those of the request before, so the bytes are compared at once and not one by one.
  func hasSameBytes(as other: String) -> Bool {
    other.utf8.withContiguousStorageIfAvailable { hasBytes(UnsafeRawBufferPointer($0)) }
      ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether the text has these bytes.
  package func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard utf8.count == bytes.count, let start = bytes.baseAddress else { return utf8.count == bytes.count }
    let isSame = utf8.withContiguousStorageIfAvailable { text in
      text.baseAddress.map { memcmp($0, start, bytes.count) == 0 } ?? true
    }
    return isSame ?? utf8.elementsEqual(bytes)
  }
}

extension StringProtocol {
  /// The text without the white space that may stand around a field's value (RFC 9110, section 5.5).
  package var trimmingFieldWhitespace: String {
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let bytes = Array(utf8).drop(while: isSpace)
    return String(decoding: bytes.dropLast(bytes.reversed().prefix(while: isSpace).count), as: UTF8.self)
  }

  /// The text as a quoted string (RFC 9110, section 5.6.4). A quote and a combining mark make one `Character`, so the
  /// bytes are escaped.
  package var quotedString: String {
    let escaped = Array(utf8).flatMap { [0x22, 0x5C].contains($0) ? [0x5C, $0] : [$0] }
    return "\"\(String(decoding: escaped, as: UTF8.self))\""
  }
}
