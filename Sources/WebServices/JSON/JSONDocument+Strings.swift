import Foundation

extension JSONDocument {
  /// The string or name; `nil` if the value isn't a valid string.
  @inline(__always)
  func string(_ index: Int) -> String? {
    let node = node(index)
    switch node.kind {
    case .ascii, .name:
      return String(decoding: UnsafeBufferPointer(start: bytes + node.offset, count: node.nameLength), as: UTF8.self)
    case .unicode, .escaped, .oddName:
      return unusualString(node)
    default:
      return nil
    }
  }

  @inline(never)
  private func unusualString(_ node: JSONNode) -> String? {
    JSONText.decoded(UnsafeBufferPointer(start: bytes + node.offset, count: node.length))
  }
}

/// Turns the bytes between a string's quotes into a `String`. Call `decoded`, which checks that the bytes are UTF-8 and
/// replaces escape sequences.
enum JSONText {
  /// `nil` if the text isn't UTF-8, or has an invalid escape sequence or a control character.
  static func decoded(_ text: UnsafeBufferPointer<UInt8>) -> String? {
    guard text.contains(where: { $0 == UInt8(ascii: "\\") || $0 < 0x20 }) else { return string(text) }
    // No escape sequence is shorter than its character, so the text fits.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { buffer in
      guard let count = unescape(text, into: buffer) else { return nil }
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
      return jsonEqual(new, old, text.count)
    }
    return isSame ? string : nil
  }

  /// - Returns: the number of bytes written; `nil` for an invalid escape sequence or a control character.
  private static func unescape(_ text: UnsafeBufferPointer<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>)
    -> Int?
  {
    var count = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte >= 0x20 else { return nil }
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        buffer[count] = byte
        count += 1
        continue
      }
      guard index < text.count else { return nil }
      index += 1
      switch text[index - 1] {
      case UInt8(ascii: "\""): buffer[count] = UInt8(ascii: "\"")
      case UInt8(ascii: "\\"): buffer[count] = UInt8(ascii: "\\")
      case UInt8(ascii: "/"): buffer[count] = UInt8(ascii: "/")
      case UInt8(ascii: "b"): buffer[count] = 0x08
      case UInt8(ascii: "f"): buffer[count] = 0x0C
      case UInt8(ascii: "n"): buffer[count] = 0x0A
      case UInt8(ascii: "r"): buffer[count] = 0x0D
      case UInt8(ascii: "t"): buffer[count] = 0x09
      case UInt8(ascii: "u"):
        guard let scalar = scalar(text, &index), let encoded = UTF8.encode(scalar) else { return nil }
        for unit in encoded {
          buffer[count] = unit
          count += 1
        }
        continue
      default: return nil
      }
      count += 1
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
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    index += 4
    return unit
  }
}
