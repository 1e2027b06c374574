/// A text in which one more level of escapes is resolved, with the place of each byte in the original.
///
/// A server may repeat a secret percent-encoded, in a string of JSON or in markup, and each of them in another one.
/// Each text of `all(of:)` is searched.
struct DecodedText {
  let bytes: [UInt8]
  /// The index in the original at which each byte begins, and the original's length at the end. Empty for the original.
  var starts: [Int32] = []

  /// How many levels of escapes are resolved.
  static let levels = 3

  /// The range of the original that became this range.
  func original(_ range: Range<Int>) -> Range<Int> {
    starts.isEmpty ? range : Int(starts[range.lowerBound])..<Int(starts[range.upperBound])
  }

  /// The original, and each text with a further level of escapes resolved.
  static func all(of original: [UInt8]) -> [DecodedText] {
    var texts = [DecodedText(bytes: original)]
    while texts.count <= levels, let next = texts[texts.count - 1].next { texts.append(next) }
    return texts
  }

  /// The text with the next level of escapes resolved; `nil` if there is no escape.
  private var next: DecodedText? {
    guard bytes.contains(where: Self.beginsEscape.contains), bytes.count < Int32.max else { return nil }
    var output: [UInt8] = []
    var places: [Int32] = []
    var index = 0
    while index < bytes.count {
      let escape = Self.beginsEscape.contains(bytes[index]) ? readEscape(at: index, into: &output) : nil
      if escape == nil { output.append(bytes[index]) }
      while places.count < output.count { places.append(starts.isEmpty ? Int32(index) : starts[index]) }
      index += escape ?? 1
    }
    guard output.count < bytes.count else { return nil }
    places.append(starts.last ?? Int32(bytes.count))
    return DecodedText(bytes: output, starts: places)
  }

  private static let beginsEscape: ByteSet = "%\\&"

  /// Appends the meaning of an escape. An escape that the end of the text cuts means nothing: the bytes before it may
  /// be the beginning of a secret, which is recognized only at the end.
  ///
  /// - Returns: the length of the escape; `nil` if no escape begins here.
  private func readEscape(at index: Int, into output: inout [UInt8]) -> Int? {
    let rest = bytes[(index + 1)...]
    if bytes[index] == UInt8(ascii: "%") {
      guard let code = rest.hexNumber(digits: 2) else { return nil }
      if rest.count >= 2 { output.append(UInt8(code)) }
      return 1 + min(2, rest.count)
    }
    if bytes[index] == UInt8(ascii: "&") { return readReference(rest.prefix(Self.longestReference), into: &output) }
    guard let sign = rest.first else { return 1 }
    if sign == UInt8(ascii: "u") { return readUTF16(at: index, into: &output) }
    guard let meaning = Self.signs[sign] else { return nil }
    output.append(meaning)
    return 2
  }

  /// Reads an escape such as `\u00e4`, or two of them that make one character (RFC 8259, section 7).
  private func readUTF16(at index: Int, into output: inout [UInt8]) -> Int? {
    let rest = bytes[(index + 2)...]
    guard let code = rest.hexNumber(digits: 4) else { return nil }
    guard rest.count >= 4 else { return 2 + rest.count }
    var units = [UInt16(code)]
    let second = rest.dropFirst(4).prefix(6)
    if UTF16.isLeadSurrogate(units[0]), "\\u".utf8.starts(with: second.prefix(2)),
      let code = second.dropFirst(2).hexNumber(digits: 4)
    {
      guard second.count == 6 else { return 6 + second.count }
      units.append(UInt16(code))
    }
    output += String(decoding: units, as: UTF16.self).utf8
    return 6 * units.count
  }

  /// Reads a reference to a character, such as `&amp;` or `&#x26;` (XML, section 4.1).
  private func readReference(_ rest: ArraySlice<UInt8>, into output: inout [UInt8]) -> Int? {
    let name = rest.prefix { ByteSet.reference.contains($0) }
    guard name.endIndex < bytes.count else { return 1 + name.count }
    guard bytes[name.endIndex] == UInt8(ascii: ";") else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    let isHexadecimal = text.hasPrefix("#x") || text.hasPrefix("#X")
    let code = text.hasPrefix("#") ? UInt32(text.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10) : nil
    guard let scalar = code.map(Unicode.Scalar.init) ?? Self.names[text] else { return nil }
    output += String(Character(scalar)).utf8
    return 2 + name.count
  }

  private static let longestReference = 10

  private static let names: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  private static let signs: [UInt8: UInt8] = Dictionary(
    uniqueKeysWithValues: zip(#""\/'nrtbf"#.utf8, Array(#""\/'"#.utf8) + [0x0A, 0x0D, 0x09, 0x08, 0x0C]))
}

extension ByteSet { fileprivate static let reference = alphanumeric.union("#") }

extension ArraySlice<UInt8> {
  /// The number that begins here in hexadecimal digits; `nil` if a byte isn't a digit. It has fewer digits where the
  /// text ends.
  fileprivate func hexNumber(digits: Int) -> Int? {
    let digits = prefix(digits)
    // The zero is the number of no digits.
    return digits.allSatisfy(\.isHexDigit) ? Int("0" + String(decoding: digits, as: UTF8.self), radix: 16) : nil
  }
}
