/// Where the value of a named field stands: behind the name's closing marks and a colon or an equals sign.
struct FieldValue {
  /// `:` or `=`.
  let separator: UInt8
  private let start: Int
  private let isNameQuoted: Bool
  /// How many backslashes stand before the name's closing mark.
  private let level: Int

  private static let quote = UInt8(ascii: "\"")
  private static let apostrophe = UInt8(ascii: "'")
  private static let backslash = UInt8(ascii: "\\")

  /// - Parameter end: behind the name.
  init?(after end: Int, in bytes: [UInt8]) {
    var index = end
    while index < bytes.count, bytes[index] == UInt8(ascii: "]") { index += 1 }
    let marks = index
    while index < bytes.count, bytes[index] == Self.backslash { index += 1 }
    let level = index - marks
    let isQuoted = index < bytes.count && (bytes[index] == Self.quote || bytes[index] == Self.apostrophe)
    if isQuoted {
      index += 1
      while index < bytes.count, bytes[index] == UInt8(ascii: "]") { index += 1 }
    } else if level > 0 {
      return nil
    }
    index = Self.skipSpace(from: index, in: bytes)
    guard index < bytes.count, bytes[index] == UInt8(ascii: ":") || bytes[index] == UInt8(ascii: "=") else {
      return nil
    }
    separator = bytes[index]
    index += 1
    if separator == UInt8(ascii: "="), index < bytes.count, bytes[index] == UInt8(ascii: ">") { index += 1 }
    let behindSeparator = index
    index = Self.skipSpace(from: index, in: bytes)
    if separator == UInt8(ascii: "="), !isQuoted, index > behindSeparator,
      index == bytes.count || bytes[behindSeparator..<index].contains(where: \.isLineEnd)
    {
      index = behindSeparator
    }
    start = index
    isNameQuoted = isQuoted
    self.level = level
  }

  /// What is to be hidden, and what stands around it and around what takes its place.
  func extent(in bytes: [UInt8]) -> (range: Range<Int>, mark: [UInt8]) {
    var opening = start
    while opening < bytes.count, bytes[opening] == Self.backslash { opening += 1 }
    if opening < bytes.count, bytes[opening] == Self.quote || bytes[opening] == Self.apostrophe {
      let end = Self.endOfString(from: opening, level: opening - start, in: bytes)
      return (start..<end, Array(bytes[start...opening]))
    }
    let mark = isNameQuoted ? Array(repeating: Self.backslash, count: level) + [Self.quote] : []
    guard separator == UInt8(ascii: ":") else { return (start..<endOfWord(in: bytes), []) }
    let isNested = start < bytes.count && (bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "["))
    guard isNested || isNameQuoted else { return (start..<endOfLine(in: bytes), []) }
    return (start..<endOfNested(in: bytes), mark)
  }

  /// The end of a form field's value.
  private func endOfWord(in bytes: [UInt8]) -> Int {
    let end = bytes[start...].firstIndex { $0.isSpace || $0 == UInt8(ascii: "&") || $0 == Self.quote }
    return withoutMark(end ?? bytes.count, in: bytes)
  }

  private func endOfLine(in bytes: [UInt8]) -> Int {
    withoutMark(bytes[start...].firstIndex { $0.isLineEnd || $0 == Self.quote } ?? bytes.count, in: bytes)
  }

  /// The backslashes before a quotation mark belong to it.
  private func withoutMark(_ end: Int, in bytes: [UInt8]) -> Int {
    guard end < bytes.count, bytes[end] == Self.quote else { return end }
    var end = end
    while end > start, bytes[end - 1] == Self.backslash { end -= 1 }
    return end
  }

  /// The end of a number or word, or of a whole object or array.
  private func endOfNested(in bytes: [UInt8]) -> Int {
    var index = start
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case Self.quote:
        if depth == 0 { return withoutMark(index, in: bytes) }
        index = Self.endOfString(from: index, level: level, in: bytes)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return index }
        depth -= 1
        if depth == 0 { return index + 1 }
      case UInt8(ascii: ","):
        if depth == 0 { return index }
      default:
        break
      }
      index += 1
    }
    return bytes.count
  }

  private static func skipSpace(from start: Int, in bytes: [UInt8]) -> Int {
    var index = start
    while index < bytes.count, bytes[index].isSpace { index += 1 }
    return index
  }

  /// Behind the mark that closes a string.
  ///
  /// - Parameter level: how many backslashes stand before the marks of this string, since it is within others. Within
  ///   it an escaped mark has more of them.
  private static func endOfString(from opening: Int, level: Int, in bytes: [UInt8]) -> Int {
    let mark = bytes[opening]
    var index = opening + 1
    var run = 0
    while index < bytes.count {
      if bytes[index] == backslash {
        run += 1
      } else {
        if bytes[index] == mark {
          // An outer string's mark ends what is within it.
          if run < level { return index - run }
          if (run - level) % (2 * (level + 1)) == 0 { return index + 1 }
        }
        run = 0
      }
      index += 1
    }
    return bytes.count
  }
}
