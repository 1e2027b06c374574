extension BodySearch {
  /// A form, whatever its bytes: every piece of it is a name and a value.
  mutating func searchForm(_ bytes: [UInt8]) -> Bool {
    for item in bytes.split(separator: UInt8(ascii: "&")) {
      // Some servers take a semicolon for a separator too (HTML 4.01, appendix B.2.2).
      var rest = item
      while !rest.isEmpty {
        let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
        if readItem(rest[..<end], withRest: rest) { break }
        rest = rest[end...].dropFirst()
      }
    }
    return true
  }

  /// - Parameter rest: the item and what follows its semicolon, which may be a part of its value.
  /// - Returns: whether it was secret.
  private mutating func readItem(_ item: ArraySlice<UInt8>, withRest rest: ArraySlice<UInt8>) -> Bool {
    guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return false }
    let name = Self.formText(item[..<equals])
    guard hides(String(decoding: name, as: UTF8.self)) else {
      let value = item[item.index(after: equals)...]
      // Most values hold no document, and are not copied.
      if let first = value.first, first.mayBeginFormDocument { searchNested(Self.formText(value)) }
      return false
    }
    addSecret(bytes: Self.formText(item[item.index(after: equals)...]))
    if rest.endIndex > item.endIndex { addSecret(bytes: Self.formText(rest[rest.index(after: equals)...])) }
    return true
  }

  /// What a name or a value means, without the white space around it.
  private static func formText(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let spaced = bytes.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
    let start = spaced.firstIndex { !$0.isSpace } ?? spaced.endIndex
    let end = spaced.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? start
    return spaced[start..<end].percentDecoded
  }
}

extension UInt8 {
  fileprivate var mayBeginFormDocument: Bool {
    switch self {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "%"), UInt8(ascii: "+"): true
    default: isSpace
    }
  }
}
