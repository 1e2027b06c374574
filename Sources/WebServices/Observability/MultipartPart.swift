/// A field of a `multipart/form-data` body (RFC 7578), found without the boundary being known.
enum MultipartPart {
  /// How long the head of a part may be.
  private static let longestHead = 4096
  private static let longestName = 256

  /// The content of a part with a secret name, where the word is the `name` parameter of its head.
  static func content(ofPartNamedAt word: Range<Int>, in bytes: [UInt8], redaction: Redaction) -> Range<Int>? {
    guard word.count == 4, bytes[word].elementsEqual("name".utf8, by: { $0.asciiLowercased == $1 }),
      let name = value(at: word.upperBound, in: bytes), redaction.hides(path: FieldName.plain(bytes[name])),
      let start = endOfHead(from: name.upperBound, in: bytes)
    else { return nil }
    return start..<endOfContent(from: start, in: bytes)
  }

  private static func value(at equals: Int, in bytes: [UInt8]) -> Range<Int>? {
    guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else { return nil }
    var start = equals + 1
    let limit = min(bytes.count, start + longestName)
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else {
      return start..<(bytes[start..<limit].firstIndex { $0.isSpace || $0 == UInt8(ascii: ";") } ?? limit)
    }
    start += 1
    guard start <= limit, let end = bytes[start..<limit].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    return start..<end
  }

  /// Behind the empty line.
  private static func endOfHead(from start: Int, in bytes: [UInt8]) -> Int? {
    var index = start
    let limit = min(bytes.count, start + longestHead)
    while index < limit {
      if bytes[index] == 0x0A {
        let next = index + 1 < limit && bytes[index + 1] == 0x0D ? index + 2 : index + 1
        if next < limit, bytes[next] == 0x0A { return next + 1 }
      }
      index += 1
    }
    return nil
  }

  /// Before the next delimiter, which begins with a line end and two hyphens.
  private static func endOfContent(from start: Int, in bytes: [UInt8]) -> Int {
    guard let delimiter = bytes.firstRange(of: "\n--", from: start) else { return bytes.count }
    return delimiter > start && bytes[delimiter - 1] == 0x0D ? delimiter - 1 : delimiter
  }
}

extension [UInt8] {
  /// Where the text stands first, at or behind an index.
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
