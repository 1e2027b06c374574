import Foundation

/// Hides the values of secret members and fields in bytes of an unknown format. Call `redact`.
///
/// The bytes may be JSON, a form, multipart, XML, header lines, a URL, or prose that quotes one of them. They may also
/// be a piece of such a text, which no parser of whole documents could read. The redactor therefore follows no grammar.
/// It looks up every word that is followed by a sign for a value, such as a colon, however deep the word is quoted. A
/// surplus quotation mark can't mislead it.
struct FieldRedactor {
  private let redaction: Redaction
  /// How many layers of percent encoding are still decoded.
  private let depth: Int
  let bytes: [UInt8]
  private var position = 0
  private var output: [UInt8] = []
  /// The end of the percent-encoded text that was searched last. Its next words don't decode it again.
  private var searchedEnd = 0

  /// The longest name that is looked for. All bounds in this file make hiding take linear time for any text.
  private static let longestName = 128

  static func redact(_ bytes: [UInt8], redaction: Redaction, depth: Int = 2) -> [UInt8] {
    var redactor = FieldRedactor(redaction: redaction, depth: depth, bytes: bytes)
    redactor.run()
    return redactor.output
  }

  private init(redaction: Redaction, depth: Int, bytes: [UInt8]) {
    self.redaction = redaction
    self.depth = depth
    self.bytes = bytes
  }

  private mutating func run() {
    output.reserveCapacity(bytes.count)
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "\"") {
        scanQuotedName()
      } else if bytes[position].isFieldNameByte || bytes.hasUnicodeEscape(at: position) {
        scanWord()
      } else {
        copy(to: position + 1)
      }
    }
  }

  /// Looks for a quoted name of more than one word, such as `"access token"`. `scanWord` would see its words alone.
  private mutating func scanQuotedName() {
    let start = position + 1
    let limit = min(bytes.count, start + Self.longestName)
    let end = bytes[..<limit].end(from: start) { $0 != UInt8(ascii: "\"") }
    guard end < limit, !bytes[start..<end].allSatisfy(\.isFieldNameByte),
      let value = value(behindName: end), value.separator == UInt8(ascii: ":"),
      redaction.hides(path: bytes[start..<end].unescaped)
    else { return copy(to: start) }
    hide(value)
  }

  /// Looks for a secret that begins with or after the word at `position`. The order matters: a secret name wins.
  private mutating func scanWord() {
    let start = position
    var end = start
    while end < bytes.count, bytes[end].isFieldNameByte || bytes.hasUnicodeEscape(at: end) {
      end += bytes[end].isFieldNameByte ? 1 : 6
    }
    let word = bytes[start..<end]
    if let value = value(behindName: end), redaction.hides(path: word.plainName) { return hide(value) }
    if let content = contentOfPart(namedAt: word) { return hide(content) }
    if isElementName(start..<end), redaction.hides(path: word.plainName), hideElement(named: word) { return }
    // A JSON Web Token: base64 of `{"`, and parts separated by dots (RFC 7519, section 3.1).
    if word.count >= 20, word.starts(with: "eyJ".utf8), word.contains(UInt8(ascii: ".")) { return hide(start..<end) }
    if depth > 0, start >= searchedEnd, word.contains(UInt8(ascii: "%")), hideEncoded(from: start) { return }
    copy(to: end)
    if let credentials = credentials(behind: word) { hide(credentials) }
  }

  /// Looks into text that is percent-encoded as a whole, such as a URL within a URL.
  private mutating func hideEncoded(from start: Int) -> Bool {
    let end = bytes.end(from: start) { !$0.isSpace && !ByteSet.endsEncodedText.contains($0) }
    searchedEnd = end
    let decoded = bytes[start..<end].percentDecoded
    guard decoded.count < end - start else { return false }
    let redacted = Self.redact(decoded.withoutUserInfo, redaction: redaction, depth: depth - 1)
    guard redacted != decoded else { return false }
    output += Array(String(decoding: redacted, as: UTF8.self).percentEncoded(.everythingReserved).utf8)
    position = end
    return true
  }

  /// Replaces the value with the placeholder, inside the value's own quotation marks.
  private mutating func hide(_ value: FieldValue) {
    let (range, mark) = extent(of: value)
    copy(to: range.lowerBound)
    output += mark + Array(Redaction.placeholder.utf8) + mark
    position = range.upperBound
  }

  private mutating func hide(_ range: Range<Int>) {
    copy(to: range.lowerBound)
    if !range.isEmpty { output += Array(Redaction.placeholder.utf8) }
    position = range.upperBound
  }

  private mutating func copy(to end: Int) {
    output += bytes[position..<end]
    position = end
  }

  // MARK: Credentials

  private static let schemes = ["bearer", "basic", "digest", "dpop", "token"]

  /// The credentials after a scheme's name, in the form of an `Authorization` field (RFC 9110, section 11.4). A word
  /// that could be part of a sentence isn't a credential.
  private func credentials(behind word: ArraySlice<UInt8>) -> Range<Int>? {
    // The length is checked first, because this runs for every word. A scheme's name has 4 to 6 letters.
    guard (4...6).contains(word.count), word.endIndex < bytes.count, bytes[word.endIndex] == 0x20,
      Self.schemes.contains(String(decoding: word.map(\.asciiLowercased), as: UTF8.self))
    else { return nil }
    let start = word.endIndex + 1
    let stop = bytes.end(from: start, while: ByteSet.token68.contains)
    // A word at the very end may have been cut, so a shorter one counts.
    let shortest = stop == bytes.count ? SecretValues.shortest : 8
    let isOrdinary = bytes[start..<stop].allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    return stop - start >= shortest && !isOrdinary ? start..<stop : nil
  }

  // MARK: Parts of multipart bodies

  /// The content of a part with a secret name (RFC 7578), if the word is the `name` parameter of its head. The boundary
  /// isn't known here, so any line that begins with two hyphens ends the part.
  private func contentOfPart(namedAt word: ArraySlice<UInt8>) -> Range<Int>? {
    guard word.count == 4, word.elementsEqual("name".utf8, by: { $0.asciiLowercased == $1 }),
      let name = partName(at: word.endIndex), redaction.hides(path: bytes[name].plainName),
      let start = endOfHead(from: name.upperBound)
    else { return nil }
    guard let delimiter = bytes.firstRange(of: "\n--", from: start) else { return start..<bytes.count }
    let hasReturn = delimiter > start && bytes[delimiter - 1] == UInt8.carriageReturn
    return start..<(hasReturn ? delimiter - 1 : delimiter)
  }

  /// The name after the equals sign of `name=`, without quotation marks; `nil` if there is no name.
  private func partName(at equals: Int) -> Range<Int>? {
    guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else { return nil }
    let start = equals + 1
    let head = bytes[..<min(bytes.count, start + 256)]
    guard start < head.count, head[start] == UInt8(ascii: "\"") else {
      return start..<head.end(from: start) { !$0.isSpace && $0 != UInt8(ascii: ";") }
    }
    let end = head.end(from: start + 1) { $0 != UInt8(ascii: "\"") }
    return end < head.count ? start + 1..<end : nil
  }

  /// The index after the empty line that ends the head of a part; `nil` if the head is too long for one.
  private func endOfHead(from start: Int) -> Int? {
    let head = bytes[..<min(bytes.count, start + 4096)]
    var line = start
    while true {
      let end = head.end(from: line) { $0 != UInt8.lineFeed }
      guard end < head.count else { return nil }
      if line > start, head[line..<end].allSatisfy({ $0 == UInt8.carriageReturn }), end - line <= 1 { return end + 1 }
      line = end + 1
    }
  }

  // MARK: XML elements

  /// Whether a word is the name of an XML element, with or without a prefix: `<name>`, `<a:name b="c">`.
  private func isElementName(_ word: Range<Int>) -> Bool {
    guard word.lowerBound > 0, word.upperBound < bytes.count else { return false }
    let (before, behind) = (bytes[word.lowerBound - 1], bytes[word.upperBound])
    guard behind == UInt8(ascii: ">") || behind == UInt8(ascii: "/") || behind.isSpace else { return false }
    if before == UInt8(ascii: "<") { return true }
    guard before == UInt8(ascii: ":") else { return false }
    let prefix = bytes[..<(word.lowerBound - 1)].suffix(Self.longestName).reversed()
    let opening = prefix.first { !$0.isFieldNameByte }
    return opening == UInt8(ascii: "<") || (behind == UInt8(ascii: ">") && opening != UInt8(ascii: "/"))
  }

  /// Hides the attributes and the content of an element, up to its end tag. All text that this function reads is
  /// hidden, so that no text is read twice.
  ///
  /// - Returns: whether the word was the name of an element.
  private mutating func hideElement(named word: ArraySlice<UInt8>) -> Bool {
    let attributes = bytes[word.endIndex...].prefix { $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "<") }
    let tagEnd = attributes.endIndex
    let hasAttributes = attributes.contains(UInt8(ascii: "="))
    let isCut = tagEnd == bytes.count || bytes[tagEnd] == UInt8(ascii: "<")
    guard hasAttributes || (!isCut && attributes.allSatisfy { $0.isSpace || $0 == UInt8(ascii: "/") }) else {
      return false
    }
    copy(to: word.endIndex)
    let isEmpty = isCut || attributes.last == UInt8(ascii: "/")
    if hasAttributes {
      output.append(0x20)
      hide(word.endIndex..<(attributes.last == UInt8(ascii: "/") ? tagEnd - 1 : tagEnd))
    }
    copy(to: isCut ? tagEnd : tagEnd + 1)
    if !isEmpty { hide(position..<startOfEndTag(named: word)) }
    return true
  }

  /// The index of the end tag of an element whose content begins here. Without an end tag the content was cut off.
  private func startOfEndTag(named word: ArraySlice<UInt8>) -> Int {
    var nested = 0
    var index = position
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = start + 1
      // JSON may have escaped the slash.
      if bytes[index...].starts(with: "\\/".utf8) { index += 1 }
      let isEnd = bytes[index...].first == UInt8(ascii: "/")
      if isEnd { index += 1 }
      let name = bytes[index...].prefix { $0.isFieldNameByte || $0 == UInt8(ascii: ":") }
      index = name.endIndex
      guard (name.split(separator: UInt8(ascii: ":")).last ?? []).elementsEqual(word) else { continue }
      if isEnd, nested == 0 { return start }
      nested += isEnd ? -1 : 1
    }
    return bytes.count
  }
}
