/// Reads a JSON document (RFC 8259) into a tape, in one pass and without recursion. Call `read()`, which stops at the
/// first problem.
///
/// The reader accepts a comma before the end of a container, as `JSONDecoder` does. Code that uses a string or a number
/// checks whether it is well-formed.
package struct JSONReader {
  /// Why a document isn't JSON.
  package enum Problem: Hashable {
    /// The document ends too early.
    case end
    /// A byte that can't come here.
    case unexpectedByte
    /// An invalid escape sequence, a control character or bytes that aren't UTF-8, in a string.
    case string
    /// A malformed number.
    case number
    /// Containers are nested too deep.
    case depth
  }

  /// The part of the document that is expected next.
  private enum Expected {
    /// A value; `separator` follows, or the first part of a container that opens.
    case value
    /// An element or the end of the array.
    case element
    /// A member's name or the end of the object. `value` follows a name.
    case name
    /// A comma or the end of the container. `value` or `name` follows a comma, and `separator` follows the end.
    case separator
  }

  /// The deepest nesting, as in Foundation.
  package static let maximumDepth = 512

  let start: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>
  /// The next byte to read, or the byte of the problem.
  private(set) var next: UnsafePointer<UInt8>
  /// The words of the tape. The creator of the reader frees them.
  private(set) var tape: UnsafeMutablePointer<UInt64>
  /// The number of words on the tape.
  private(set) var count = 0
  private var capacity: Int
  /// The innermost open container; -1 if there is none.
  private(set) var container = -1
  /// The number of the container's members or elements so far.
  private var members = 0
  private(set) var depth = 0

  /// - Parameters:
  ///   - start: the address of the document.
  ///   - count: the number of its bytes, at most `JSONNode.maximumLength`.
  init(_ start: UnsafePointer<UInt8>, count: Int) {
    self.start = start
    end = start + count
    next = start
    // Usually enough. `grow()` doubles the tape for documents of short values.
    capacity = count / 6 + 16
    tape = .allocate(capacity: capacity)
  }

  /// Reads a value and the white space after it. Any other byte after them is a problem.
  mutating func read() -> Problem? {
    var expected = Expected.value
    while true {
      skipSpace()
      guard next < end else { return .end }
      let byte = next.pointee
      switch expected {
      case .name:
        guard byte == UInt8(ascii: "\"") else {
          guard byte == UInt8(ascii: "}") else { return .unexpectedByte }
          close()
          break
        }
        if let problem = readName() { return problem }
        expected = .value
        continue
      case .value, .element:
        // An object takes four words.
        if count + 5 > capacity { grow() }
        switch byte {
        case UInt8(ascii: "\""):
          if let problem = readString(isName: false) { return problem }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          guard depth < Self.maximumDepth else { return .depth }
          open(isObject: byte == UInt8(ascii: "{"))
          expected = byte == UInt8(ascii: "{") ? .name : .element
          continue
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): readNumber()
        case UInt8(ascii: "]") where expected == .element: close()
        default:
          if let problem = readLiteral(byte) { return problem }
        }
      case .separator:
        let isObject = self.isObject
        if byte == UInt8(ascii: ",") {
          next += 1
          expected = isObject ? .name : .element
          continue
        }
        guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return .unexpectedByte }
        close()
      }
      guard container >= 0 else {
        skipSpace()
        return next == end ? nil : .unexpectedByte
      }
      members &+= 1
      expected = .separator
    }
  }

  /// Whether the innermost open container is an object. Objects have the highest kinds.
  @inline(__always)
  private var isObject: Bool { JSONNode(bits: tape[container]).isObject }

  @inline(__always)
  private mutating func skipSpace() { while next < end, next.pointee.isJSONSpace { next += 1 } }

  @inline(never)
  private mutating func grow() {
    let grown = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2)
    grown.update(from: tape, count: count)
    tape.deallocate()
    tape = grown
    capacity *= 2
  }

  @inline(__always)
  private mutating func append(_ node: JSONNode) {
    tape[count] = node.bits
    count &+= 1
  }

  // MARK: Containers

  /// Opens a container. The third word keeps `container` and `members` of the container around it.
  private mutating func open(isObject: Bool) {
    let index = count
    append(JSONNode(isObject ? .object : .array, at: next - start, length: 0))
    append(JSONNode(bits: 0))
    append(JSONNode(bits: UInt64(members) << 32 | UInt64(UInt32(truncatingIfNeeded: container))))
    if isObject { append(JSONNode(bits: 0)) }
    container = index
    members = 0
    depth &+= 1
    next += 1
  }

  /// Completes the words of the innermost container, and continues with the container around it.
  private mutating func close() {
    let around = tape[container + 2]
    tape[container] |= UInt64(members) << 32
    tape[container + 1] = UInt64(count) | UInt64(container + JSONNode.objectHead) << 32
    // The low half is signed: it is -1 if no container is around this one.
    container = Int(Int32(truncatingIfNeeded: around))
    members = Int(truncatingIfNeeded: around >> 32)
    depth &-= 1
    next += 1
  }

  /// Closes all containers after a problem. A name without a value gets a value of the kind `end`.
  mutating func closeAll() {
    let last = count > 0 ? JSONNode(bits: tape[count - 1]).kind : .end
    if last == .name || last == .oddName { append(JSONNode(.end, at: next - start, length: 0)) }
    while container >= 0 {
      close()
      if container >= 0 { members += 1 }
    }
  }

  // MARK: Strings

  /// Reads a member's name and the colon after the name.
  private mutating func readName() -> Problem? {
    if count + 6 > capacity { grow() }
    if let problem = readString(isName: true) { return problem }
    skipSpace()
    guard next < end else { return .end }
    guard next.pointee == UInt8(ascii: ":") else { return .unexpectedByte }
    next += 1
    return nil
  }

  /// Finds the end of a string, eight bytes at a time, and notes whether all bytes are ASCII.
  @inline(__always)
  private mutating func readString(isName: Bool) -> Problem? {
    let first = next + 1
    var index = first
    var special: UInt64 = 0
    var seen: UInt64 = 0
    while end - index >= 8 {
      // In little-endian order the lowest bits are the first byte.
      let bytes = UnsafeRawPointer(index).loadUnaligned(as: UInt64.self).littleEndian
      special = Self.special(bytes)
      guard special == 0 else {
        let bit = UInt64(special.trailingZeroBitCount & 56)
        seen |= bytes & ((1 << bit) &- 1)
        index += Int(bit >> 3)
        break
      }
      seen |= bytes
      index += 8
    }
    if special == 0 {
      while index < end, index.pointee != UInt8(ascii: "\""), index.pointee != UInt8(ascii: "\\"), index.pointee >= 0x20
      {
        seen |= UInt64(index.pointee)
        index += 1
      }
      guard index < end else {
        next = end
        return .end
      }
    }
    guard index.pointee == UInt8(ascii: "\"") else { return readEscapedString(first, from: index, isName: isName) }
    let length = index - first
    next = index + 1
    let isASCII = seen & 0x8080_8080_8080_8080 == 0
    guard isName else {
      append(JSONNode(isASCII ? .ascii : .unicode, at: first - start, length: length))
      return nil
    }
    guard isASCII, length <= JSONNode.maximumNameLength else {
      appendOddName(first, length)
      return nil
    }
    append(JSONNode(hash: jsonHash(first, length), at: first - start, length: length))
    return nil
  }

  /// The high bit of each byte that is a quote, a backslash or a control character. Only the lowest set bit is
  /// reliable, because a subtraction may borrow from higher bytes.
  @inline(__always)
  private static func special(_ bytes: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = bytes ^ 0x2222_2222_2222_2222
    let backslashes = bytes ^ 0x5C5C_5C5C_5C5C_5C5C
    let found =
      ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
      | ((bytes &- 0x2020_2020_2020_2020) & ~bytes)
    return found & 0x8080_8080_8080_8080
  }

  private mutating func appendOddName(_ first: UnsafePointer<UInt8>, _ length: Int) {
    append(JSONNode(.oddName, at: first - start, length: length))
    // `object` becomes `oddObject`.
    tape[container] |= 1 << 60
  }

  /// Finds the end of a string from its first escape sequence or control character on.
  @inline(never)
  private mutating func readEscapedString(
    _ first: UnsafePointer<UInt8>, from special: UnsafePointer<UInt8>, isName: Bool
  ) -> Problem? {
    next = special
    while next < end {
      switch next.pointee {
      case UInt8(ascii: "\""):
        if isName {
          appendOddName(first, next - first)
        } else {
          append(JSONNode(.escaped, at: first - start, length: next - first))
        }
        next += 1
        return nil
      // `JSONText` checks later whether the escape sequence is valid.
      case UInt8(ascii: "\\"):
        let isUTF16 = end - next >= 2 && next[1] == UInt8(ascii: "u")
        let digits = UnsafeBufferPointer(start: next + 2, count: isUTF16 ? min(4, end - next - 2) : 0)
        // Otherwise the digits would swallow the quote that ends the string.
        guard !digits.contains(UInt8(ascii: "\"")) else { return .string }
        next = min(next + 2 + digits.count, end)
      default: next += 1
      }
    }
    return .end
  }

  // MARK: Numbers and literals

  /// Finds the end of a number without checking it.
  @inline(__always)
  private mutating func readNumber() {
    let first = next
    next += 1
    while next < end, next.pointee &- 0x30 < 10 { next += 1 }
    var kind = JSONNode.Kind.integer
    while next < end, Self.continuesNumber(next.pointee) {
      kind = .number
      next += 1
    }
    append(JSONNode(kind, at: first - start, length: next - first))
  }

  @inline(__always)
  private static func continuesNumber(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "+")
  }

  private mutating func readLiteral(_ byte: UInt8) -> Problem? {
    let word: StaticString
    let kind: JSONNode.Kind
    switch byte {
    case UInt8(ascii: "t"): (word, kind) = ("true", .true)
    case UInt8(ascii: "f"): (word, kind) = ("false", .false)
    case UInt8(ascii: "n"): (word, kind) = ("null", .null)
    default: return .unexpectedByte
    }
    let first = next
    for index in 0..<word.utf8CodeUnitCount {
      guard next < end else { return .end }
      guard next.pointee == word.utf8Start[index] else { return .unexpectedByte }
      next += 1
    }
    append(JSONNode(kind, at: first - start, length: next - first))
    return nil
  }
}

extension UInt8 {
  @inline(__always)
  package var isJSONSpace: Bool { self <= 0x20 && (self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09) }

  /// The byte continues a character of UTF-8 that an earlier byte began.
  package var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }
}
