internal import WebServicesJSON

extension BodySearch {
  /// Searches one JSON document, or several with white space or record separators between them.
  mutating func searchJSON(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while true {
      while start < bytes.count, bytes[start].isJSONSpace || bytes[start] == 0x1E { start += 1 }
      guard start < bytes.count else { return true }
      let outline = JSONOutline(bytes, from: start)
      search(outline)
      guard outline.isComplete else { return false }
      guard outline.problem != nil else { return true }
      // A whole document with a problem is followed by another document.
      start = outline.position
    }
  }

  private mutating func search(_ outline: JSONOutline) {
    // Everything before this index belongs to the value of a secret member.
    var secretEnd = 0
    outline.visit { index, _ in
      switch outline.kind(index) {
      case .name, .oddName:
        if index >= secretEnd, hides(outline.text(of: index)) { secretEnd = outline.index(after: index + 1) }
      default:
        searchValue(at: index, of: outline, isSecret: index < secretEnd)
      }
      return true
    }
  }

  private mutating func searchValue(at index: Int, of outline: JSONOutline, isSecret: Bool) {
    switch outline.kind(index) {
    case .ascii, .unicode, .escaped:
      let range = outline.range(of: index)
      if isSecret {
        addSecret(outline.text(of: index))
      } else if !range.isEmpty, outline.bytes[range.lowerBound].mayBeginDocument {
        searchNested(Array(outline.text(of: index).utf8))
      }
    case .integer where isSecret, .number where isSecret: addSecret(outline.text(of: index))
    case .true where isSecret, .false where isSecret: noteSecret()
    default: break
    }
  }
}

extension UInt8 {
  /// Whether JSON or XML within a string begins like this, escaped or not.
  fileprivate var mayBeginDocument: Bool {
    self == UInt8(ascii: "{") || self == UInt8(ascii: "[") || self == UInt8(ascii: "<") || self == UInt8(ascii: "\\")
  }
}
