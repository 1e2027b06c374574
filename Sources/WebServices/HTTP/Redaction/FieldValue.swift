/// The start of a named field's value in a text, and how the name is quoted. `FieldRedactor.value(behindName:)` finds
/// the start, after a colon or an equals sign. `extent(of:)` then says which bytes to hide.
struct FieldValue {
  /// `:` or `=`.
  let separator: UInt8
  fileprivate let start: Int
  fileprivate let isNameQuoted: Bool
  /// How many backslashes precede the name's closing mark: 1 in a string of JSON, 3 in a string of such a string.
  fileprivate let level: Int
}

private let quote = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")

extension FieldRedactor {
  /// Finds the value of a name; `nil` if no sign after the name announces a value.
  ///
  /// - Parameter end: the index after the name.
  func value(behindName end: Int) -> FieldValue? {
    // A bracket closes a name in a path, such as `user[password]`.
    let marks = bytes.end(from: end) { $0 == UInt8(ascii: "]") }
    var index = bytes.end(from: marks) { $0 == backslash }
    let level = index - marks
    let isQuoted = isMark(at: index)
    if isQuoted {
      index = bytes.end(from: index + 1) { $0 == UInt8(ascii: "]") }
    } else if level > 0 {
      return nil
    }
    index = bytes.end(from: index, while: \.isSpace)
    guard index < bytes.count, bytes[index] == UInt8(ascii: ":") || bytes[index] == UInt8(ascii: "=") else {
      return nil
    }
    let separator = bytes[index]
    index += 1
    // `=>` separates a key and a value when Ruby or PHP prints them.
    if separator == UInt8(ascii: "="), index < bytes.count, bytes[index] == UInt8(ascii: ">") { index += 1 }
    var start = bytes.end(from: index, while: \.isSpace)
    // `password=` at the end of a line has no value. The next line isn't its value.
    if separator == UInt8(ascii: "="), !isQuoted, start > index,
      start == bytes.count || bytes[index..<start].contains(where: \.isLineEnd)
    {
      start = index
    }
    return FieldValue(separator: separator, start: start, isNameQuoted: isQuoted, level: level)
  }

  /// The range to hide, and the quotation marks that the placeholder needs, so that JSON stays JSON.
  func extent(of value: FieldValue) -> (range: Range<Int>, mark: [UInt8]) {
    let start = value.start
    let opening = bytes.end(from: start) { $0 == backslash }
    if isMark(at: opening) {
      return (start..<endOfString(from: opening, level: opening - start), Array(bytes[start...opening]))
    }
    guard value.separator == UInt8(ascii: ":") else {
      return (
        start..<withoutMark(bytes.end(from: start) { !$0.isSpace && $0 != UInt8(ascii: "&") && $0 != quote }, start), []
      )
    }
    let isNested = start < bytes.count && (bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "["))
    guard isNested || value.isNameQuoted else {
      return (start..<withoutMark(bytes.end(from: start) { !$0.isLineEnd && $0 != quote }, start), [])
    }
    let mark = value.isNameQuoted ? Array(repeating: backslash, count: value.level) + [quote] : []
    return (start..<endOfNested(value), mark)
  }

  private func isMark(at index: Int) -> Bool {
    index < bytes.count && (bytes[index] == quote || bytes[index] == UInt8(ascii: "'"))
  }

  /// The backslashes before a quotation mark belong to it.
  private func withoutMark(_ end: Int, _ start: Int) -> Int {
    guard end < bytes.count, bytes[end] == quote else { return end }
    return (bytes[start..<end].lastIndex { $0 != backslash }).map { $0 + 1 } ?? start
  }

  /// The end of a number or word, or of a whole object or array.
  private func endOfNested(_ value: FieldValue) -> Int {
    var index = value.start
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case quote:
        if depth == 0 { return withoutMark(index, value.start) }
        index = endOfString(from: index, level: value.level)
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

  /// The index after the quotation mark that closes a string.
  ///
  /// - Parameter level: the number of backslashes before the quotation marks of this string, because it is nested in
  ///   others. An escaped mark within the string has more of them.
  private func endOfString(from opening: Int, level: Int) -> Int {
    var index = opening + 1
    var run = 0
    while index < bytes.count {
      if bytes[index] == backslash {
        run += 1
      } else {
        if bytes[index] == bytes[opening] {
          // The quotation mark of an outer string ends the inner one.
          if run < level { return index - run }
          // An escaped backslash has 2 * (level + 1) of them at this level. Any other surplus escapes the mark.
          if (run - level) % (2 * (level + 1)) == 0 { return index + 1 }
        }
        run = 0
      }
      index += 1
    }
    return bytes.count
  }
}
