/// Reads the value of a header field from left to right. Call `skip`, `text(until:)` and `quotedString` for its parts,
/// while `next` has a byte.
package struct FieldCursor {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ value: String) { bytes = Array(value.utf8) }

  /// The byte to read next; `nil` at the end.
  package var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  package mutating func skipSpace() { while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 } }

  /// Skips the character if it comes next.
  ///
  /// - Returns: `false` if another byte comes next.
  package mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Reads the text before the first of the bytes, or before the end.
  package mutating func text(until stops: ByteSet) -> String {
    let start = position
    while let byte = next, !stops.contains(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Reads a quoted string (RFC 9110, section 5.6.4); `nil` if none comes next. A string that isn't closed reaches to
  /// the end.
  package mutating func quotedString() -> String? {
    guard skip("\"") else { return nil }
    var value: [UInt8] = []
    while let byte = next, !skip("\"") {
      position += 1
      let escaped = byte == UInt8(ascii: "\\") ? next : nil
      if escaped != nil { position += 1 }
      value.append(escaped ?? byte)
    }
    return String(decoding: value, as: UTF8.self)
  }

  /// Reads the value of a parameter: an equals sign, which white space may surround, then a quoted string or the text
  /// before the first of the bytes. `nil` without an equals sign.
  package mutating func argument(until stops: ByteSet) -> String? {
    skipSpace()
    guard skip("=") else { return nil }
    skipSpace()
    return quotedString() ?? text(until: stops).trimmingFieldWhitespace
  }

  /// Skips everything up to the first such character outside of quoted strings, and that character.
  package mutating func skip(after character: Unicode.Scalar) {
    while next != nil, !skip(character) {
      if quotedString() == nil { position += 1 }
    }
  }
}
