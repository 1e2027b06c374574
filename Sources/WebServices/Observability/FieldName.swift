/// Names as they are meant, whatever they are written like.
enum FieldName {
  /// A name without percent and JSON escapes.
  static func plain(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.contains(UInt8(ascii: "\\")) { return unescaped(bytes) }
    if bytes.contains(UInt8(ascii: "%")) { return String(decoding: bytes.percentDecoded, as: UTF8.self) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A name with its JSON escapes resolved, so that `"pass\u0077ord"` is found too.
  static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("\\") else { return text }
    var output = ""
    var rest = Substring(text)
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
}

extension UInt8 {
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  var isLineEnd: Bool { self == 0x0A || self == 0x0D }

  /// Whether text that is percent-encoded as a whole ends here.
  var endsEncodedText: Bool {
    switch self {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "#"), UInt8(ascii: "\\"):
      true
    default:
      isSpace
    }
  }

  var isFieldNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "%"),
      UInt8(ascii: "."), 0x80...0xFF:
      true
    default:
      false
    }
  }
}

extension [UInt8] {
  /// Whether `\u0077` or its like stands here.
  func hasUnicodeEscape(at index: Int) -> Bool {
    self[index] == UInt8(ascii: "\\") && index + 5 < count && self[index + 1] == UInt8(ascii: "u")
      && self[(index + 2)...(index + 5)].allSatisfy { $0.hexValue != nil }
  }
}
