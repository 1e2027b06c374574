/// Finds the values behind secret names in a text of any format: JSON, a form, a URL, header lines, or prose that
/// quotes one of them. The initializer searches, and `found` has the result.
///
/// The text may be a piece, which no parser of whole documents could read. So the search follows no grammar. It looks
/// up each name before a colon or an equals sign. Only JSON and forms say where a value ends. If a secret name stands
/// in markup or in the head of a part of a multipart body, the rest of the text counts as secret.
struct FieldSearch {
  enum Kind {
    /// Text, which the placeholder can replace as it is.
    case text
    /// A number, a literal, an object or an array of JSON: the placeholder needs quotation marks.
    case json
    /// The rest of the text.
    case rest
  }

  private(set) var found: [(range: Range<Int>, kind: Kind)] = []

  private let bytes: [UInt8]
  private let redaction: Redaction
  private let isURL: Bool
  /// The last `@` of a URL, looked for once: a server may send any number of authorities.
  private let lastAt: Int?
  /// Whether the search goes on in a rest of the text that counts as secret.
  private let searchesRest: Bool
  /// Whether a URL's question mark was read.
  private var isInQuery = false
  private var index = 0
  /// Names that were looked up. A long list has the same names in each row.
  private var known: [ArraySlice<UInt8>: Bool] = [:]

  /// The longest name of a part that is looked up.
  private static let longestName = 128
  /// The longest value of a rest.
  private static let longestValue = 1024
  private static let quote = UInt8(ascii: "\"")

  /// - Parameter isURL: whether the text is one URL, in which neither white space nor a quotation mark ends a value.
  init(_ bytes: [UInt8], redaction: Redaction, isURL: Bool = false, searchesRest: Bool = false) {
    self.bytes = bytes
    self.redaction = redaction
    self.isURL = isURL
    lastAt = isURL ? bytes.lastIndex(of: UInt8(ascii: "@")) : nil
    self.searchesRest = searchesRest
    while index < bytes.count { step() }
  }

  /// Reads the next byte that may begin a value or end a name.
  private mutating func step() {
    index = end(from: index) { !ByteSet.marks.contains($0) }
    guard index < bytes.count else { return }
    index += 1
    switch bytes[index - 1] {
    case UInt8(ascii: "<"):
      // An element of XML or HTML.
      let name = index..<end(from: index) { $0.isNameByte || $0 == UInt8(ascii: ":") }
      if hides(bytes[name]) { hide(name.upperBound..<bytes.count, .rest) }
    case UInt8(ascii: "/"): readAuthority()
    case UInt8(ascii: "?"): isInQuery = true
    case let separator: readValue(isColon: separator == UInt8(ascii: ":"))
    }
  }

  private mutating func hide(_ range: Range<Int>, _ kind: Kind = .text) {
    if !range.isEmpty { found.append((range, kind)) }
    index = kind == .rest && searchesRest ? range.lowerBound : range.upperBound
  }

  private func end(from start: Int, while isInside: (UInt8) -> Bool) -> Int {
    bytes[start...].firstIndex { !isInside($0) } ?? bytes.count
  }

  private mutating func hides(_ name: ArraySlice<UInt8>) -> Bool {
    let isHidden = known[name] ?? redaction.hides(path: name)
    known[name] = isHidden
    return isHidden
  }

  // MARK: Names and values

  /// The name before the separator that was read: a word, or the text between two quotation marks.
  private var name: (range: Range<Int>, isQuoted: Bool) {
    func start(_ end: Int, _ isInside: (UInt8) -> Bool) -> Int {
      bytes[..<end].lastIndex { !isInside($0) }.map { $0 + 1 } ?? 0
    }
    let end = start(index - 1, \.isSpace)
    let word = start(end, \.isNameByte)
    if word < end, bytes[word] != UInt8(ascii: "]") { return (word..<end, false) }
    // A bracket may close a quoted name. An escaped mark closes a name in a string, which is read with its escapes
    // resolved.
    guard word > 0, ByteSet.quotes.contains(bytes[word - 1]), bytes[..<(word - 1)].last != UInt8(ascii: "\\"),
      let opening = bytes[..<(word - 1)].lastIndex(of: bytes[word - 1])
    else { return (end..<end, false) }
    return ((opening + 1)..<(word - 1), true)
  }

  private mutating func readValue(isColon: Bool) {
    let (name, isQuoted) = name
    if hides(bytes[name]) { return hideValue(of: name, isColon: isColon, isQuoted: isQuoted) }
    // `name="password"` in the head of a part (RFC 7578, section 4.2).
    guard !isColon, !isURL, bytes[name].elementsEqual("name".utf8, by: { $0.asciiLowercased == $1 }) else { return }
    let start = end(from: index) { $0 == Self.quote }
    let value = bytes[start...].prefix(Self.longestName).prefix { !$0.isSpace && !ByteSet.endsPartName.contains($0) }
    if hides(bytes[start..<value.endIndex]) { hide(value.endIndex..<bytes.count, .rest) }
  }

  /// Hides the value behind a separator.
  ///
  /// - Parameter isQuoted: whether the name is in quotation marks, as in JSON.
  private mutating func hideValue(of name: Range<Int>, isColon: Bool, isQuoted: Bool) {
    if isURL, !isColon {
      let ends = isInQuery ? ByteSet.endsQueryItem : .endsPathParameter
      return hide(index..<end(from: index) { !ends.contains($0) })
    }
    // `=>` separates a key and a value when Ruby or PHP prints them.
    if index < bytes.count, bytes[index] == UInt8(ascii: ">") { index += 1 }
    // `password=` at the end of a line has no value. The next line isn't its value.
    let start = end(from: index) { isColon ? $0.isSpace : $0.isSpace && !$0.isLineEnd }
    guard start < bytes.count else { return index = start }
    switch bytes[start] {
    case _ where ByteSet.quotes.contains(bytes[start]):
      hide((start + 1)..<Self.endOfString(from: start, in: bytes[...]))
    case UInt8(ascii: "{") where isColon, UInt8(ascii: "[") where isColon:
      hide(start..<endOfContainer(from: start), .json)
    default:
      // The values of these header fields have spaces: `Authorization=[Bearer abc]` when Java prints a map.
      let field = isColon && isQuoted ? "" : String(decoding: bytes[name], as: UTF8.self).lowercased()
      let hasSpaces = field.hasSuffix("authorization") || field.hasSuffix("cookie")
      let isInside = { (byte: UInt8) in
        if byte == Self.quote { return false }
        guard isColon else { return byte != UInt8(ascii: "&") && !(hasSpaces ? byte.isLineEnd : byte.isSpace) }
        return isQuoted ? !ByteSet.endsJSON.contains(byte) : !byte.isLineEnd
      }
      var end = end(from: start, while: isInside)
      // A map or a list that a program prints: `token={value=abc, type=x}`.
      if "{[".utf8.contains(bytes[start]) { end = max(end, endOfContainer(from: start)) }
      // They have quoted parameters too, such as those of Digest.
      while hasSpaces, end < bytes.count, bytes[end] == Self.quote, bytes[end - 1] == UInt8(ascii: "=") {
        end = self.end(from: min(Self.endOfString(from: end, in: bytes[...]) + 1, bytes.count), while: isInside)
      }
      hide(start..<beforeEscape(end, start), isColon && isQuoted ? .json : .text)
    }
  }

  /// The end of a value without the backslashes before a quotation mark, which belong to the mark.
  private func beforeEscape(_ end: Int, _ start: Int) -> Int {
    guard end < bytes.count, bytes[end] == Self.quote else { return end }
    return bytes[start..<end].lastIndex { $0 != UInt8(ascii: "\\") }.map { $0 + 1 } ?? start
  }

  /// The index of the quotation mark that closes a string.
  private static func endOfString(from opening: Int, in bytes: ArraySlice<UInt8>) -> Int {
    var index = opening + 1
    while index < bytes.endIndex, bytes[index] != bytes[opening] { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
    return min(index, bytes.endIndex)
  }

  /// The value at the beginning of a rest: the content of an element up to the next tag, or that of a part up to the
  /// next boundary (RFC 2046, section 5.1.1).
  static func value(of rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    // A rest that begins at each name must not be read up to the end.
    let rest = rest.prefix(longestValue)
    if let start = rest.firstIndex(of: UInt8(ascii: ">")), !rest[..<start].contains(.lineFeed) {
      return rest[(start + 1)...].prefix { $0 != UInt8(ascii: "<") }
    }
    let head = rest.indices.first { rest[$0...].starts(with: "\r\n\r\n".utf8) }
    let content = head.map { rest[($0 + 4)...] } ?? []
    return content[..<(content.indices.first { content[$0...].starts(with: "\r\n--".utf8) } ?? content.endIndex)]
  }

  /// The strings, numbers and literals in a value of JSON, without the names of members.
  static func leaves(of json: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var leaves: [ArraySlice<UInt8>] = []
    var rest = json
    while let byte = rest.first {
      let isString = byte == quote
      let start = rest.startIndex + (isString ? 1 : 0)
      let end =
        isString
        ? endOfString(from: rest.startIndex, in: rest)
        : rest.prefix { !$0.isSpace && !"{}[]:,\"".utf8.contains($0) }.endIndex
      rest = rest[max(end, start)...].dropFirst(isString || end == start ? 1 : 0)
      let isName = isString && rest.first { !$0.isSpace } == UInt8(ascii: ":")
      if !isName { leaves.append(json[start..<end]) }
    }
    return leaves
  }

  /// The index after an object or an array.
  private func endOfContainer(from start: Int) -> Int {
    var index = start
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case Self.quote: index = Self.endOfString(from: index, in: bytes[...])
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      index += 1
      if depth == 0 { break }
    }
    return min(index, bytes.count)
  }

  /// Hides the user info of a URL, if an authority begins here.
  private mutating func readAuthority() {
    guard index < bytes.count, bytes[index] == UInt8(ascii: "/") else { return }
    index += 1
    let ends = isURL ? ByteSet.endsURLAuthority : .endsAuthority
    let end = end(from: index) { (isURL || !$0.isSpace) && !ends.contains($0) }
    let authority = bytes[index..<end]
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      hide(index..<at)
      // The authority may be that of `next=//host&token=a@b`, whose second item has to be read.
      index = authority[..<at].firstIndex(of: UInt8(ascii: "&")) ?? at
    } else if authority.first != UInt8(ascii: "["), let colon = authority.firstIndex(of: UInt8(ascii: ":")),
      end - colon > 6 || !authority[(colon + 1)...].allSatisfy(\.isASCIIDigit),
      let end = end == bytes.count ? end : lastAt, end > colon
    {
      // This isn't a port: the text was cut before the `@`, or the password has a character that ends an authority.
      hide((colon + 1)..<end)
    }
  }
}

extension UInt8 {
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  fileprivate var isLineEnd: Bool { self == .lineFeed || self == .carriageReturn }

  fileprivate var isNameByte: Bool { self >= 0x80 || ByteSet.name.contains(self) }
}

extension ByteSet {
  /// The bytes after a name, before an authority or before a query.
  fileprivate static let marks: ByteSet = ":=</?"
  fileprivate static let quotes: ByteSet = "\"'"
  /// A bracket belongs to a path such as `user[password]`, and a percent sign to an escape in it.
  fileprivate static let name = alphanumeric.union("_-.[]%")
  fileprivate static let endsJSON: ByteSet = ",}]"
  fileprivate static let endsQueryItem: ByteSet = "&#"
  fileprivate static let endsPathParameter: ByteSet = "&#?"
  fileprivate static let endsPartName: ByteSet = "\";&="
  fileprivate static let endsURLAuthority: ByteSet = "/?#"
  /// The characters besides white space that end an authority in a text.
  fileprivate static let endsAuthority: ByteSet = "/?#\"\\<>"
}
