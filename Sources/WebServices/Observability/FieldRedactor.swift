import Foundation

/// Hides the values of secret members and fields in bytes that may be JSON, a form, multipart, XML, header lines, a URL,
/// prose that quotes one of them, or a piece of it, so that no parser of whole documents could read it.
///
/// It looks for names, not for a grammar: every word that is followed by a sign for "here comes its value" is looked up,
/// wherever it stands and however deep it is quoted. A quotation mark too many can thus turn nothing inside out.
struct FieldRedactor {
  let redaction: Redaction
  /// How many layers of percent encoding are still looked into.
  private let depth: Int
  private let bytes: [UInt8]
  private var position = 0
  private var output: [UInt8] = []
  /// Up to here nothing is hidden by percent encoding.
  private var searchedEnd = 0

  private init(_ bytes: [UInt8], redaction: Redaction, depth: Int) {
    self.bytes = bytes
    self.redaction = redaction
    self.depth = depth
  }

  static func redact(_ bytes: [UInt8], redaction: Redaction, depth: Int = 2) -> [UInt8] {
    var redactor = FieldRedactor(bytes, redaction: redaction, depth: depth)
    redactor.run()
    return redactor.output
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

  /// A quoted name that is more than one word, which the words alone wouldn't tell.
  private mutating func scanQuotedName() {
    let start = position + 1
    var end = start
    let limit = min(bytes.count, start + Self.longestName)
    while end < limit, bytes[end] != UInt8(ascii: "\"") { end += 1 }
    guard end < limit, !bytes[start..<end].allSatisfy(\.isFieldNameByte),
      let value = FieldValue(after: end, in: bytes), value.separator == UInt8(ascii: ":"),
      redaction.hides(path: FieldName.unescaped(bytes[start..<end]))
    else { return copy(to: start) }
    hide(value)
  }

  private static let longestName = 128

  private mutating func scanWord() {
    let start = position
    var end = start
    while end < bytes.count {
      if bytes[end].isFieldNameByte {
        end += 1
      } else if bytes.hasUnicodeEscape(at: end) {
        end += 6
      } else {
        break
      }
    }
    let word = bytes[start..<end]
    if let value = FieldValue(after: end, in: bytes), redaction.hides(path: FieldName.plain(word)) {
      return hide(value)
    }
    if let content = MultipartPart.content(ofPartNamedAt: start..<end, in: bytes, redaction: redaction) {
      return hide(content)
    }
    if isElementName(start..<end), redaction.hides(path: FieldName.plain(word)), hideElement(named: word) { return }
    if word.looksLikeToken {
      output += Array(Redaction.placeholder.utf8)
      position = end
      return
    }
    if depth > 0, start >= searchedEnd, word.contains(UInt8(ascii: "%")), hideEncoded(from: start) { return }
    copy(to: end)
    if let credentials = CredentialScheme.credentials(behind: word, at: end, in: bytes) { hide(credentials) }
  }

  /// Whether a word stands where an XML element has its name, with a prefix or without: `<name>`, `<a:name b="c">`.
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

  /// Hides the attributes and the content of an element, up to its end tag. What is looked at is hidden, so that nothing
  /// is looked at twice.
  ///
  /// - Returns: whether it was an element.
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

  /// Where the end tag of an element begins whose content stands from here; where there is none, it was cut off.
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

  /// Looks into text that is percent-encoded as a whole, such as a URL within a URL.
  private mutating func hideEncoded(from start: Int) -> Bool {
    let end = bytes[start...].firstIndex { $0.endsEncodedText } ?? bytes.count
    searchedEnd = end
    let decoded = bytes[start..<end].percentDecoded
    guard decoded.count < end - start else { return false }
    let redacted = Self.redact(URLRedactor.removeUserInfo(decoded), redaction: redaction, depth: depth - 1)
    guard redacted != decoded else { return false }
    output += Array(String(decoding: redacted, as: UTF8.self).percentEncoded(.everythingReserved).utf8)
    position = end
    return true
  }

  private mutating func hide(_ value: FieldValue) {
    let (range, mark) = value.extent(in: bytes)
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
}

extension ArraySlice<UInt8> {
  /// Whether the word is a JSON Web Token: base64 of `{"`, and parts separated by dots (RFC 7519, section 3.1).
  fileprivate var looksLikeToken: Bool {
    count >= 20 && starts(with: "eyJ".utf8) && contains(UInt8(ascii: "."))
  }
}

/// Credentials in the form of an `Authorization` field (RFC 9110, section 11.4), wherever they are quoted.
enum CredentialScheme {
  private static let schemes = ["bearer", "basic", "digest", "dpop", "token"]
  private static let shortest = 8

  /// The credentials behind a scheme's name. A word that could stand in a sentence is no credential.
  static func credentials(behind word: ArraySlice<UInt8>, at end: Int, in bytes: [UInt8]) -> Range<Int>? {
    guard (4...6).contains(word.count), end < bytes.count, bytes[end] == 0x20 else { return nil }
    let name = String(decoding: word.map(\.asciiLowercased), as: UTF8.self)
    guard schemes.contains(name) else { return nil }
    let start = end + 1
    let stop = bytes[start...].firstIndex { !$0.isToken68 } ?? bytes.count
    let credentials = bytes[start..<stop]
    // A word at the very end may have been cut.
    let shortest = stop == bytes.count ? SecretValues.shortest : shortest
    guard credentials.count >= shortest, credentials.contains(where: { !$0.isOrdinaryLetter }) else { return nil }
    return start..<stop
  }
}

extension UInt8 {
  fileprivate var isOrdinaryLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }

  /// RFC 9110, section 11.2.
  fileprivate var isToken68: Bool {
    switch self {
    case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "~"): true
    case UInt8(ascii: "%"), 0x80...0xFF: false
    default: isFieldNameByte
    }
  }
}
