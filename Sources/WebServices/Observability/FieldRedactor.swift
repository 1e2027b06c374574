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
    if let content = elementContent(start: start, end: end), redaction.hides(path: FieldName.plain(word)) {
      return hide(content)
    }
    if word.looksLikeToken {
      output += Array(Redaction.placeholder.utf8)
      position = end
      return
    }
    if depth > 0, start >= searchedEnd, word.contains(UInt8(ascii: "%")), hideEncoded(from: start) { return }
    copy(to: end)
    if let credentials = CredentialScheme.credentials(behind: word, at: end, in: bytes) { hide(credentials) }
  }

  /// What stands between `<name>` and the next tag.
  private func elementContent(start: Int, end: Int) -> Range<Int>? {
    guard end < bytes.count, bytes[end] == UInt8(ascii: ">"), start > 0,
      bytes[start - 1] == UInt8(ascii: "<") || bytes[start - 1] == UInt8(ascii: ":")
    else { return nil }
    let close = bytes[end...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    return end + 1..<close
  }

  /// Looks into text that is percent-encoded as a whole, such as a URL within a URL.
  private mutating func hideEncoded(from start: Int) -> Bool {
    let end = bytes[start...].firstIndex { $0.endsEncodedText } ?? bytes.count
    searchedEnd = end
    let decoded = FieldName.percentDecoded(bytes[start..<end])
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
  /// Whether it is a JSON Web Token: base64 of `{"`, and parts separated by dots (RFC 7519, section 3.1).
  fileprivate var looksLikeToken: Bool {
    count >= 20 && starts(with: "eyJ".utf8) && contains(UInt8(ascii: "."))
  }
}
