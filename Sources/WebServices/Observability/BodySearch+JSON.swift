extension BodySearch {
  /// JSON documents, one or several with white space or record separators between them.
  mutating func searchJSON(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while true {
      while start < bytes.count, bytes[start].isJSONSpace || bytes[start] == 0x1E { start += 1 }
      guard start < bytes.count else { return true }
      var tokenizer = JSONTokenizer(bytes, from: start)
      guard searchDocument(&tokenizer) else { return false }
      guard tokenizer.problem != nil else { return true }
      // The tokenizer stopped behind a whole document.
      start = tokenizer.position
    }
  }

  /// - Returns: whether a whole document was read; something may follow it.
  private mutating func searchDocument(_ tokenizer: inout JSONTokenizer) -> Bool {
    /// The depth of the secret member whose value is read.
    var secretDepth: Int?
    var isEmpty = true
    while let token = tokenizer.next() {
      isEmpty = false
      if token.kind == .name {
        if secretDepth == nil || token.depth <= secretDepth ?? 0 {
          secretDepth = hides(tokenizer.bytes.jsonText(token.range.withoutQuotes)) ? token.depth : nil
        }
        continue
      }
      if let depth = secretDepth, token.depth < depth { secretDepth = nil }
      read(token, of: tokenizer.bytes, isSecret: secretDepth != nil)
    }
    return !isEmpty && tokenizer.containers.isEmpty
  }

  private mutating func read(_ token: JSONTokenizer.Token, of bytes: [UInt8], isSecret: Bool) {
    switch token.kind {
    case .string where isSecret:
      addSecret(bytes.jsonText(token.range.withoutQuotes))
    case .number where isSecret:
      addSecret(String(decoding: bytes[token.range], as: UTF8.self))
    case .literal where isSecret && bytes[token.range.lowerBound] != UInt8(ascii: "n"):
      noteSecret()
    case .string where token.range.count > 2 && bytes[token.range.lowerBound + 1].mayBeginDocument:
      searchNested(Array(bytes.jsonText(token.range.withoutQuotes).utf8))
    default:
      break
    }
  }
}

extension UInt8 {
  /// Whether JSON or XML within a string begins like this, escaped or not.
  fileprivate var mayBeginDocument: Bool {
    self == UInt8(ascii: "{") || self == UInt8(ascii: "[") || self == UInt8(ascii: "<") || self == UInt8(ascii: "\\")
  }
}
