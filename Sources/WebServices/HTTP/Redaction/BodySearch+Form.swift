extension BodySearch {
  /// Searches a form. Any bytes are a form, so the search always reaches the end.
  mutating func searchForm(_ bytes: [UInt8]) -> Bool {
    for item in bytes.split(separator: UInt8(ascii: "&")) {
      // Some servers also read a semicolon as a separator (HTML 4.01, appendix B.2.2).
      var rest = item
      while !rest.isEmpty {
        let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
        if readItem(rest[..<end], withRest: rest) { break }
        rest = rest[end...].dropFirst()
      }
    }
    return true
  }

  /// Searches one item.
  ///
  /// - Parameter rest: the item and the text behind its semicolon, which is a part of its value for other servers.
  /// - Returns: whether the item was secret. Its value then includes the rest.
  private mutating func readItem(_ item: ArraySlice<UInt8>, withRest rest: ArraySlice<UInt8>) -> Bool {
    guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return false }
    let value = item[(equals + 1)...]
    guard hides(String(decoding: Self.formText(item[..<equals]), as: UTF8.self)) else {
      // Most values contain no document, and copying them would be wasted.
      if let first = value.first, first.isSpace || "{[<%+".utf8.contains(first) { searchNested(Self.formText(value)) }
      return false
    }
    addSecret(bytes: Self.formText(value))
    if rest.endIndex > item.endIndex { addSecret(bytes: Self.formText(rest[(equals + 1)...])) }
    return true
  }

  /// The decoded text of a name or a value, without the white space around it.
  private static func formText(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }[...].trimmed.percentDecoded
  }
}
