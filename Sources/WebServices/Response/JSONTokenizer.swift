/// Reads JSON (RFC 8259) token by token and stops at the first thing that is wrong. It doesn't recurse, its depth is
/// bounded, and no bytes make it trap.
struct JSONTokenizer {
  enum Kind: Hashable {
    case beginObject, endObject, beginArray, endArray, name, string, number, literal

    var isValueStart: Bool { self != .endObject && self != .endArray && self != .name }
  }

  struct Token: Hashable {
    var kind: Kind
    var range: Range<Int>
    /// How many containers are open around it.
    var depth: Int
  }

  /// What stops the reading.
  enum Problem: Hashable {
    case end
    case unexpectedByte
    case escape
    case controlCharacter
    case number
    case encoding
    case depth
  }

  /// An open container.
  struct Container {
    var isObject: Bool
    /// The name, without quotes, of the member that is being read.
    var name: Range<Int>?
    /// The number of the element that is being read.
    var index = -1
  }

  private enum Expectation {
    case value, valueOrEnd, name, nameOrEnd, colon, commaOrEnd, nothing
  }

  /// Foundation's decoder stops at 512.
  static let maximumDepth = 1024

  let bytes: [UInt8]
  private(set) var position: Int
  /// Where the token begins that was read last, or couldn't be read.
  private(set) var tokenStart: Int
  private(set) var containers: [Container] = []
  /// Why there is no further token; the `position` says where. `nil` at the end of a complete document.
  private(set) var problem: Problem?
  private var expectation = Expectation.value

  init(_ bytes: [UInt8], from start: Int = 0) {
    self.bytes = bytes
    position = max(0, start)
    if position == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    tokenStart = position
  }

  /// The next token; `nil` at the end or where something is wrong.
  mutating func next() -> Token? {
    while problem == nil {
      while position < bytes.count, bytes[position].isJSONSpace { position += 1 }
      guard position < bytes.count else {
        if expectation != .nothing { problem = .end }
        tokenStart = position
        return nil
      }
      tokenStart = position
      let byte = bytes[position]
      switch (expectation, byte) {
      case (.colon, UInt8(ascii: ":")):
        position += 1
        expectation = .value
      case (.commaOrEnd, UInt8(ascii: ",")):
        nextMember()
      case (.commaOrEnd, UInt8(ascii: "}")), (.nameOrEnd, UInt8(ascii: "}")):
        return close(isObject: true)
      case (.commaOrEnd, UInt8(ascii: "]")), (.valueOrEnd, UInt8(ascii: "]")):
        return close(isObject: false)
      case (.name, UInt8(ascii: "\"")), (.nameOrEnd, UInt8(ascii: "\"")):
        return name()
      case (.value, _), (.valueOrEnd, _):
        return value(byte)
      default:
        problem = .unexpectedByte
      }
    }
    return nil
  }

  /// Goes behind a comma.
  private mutating func nextMember() {
    position += 1
    guard containers.last?.isObject == true else {
      expectation = .value
      return
    }
    containers[containers.count - 1].name = nil
    expectation = .name
  }

  private mutating func close(isObject: Bool) -> Token? {
    guard containers.last?.isObject == isObject else {
      problem = .unexpectedByte
      return nil
    }
    containers.removeLast()
    position += 1
    expectation = containers.isEmpty ? .nothing : .commaOrEnd
    return Token(kind: isObject ? .endObject : .endArray, range: (position - 1)..<position, depth: containers.count)
  }

  private mutating func name() -> Token? {
    guard let range = string() else { return nil }
    containers[containers.count - 1].name = (range.lowerBound + 1)..<(range.upperBound - 1)
    expectation = .colon
    return Token(kind: .name, range: range, depth: containers.count)
  }

  private mutating func value(_ byte: UInt8) -> Token? {
    let depth = containers.count
    if depth > 0 { containers[depth - 1].index += 1 }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return open(isObject: byte == UInt8(ascii: "{"))
    case UInt8(ascii: "\""):
      return string().map { scalar(.string, $0) }
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return number().map { scalar(.number, $0) }
    default:
      return literal().map { scalar(.literal, $0) }
    }
  }

  private mutating func open(isObject: Bool) -> Token? {
    guard containers.count < Self.maximumDepth else {
      problem = .depth
      return nil
    }
    let token = Token(
      kind: isObject ? .beginObject : .beginArray, range: position..<(position + 1), depth: containers.count)
    containers.append(Container(isObject: isObject))
    position += 1
    expectation = isObject ? .nameOrEnd : .valueOrEnd
    return token
  }

  private mutating func scalar(_ kind: Kind, _ range: Range<Int>) -> Token {
    expectation = containers.isEmpty ? .nothing : .commaOrEnd
    return Token(kind: kind, range: range, depth: containers.count)
  }

  /// Goes behind a string, its quotes included.
  private mutating func string() -> Range<Int>? {
    let start = position
    var index = start + 1
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        position = index + 1
        return start..<position
      }
      let length = byte == UInt8(ascii: "\\") ? escapeLength(at: index) : bytes.utf8Length(at: index)
      guard length > 0, byte >= 0x20 else {
        return stop(at: index, byte < 0x20 ? .controlCharacter : byte == UInt8(ascii: "\\") ? .escape : .encoding)
      }
      index += length
    }
    return stop(at: bytes.count, .end)
  }

  /// The length of an escape sequence, or 0 where it is none.
  private func escapeLength(at index: Int) -> Int {
    guard index + 1 < bytes.count else { return 1 }
    guard bytes[index + 1] == UInt8(ascii: "u") else {
      return "\"\\/bfnrt".utf8.contains(bytes[index + 1]) ? 2 : 0
    }
    let digits = bytes[(index + 2)..<Swift.min(index + 6, bytes.count)]
    guard digits.allSatisfy(\.isHexadecimalDigit) else { return 0 }
    return 2 + digits.count
  }

  private mutating func number() -> Range<Int>? {
    let start = position
    var index = start
    func skipDigits() -> Bool {
      let first = index
      while index < bytes.count, bytes[index].isDecimalDigit { index += 1 }
      return index > first
    }
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    let first = index
    guard skipDigits() else { return stop(at: index, index == bytes.count ? .end : .number) }
    if bytes[first] == UInt8(ascii: "0"), index > first + 1 { return stop(at: first + 1, .number) }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard skipDigits() else { return stop(at: index, index == bytes.count ? .end : .number) }
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count, "+-".utf8.contains(bytes[index]) { index += 1 }
      guard skipDigits() else { return stop(at: index, index == bytes.count ? .end : .number) }
    }
    position = index
    return start..<index
  }

  private mutating func literal() -> Range<Int>? {
    let start = position
    for word in ["true", "false", "null"] where word.utf8.first == bytes[start] {
      for (offset, byte) in word.utf8.enumerated() {
        guard start + offset < bytes.count else { return stop(at: bytes.count, .end) }
        guard bytes[start + offset] == byte else { return stop(at: start + offset, .unexpectedByte) }
      }
      position = start + word.utf8.count
      return start..<position
    }
    return stop(at: start, .unexpectedByte)
  }

  private mutating func stop(at index: Int, _ problem: Problem) -> Range<Int>? {
    position = index
    self.problem = problem
    return nil
  }
}
