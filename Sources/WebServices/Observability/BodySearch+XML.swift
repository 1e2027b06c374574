extension BodySearch {
  /// An XML document, whose names are those of its elements and attributes.
  ///
  /// One whose declarations may make text of anything (an internal subset) isn't read, nor one whose tags don't match.
  mutating func searchXML(_ bytes: [UInt8]) -> Bool {
    var reader = XMLReader(bytes: bytes)
    /// The number of elements around the secret one that is read.
    var secretDepth: Int?
    var text: [UInt8] = []
    while let piece = reader.next() {
      switch piece {
      case .text(let piece):
        text += piece
        continue
      case .attribute(let name, let value):
        if secretDepth != nil || hides(name) { addSecret(bytes: value) } else { searchNested(value) }
        continue
      case .start(let name):
        finish(&text, isSecret: secretDepth != nil)
        if secretDepth == nil, hides(name) { secretDepth = reader.open.count }
      case .end:
        finish(&text, isSecret: secretDepth != nil)
        if let depth = secretDepth, reader.open.count < depth { secretDepth = nil }
      }
    }
    return reader.isComplete
  }

  private mutating func finish(_ text: inout [UInt8], isSecret: Bool) {
    defer { text.removeAll(keepingCapacity: true) }
    guard let start = text.firstIndex(where: { !$0.isSpace }), let end = text.lastIndex(where: { !$0.isSpace }) else {
      return
    }
    if isSecret { addSecret(bytes: text[start...end]) } else { searchNested(text) }
  }
}

/// Reads the elements, attributes and text of an XML document (Extensible Markup Language 1.0) one by one, and stops
/// at the first thing that it doesn't understand. It doesn't recurse, and takes one pass.
private struct XMLReader {
  enum Piece {
    /// An element begins; it counts as open.
    case start(String)
    case attribute(String, [UInt8])
    /// Text without its references, and the content of a CDATA section.
    case text([UInt8])
    /// An element ended; it no longer counts as open.
    case end
  }

  let bytes: [UInt8]
  /// The names of the elements that are open.
  private(set) var open: [Range<Int>] = []
  private var index = 0
  private var isInTag = false
  private var isMalformed = false
  private var hasElement = false

  init(bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    // A charset of wider units.
    isMalformed = bytes.contains(0)
  }

  var isComplete: Bool { !isMalformed && hasElement && open.isEmpty && index == bytes.count }

  mutating func next() -> Piece? {
    while index < bytes.count, !isMalformed {
      if isInTag {
        if let piece = inTag() { return piece }
      } else if bytes[index] != UInt8(ascii: "<") {
        let end = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        defer { index = end }
        return .text(plain(index..<end))
      } else if let piece = markup() {
        return piece
      }
    }
    return nil
  }

  /// What begins with `<`; `nil` for what has no content.
  private mutating func markup() -> Piece? {
    if skip("<!--") {
      _ = skip(behind: "-->")
    } else if skip("<![CDATA[") {
      return skip(behind: "]]>").map { .text(Array(bytes[$0])) }
    } else if skip("<?") {
      guard let content = skip(behind: "?>"), !isInOtherCharset(content) else { return fail() }
    } else if skip("<!DOCTYPE") {
      guard let content = skip(behind: ">"), !bytes[content].contains(UInt8(ascii: "[")) else { return fail() }
    } else if skip("</") {
      guard let content = skip(behind: ">"), let name = open.popLast() else { return fail() }
      let rest = bytes[content].dropFirst(name.count)
      guard bytes[content].starts(with: bytes[name]), rest.allSatisfy(\.isSpace) else { return fail() }
      return .end
    } else {
      index += 1
      guard let name = name() else { return fail() }
      open.append(name)
      (isInTag, hasElement) = (true, true)
      return .start(localName(name))
    }
    return nil
  }

  /// An attribute or the end of a start tag.
  private mutating func inTag() -> Piece? {
    skipSpace()
    if skip(">") {
      isInTag = false
      return nil
    }
    if skip("/>") {
      isInTag = false
      open.removeLast()
      return .end
    }
    guard let name = name() else { return fail() }
    skipSpace()
    guard skip("=") else { return fail() }
    skipSpace()
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'"),
      let end = bytes[(index + 1)...].firstIndex(of: bytes[index])
    else { return fail() }
    defer { index = end + 1 }
    // Namespaces and types are no values.
    if bytes[name].starts(with: "xml".utf8) || bytes[name].starts(with: "xsi:".utf8) { return nil }
    return .attribute(localName(name), plain(index + 1..<end))
  }

  private mutating func fail() -> Piece? {
    isMalformed = true
    return nil
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      guard bytes[index...].starts(with: text) else { return false }
      index += text.count
      return true
    }
  }

  /// Goes behind the text, and gives what stands before it.
  private mutating func skip(behind text: StaticString) -> Range<Int>? {
    guard let end = bytes.firstRange(of: text, from: index) else {
      isMalformed = true
      return nil
    }
    defer { index = end + text.utf8CodeUnitCount }
    return index..<end
  }

  private mutating func skipSpace() {
    while index < bytes.count, bytes[index].isSpace { index += 1 }
  }

  private mutating func name() -> Range<Int>? {
    let start = index
    while index < bytes.count, !bytes[index].isSpace, !"<>=/\"'&".utf8.contains(bytes[index]) { index += 1 }
    return index > start ? start..<index : nil
  }

  /// A name without its prefix.
  private func localName(_ name: Range<Int>) -> String {
    let local = bytes[name].lastIndex(of: UInt8(ascii: ":")).map { bytes[$0 + 1..<name.upperBound] } ?? bytes[name]
    return String(decoding: local, as: UTF8.self)
  }

  /// Whether an XML declaration names a charset whose bytes can't be read as they are.
  private func isInOtherCharset(_ declaration: Range<Int>) -> Bool {
    guard bytes[declaration].starts(with: "xml ".utf8) else { return false }
    let words = String(decoding: bytes[declaration], as: UTF8.self).split(whereSeparator: { "=\"' \t\r\n".contains($0) }
    )
    guard let index = words.firstIndex(of: "encoding"), index + 1 < words.count else { return false }
    switch Charset(label: String(words[index + 1])) {
    case .utf8, .ascii, .latin1, .windows1252: return false
    // The text may have been converted before: then no byte is NUL.
    case .utf16, .utf32: return false
    case nil: return true
    }
  }

  /// Text without its references (section 4.1 and 4.6).
  private func plain(_ range: Range<Int>) -> [UInt8] {
    let raw = bytes[range]
    guard raw.contains(UInt8(ascii: "&")) else { return Array(raw) }
    var output: [UInt8] = []
    output.reserveCapacity(raw.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let reference = bytes[index..<range.upperBound].prefix(12)
      if bytes[index] == UInt8(ascii: "&"), let end = reference.firstIndex(of: UInt8(ascii: ";")),
        let scalar = Self.scalar(String(decoding: bytes[index + 1..<end], as: UTF8.self))
      {
        output += Array(String(Character(scalar)).utf8)
        index = end + 1
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return output
  }

  private static func scalar(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    case _ where name.hasPrefix("#x"): return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    case _ where name.hasPrefix("#"): return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
    default: return nil
    }
  }
}
