extension BodySearch {
  /// Searches the elements and attributes of an XML document (Extensible Markup Language 1.0), in one pass and without
  /// recursion.
  ///
  /// - Returns: `false` for a document whose tags don't match, and for one whose declarations may make text of anything
  ///   (an internal subset).
  mutating func searchXML(_ bytes: [UInt8]) -> Bool {
    // NULs mean UTF-16 or UTF-32, in which ASCII names aren't found.
    guard !bytes.contains(0) else { return false }
    var reader = XMLReader(bytes: bytes)
    /// The names of the elements that are open.
    var open: [Range<Int>] = []
    /// The number of elements around the secret element that is being read.
    var secretDepth: Int?
    var text: [UInt8] = []
    var hasElement = false
    while let piece = reader.readPiece() {
      switch piece {
      case .nothing: break
      case .text(let piece): text += piece
      case .start(let name):
        searchText(&text, isSecret: secretDepth != nil)
        hasElement = true
        open.append(name)
        if secretDepth == nil, hides(reader.localName(name)) { secretDepth = open.count }
        while let (name, range) = reader.attribute() {
          if reader.isDeclaration(name) { continue }
          let value = reader.textWithoutReferences(range)
          if secretDepth != nil || hides(reader.localName(name)) {
            addSecret(bytes: value)
          } else {
            searchNested(value)
          }
        }
        guard let isEmpty = reader.endOfTag() else { return false }
        // The element stays open until its end tag.
        guard isEmpty else { continue }
        open.removeLast()
      case .end(let tag):
        guard let name = open.popLast(), bytes[tag].starts(with: bytes[name]),
          bytes[tag].dropFirst(name.count).allSatisfy(\.isSpace)
        else { return false }
        searchText(&text, isSecret: secretDepth != nil)
      case .malformed:
        return false
      }
      if let depth = secretDepth, open.count < depth { secretDepth = nil }
    }
    return hasElement && open.isEmpty
  }

  /// Searches the text between two tags, and clears it for the text after the next tag.
  private mutating func searchText(_ text: inout [UInt8], isSecret: Bool) {
    let trimmed = text[...].trimmed
    if isSecret, !trimmed.isEmpty { addSecret(bytes: trimmed) } else { searchNested(text) }
    text.removeAll(keepingCapacity: true)
  }
}

/// Reads the tags and the text of an XML document one by one. After a `start`, call `attribute()` until it returns
/// `nil`, and then `endOfTag()`.
private struct XMLReader {
  enum Piece {
    /// A comment or a declaration.
    case nothing
    /// The name of an element that begins. Its attributes and the end of its tag come next.
    case start(Range<Int>)
    /// Text with its references replaced, or the content of a CDATA section.
    case text([UInt8])
    /// The content of an end tag.
    case end(Range<Int>)
    case malformed
  }

  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  private var isAtEnd: Bool { index == bytes.count }

  /// - Returns: `nil` at the end.
  mutating func readPiece() -> Piece? {
    guard !isAtEnd else { return nil }
    guard bytes[index] == UInt8(ascii: "<") else {
      let start = index
      index = bytes.end(from: index) { $0 != UInt8(ascii: "<") }
      return .text(textWithoutReferences(start..<index))
    }
    if skip("<!--") { return skip(after: "-->").map { _ in .nothing } ?? .malformed }
    if skip("<![CDATA[") { return skip(after: "]]>").map { .text(Array(bytes[$0])) } ?? .malformed }
    if skip("<?") { return skip(after: "?>").map { isInOtherCharset($0) ? .malformed : .nothing } ?? .malformed }
    if skip("<!DOCTYPE") {
      return skip(after: ">").map { bytes[$0].contains(UInt8(ascii: "[")) ? .malformed : .nothing } ?? .malformed
    }
    if skip("</") { return skip(after: ">").map { .end($0) } ?? .malformed }
    index += 1
    return name().map { .start($0) } ?? .malformed
  }

  /// Reads the next attribute of a start tag; `nil` if no well-formed attribute follows.
  mutating func attribute() -> (name: Range<Int>, value: Range<Int>)? {
    let start = index
    skipSpace()
    guard let name = name() else { return nil }
    skipSpace()
    let hasValue = skip("=")
    skipSpace()
    guard hasValue, !isAtEnd, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'"),
      let end = bytes[(index + 1)...].firstIndex(of: bytes[index])
    else {
      index = start
      return nil
    }
    defer { index = end + 1 }
    return (name, index + 1..<end)
  }

  /// Whether an attribute declares a namespace or a type, and has no value to search.
  func isDeclaration(_ name: Range<Int>) -> Bool {
    bytes[name].starts(with: "xml".utf8) || bytes[name].starts(with: "xsi:".utf8)
  }

  /// Whether the tag that ends here is an empty element (`/>`); `nil` if no tag ends here.
  mutating func endOfTag() -> Bool? {
    skipSpace()
    return skip("/>") ? true : skip(">") ? false : nil
  }

  /// A name without its prefix.
  func localName(_ name: Range<Int>) -> String {
    let local = bytes[name].lastIndex(of: UInt8(ascii: ":")).map { bytes[$0 + 1..<name.upperBound] } ?? bytes[name]
    return String(decoding: local, as: UTF8.self)
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { text in
      guard bytes[index...].starts(with: text) else { return false }
      index += text.count
      return true
    }
  }

  /// Skips to the position after the text, and returns the range before the text.
  private mutating func skip(after text: StaticString) -> Range<Int>? {
    guard let end = bytes.firstRange(of: text, from: index) else { return nil }
    defer { index = end + text.utf8CodeUnitCount }
    return index..<end
  }

  private mutating func skipSpace() { index = bytes.end(from: index, while: \.isSpace) }

  private mutating func name() -> Range<Int>? {
    let start = index
    index = bytes.end(from: start) { !$0.isSpace && !"<>=/\"'&".utf8.contains($0) }
    return index > start ? start..<index : nil
  }

  /// Whether an XML declaration names a charset whose bytes can't be searched directly.
  private func isInOtherCharset(_ declaration: Range<Int>) -> Bool {
    guard bytes[declaration].starts(with: "xml ".utf8) else { return false }
    let words = String(decoding: bytes[declaration], as: UTF8.self).split { "=\"' \t\r\n".contains($0) }
    guard let index = words.firstIndex(of: "encoding"), index + 1 < words.count else { return false }
    // UTF-16 and UTF-32 don't matter here: such text was converted before, or it was refused for its NULs.
    return Charset(label: String(words[index + 1])) == nil
  }

  /// The text with each reference, such as `&amp;`, replaced by its character (sections 4.1 and 4.6).
  func textWithoutReferences(_ range: Range<Int>) -> [UInt8] {
    var output: [UInt8] = []
    var rest = bytes[range]
    while let byte = rest.first {
      if byte == UInt8(ascii: "&"), let (scalar, end) = Self.reference(in: rest) {
        output += Array(String(scalar).utf8)
        rest = rest[end...]
      } else {
        output.append(byte)
        rest = rest.dropFirst()
      }
    }
    return output
  }

  /// Reads the reference at the start of a text that begins with `&`; `nil` if there is none.
  private static func reference(in text: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, end: Int)? {
    // Any number of zeros may lead. The name ends before the next `&`, so that many lone `&` take linear time.
    let name = text.dropFirst().prefix { ByteSet.alphanumeric.contains($0) || $0 == UInt8(ascii: "#") }
    guard name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: ";") else { return nil }
    return scalar(String(decoding: name, as: UTF8.self)).map { ($0, name.endIndex + 1) }
  }

  private static let namedScalars: [String: Unicode.Scalar] = [
    "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
  ]

  private static func scalar(_ name: String) -> Unicode.Scalar? {
    guard name.hasPrefix("#") else { return namedScalars[name] }
    let isHexadecimal = name.hasPrefix("#x")
    return UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
  }
}
