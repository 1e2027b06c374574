import Foundation

extension JSONOutline {
  /// The first malformed string or number of a document. `JSONReader` finds only the end of a string or number, and
  /// doesn't check it.
  struct InvalidToken {
    var problem: JSONReader.Problem
    var position: Int
    var tokenStart: Int
  }

  /// Finds the first malformed string or number of a document; `nil` if there is none.
  ///
  /// - Parameter brokenToken: the start of a string without an end.
  static func firstInvalidToken(of tape: [UInt64], _ bytes: [UInt8], before brokenToken: Int?) -> InvalidToken? {
    var index = 0
    while index < tape.count {
      let node = JSONNode(bits: tape[index])
      let end = min(bytes.count, node.offset + node.nameLength)
      switch node.kind {
      case .unicode, .escaped, .name, .oddName:
        if let found = invalidString(bytes, node.offset, end) { return found }
      case .integer, .number:
        let isValid = bytes.withUnsafeBufferPointer { all in
          all.baseAddress.flatMap { JSONNumber($0 + node.offset, end - node.offset) } != nil
        }
        guard isValid else {
          let isCutOff = end == bytes.count && bytes[end - 1] &- 0x30 > 9
          return InvalidToken(
            problem: isCutOff ? .end : .number, position: isCutOff ? end : node.offset, tokenStart: node.offset)
        }
      case .array: index += JSONNode.arrayHead - 1
      case .object, .oddObject: index += JSONNode.objectHead - 1
      default: break
      }
      index += 1
    }
    guard let brokenToken, bytes[brokenToken] == UInt8(ascii: "\"") else { return nil }
    return invalidString(bytes, brokenToken + 1, bytes.count)
  }

  private static func invalidString(_ bytes: [UInt8], _ start: Int, _ end: Int) -> InvalidToken? {
    func invalid(_ problem: JSONReader.Problem, _ position: Int) -> InvalidToken {
      InvalidToken(problem: problem, position: position, tokenStart: start - 1)
    }
    var index = start
    while index < end {
      let byte = bytes[index]
      guard byte >= 0x20 else { return invalid(.controlCharacter, index) }
      let isEscape = byte == UInt8(ascii: "\\")
      let length = isEscape ? escapeLength(bytes, index) : bytes.utf8Length(at: index)
      guard length > 0 else { return invalid(isEscape ? .escape : .encoding, index) }
      index += length
    }
    return nil
  }

  /// The length of an escape sequence; 0 if it is invalid.
  private static func escapeLength(_ bytes: [UInt8], _ index: Int) -> Int {
    // A sequence that the end of the document cuts off isn't invalid. The reader reports the missing end.
    guard index + 1 < bytes.count else { return 1 }
    guard bytes[index + 1] == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(bytes[index + 1]) ? 2 : 0 }
    let digits = bytes[(index + 2)..<min(index + 6, bytes.count)]
    return digits.allSatisfy { $0.isHexadecimalDigit } ? 2 + digits.count : 0
  }
}

extension UInt8 {
  package var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  fileprivate var isHexadecimalDigit: Bool { self &- 0x30 < 10 || (self | 0x20) &- UInt8(ascii: "a") < 6 }

  /// The byte continues a character of UTF-8 that an earlier byte began.
  package var isUTF8Continuation: Bool { self & 0xC0 == 0x80 }
}

extension [UInt8] {
  /// The length of the character of UTF-8 that begins here (RFC 3629, section 4), or 0 where none does. A character
  /// that the end cuts off has the length that is left.
  package func utf8Length(at index: Int) -> Int {
    let lead = self[index]
    var second: ClosedRange<UInt8> = 0x80...0xBF
    let length: Int
    switch lead {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { second = 0xA0...0xBF }
      if lead == 0xED { second = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { second = 0x90...0xBF }
      if lead == 0xF4 { second = 0x80...0x8F }
    default: return 0
    }
    let rest = self[(index + 1)..<Swift.min(index + length, count)]
    guard rest.first.map(second.contains) ?? true, rest.dropFirst().allSatisfy(\.isUTF8Continuation) else { return 0 }
    return 1 + rest.count
  }
}
