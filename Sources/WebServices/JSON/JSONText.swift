import Foundation

/// Turns the bytes between a string's quotes into a `String`. Call `decoded`, which checks that the bytes are UTF-8 and
/// replaces escape sequences.
enum JSONText {
  /// `nil` if the text isn't UTF-8, or has an invalid escape sequence or a control character.
  @inline(never)
  static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> String? {
    guard text.contains(where: { $0 == UInt8(ascii: "\\") || $0 < 0x20 }) else { return string(text) }
    // No escape sequence is shorter than its character, so the text fits.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { buffer in
      var index = 0
      guard let count = unescape(text, &index, into: buffer) else { return nil }
      return string(UnsafeBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// `nil` if the text isn't UTF-8. `String` repairs such text, so comparing the bytes shows whether it was valid.
  private static func string(_ text: UnsafeBufferPointer<UInt8>) -> String? {
    var string = String(decoding: text, as: UTF8.self)
    let isSame = string.withUTF8 { result in
      guard result.count == text.count, let new = result.baseAddress, let old = text.baseAddress else {
        return result.count == text.count
      }
      return memcmp(new, old, text.count) == 0
    }
    return isSame ? string : nil
  }

  /// The offset of an invalid escape sequence, a control character or a byte that isn't UTF-8; `nil` without any.
  static func fault(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard decoded(text) == nil else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { buffer in
      var index = 0
      guard unescape(text, &index, into: buffer) != nil else { return index }
      // The text as `String` repairs it differs from the first byte on that isn't UTF-8.
      return zip(String(decoding: text, as: UTF8.self).utf8, text).enumerated().first { $1.0 != $1.1 }?.offset ?? index
    }
  }

  /// - Parameter index: the offset of the next character to read; behind the text in the end, or else at the fault.
  /// - Returns: the number of bytes written; `nil` for an invalid escape sequence or a control character.
  private static func unescape(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int? {
    var count = 0
    while index < text.count {
      var next = index + 1
      switch text[index] {
      case UInt8(ascii: "\\"):
        guard next < text.count else { return nil }
        next += 1
        switch text[next - 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): buffer[count] = text[next - 1]
        case UInt8(ascii: "b"): buffer[count] = 0x08
        case UInt8(ascii: "f"): buffer[count] = 0x0C
        case UInt8(ascii: "n"): buffer[count] = 0x0A
        case UInt8(ascii: "r"): buffer[count] = 0x0D
        case UInt8(ascii: "t"): buffer[count] = 0x09
        case UInt8(ascii: "u"):
          guard let scalar = scalar(text, &next), let encoded = UTF8.encode(scalar) else { return nil }
          for unit in encoded {
            buffer[count] = unit
            count += 1
          }
          count -= 1
        default: return nil
        }
      case 0..<0x20: return nil
      default: buffer[count] = text[index]
      }
      count += 1
      index = next
    }
    return count
  }

  /// The character of one escaped UTF-16 unit, or of a surrogate pair (RFC 8259, section 7); `nil` for half of a pair.
  private static func scalar(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Unicode.Scalar? {
    guard let unit = unit(text, &index) else { return nil }
    guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
    guard index + 1 < text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") else {
      return nil
    }
    index += 2
    guard let trail = self.unit(text, &index), UTF16.isTrailSurrogate(trail) else { return nil }
    return Unicode.Scalar(0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(trail) & 0x3FF)
  }

  /// The number that four hexadecimal digits represent; `nil` without four such digits.
  private static func unit(_ text: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> UInt16? {
    guard index + 4 <= text.count else { return nil }
    var unit: UInt16 = 0
    for byte in text[index..<(index + 4)] {
      let letter = (byte | 0x20) &- UInt8(ascii: "a")
      guard letter < 6 || byte &- 0x30 < 10 else { return nil }
      unit = unit << 4 | UInt16(letter < 6 ? letter + 10 : byte - 0x30)
    }
    index += 4
    return unit
  }

  // MARK: Encodings

  /// A document in UTF-8, without a byte order mark; `nil` if it isn't text.
  static func utf8(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    func decoded(_ encoding: String.Encoding) -> [UInt8]? {
      String(bytes: bytes, encoding: encoding).map { Array($0.utf8) }
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    // The marks of UTF-32 come first, because one of them begins with a mark of UTF-16.
    for mark in [[0x00, 0x00, 0xFE, 0xFF], [0xFF, 0xFE, 0x00, 0x00], [0xFE, 0xFF], [0xFF, 0xFE]] as [[UInt8]]
    where bytes.starts(with: mark) { return decoded(mark.count == 4 ? .utf32 : .utf16) }
    // The zeros of the first characters, which are ASCII (RFC 4627, section 3).
    switch bytes.prefix(4).map({ $0 == 0 }) {
    case [true, true, true, false]: return decoded(.utf32BigEndian)
    case [false, true, true, true]: return decoded(.utf32LittleEndian)
    case [true, false, true, false], [true, false]: return decoded(.utf16BigEndian)
    case [false, true, false, true], [false, true]: return decoded(.utf16LittleEndian)
    default: return Array(bytes)
    }
  }
}
