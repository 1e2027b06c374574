/// The readings of bytes that the searches for secrets share.
extension ArraySlice<UInt8> {
  /// A name without percent and JSON escapes.
  var plainName: String {
    if contains(UInt8(ascii: "\\")) { return unescaped }
    return String(decoding: contains(UInt8(ascii: "%")) ? percentDecoded[...] : self, as: UTF8.self)
  }

  /// A name with its JSON escapes resolved, so that `"pass\u0077ord"` is found too.
  var unescaped: String {
    var output = ""
    var rest = Substring(decoding: self, as: UTF8.self)
    while let backslash = rest.firstIndex(of: "\\") {
      output += rest[..<backslash]
      rest = rest[rest.index(after: backslash)...]
      guard let escape = rest.popFirst() else { break }
      guard escape == "u", let code = UInt32(rest.prefix(4), radix: 16), let scalar = Unicode.Scalar(code)
      else {
        output.append(escape)
        continue
      }
      output.unicodeScalars.append(scalar)
      rest = rest.dropFirst(4)
    }
    return output + rest
  }

  /// The bytes without white space at both ends.
  var trimmed: ArraySlice<UInt8> {
    let start = drop(while: \.isSpace)
    return start.lastIndex { !$0.isSpace }.map { start[...$0] } ?? []
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// The first index from `start` on whose byte doesn't match; the end if all bytes match.
  func end(from start: Int, while isInside: (UInt8) -> Bool) -> Int {
    var index = start
    while index < endIndex, isInside(self[index]) { index += 1 }
    return index
  }
}

extension [UInt8] {
  /// Whether an escape sequence such as `\u0077` begins here.
  func hasUnicodeEscape(at index: Int) -> Bool {
    self[index] == UInt8(ascii: "\\") && index + 5 < count && self[index + 1] == UInt8(ascii: "u")
      && self[(index + 2)...(index + 5)].allSatisfy(\.isHexDigit)
  }

  /// The first index from `start` on at which the text occurs.
  func firstRange(of text: StaticString, from start: Int) -> Int? {
    text.withUTF8Buffer { pattern in
      guard let first = pattern.first, count >= pattern.count else { return nil }
      var index = start
      while index <= count - pattern.count {
        if self[index] == first, self[index..<(index + pattern.count)].elementsEqual(pattern) { return index }
        index += 1
      }
      return nil
    }
  }
}

extension UInt8 {
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  var isLineEnd: Bool { self == .lineFeed || self == .carriageReturn }

  var isFieldNameByte: Bool { self >= 0x80 || ByteSet.fieldName.contains(self) }
}

extension ByteSet {
  static let fieldName = alphanumeric.union("_-%.")
  /// The characters besides white space that end text which is percent-encoded as a whole.
  static let endsEncodedText: ByteSet = "\"'&<>#\\"
  /// RFC 9110, section 11.2.
  package static let token68 = alphanumeric.union("-._~+/=")
}
