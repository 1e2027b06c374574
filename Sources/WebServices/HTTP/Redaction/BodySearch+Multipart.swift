import Foundation

extension BodySearch {
  /// Searches the parts between delimiters (RFC 2046, section 5.1), up to the closing delimiter.
  mutating func searchMultipart(_ bytes: [UInt8], boundary: String) -> Bool {
    let delimiter = "--\(boundary)".utf8
    var line = 0
    /// The index at which the content of the current part begins; `nil` before the first delimiter.
    var start: Int?
    while line < bytes.count {
      let lineEnd = bytes.end(from: line) { $0 != UInt8.lineFeed }
      let rest = bytes[line..<lineEnd].dropFirst(delimiter.count)
      let isClosing = rest.starts(with: "--".utf8)
      // A line that begins like a delimiter and goes on is content.
      if bytes[line..<lineEnd].starts(with: delimiter), isClosing || rest.allSatisfy(\.isSpace) {
        if let start { searchPart(bytes[start..<max(start, line)].withoutLineEnd) }
        if isClosing { return true }
        start = min(lineEnd + 1, bytes.count)
      }
      line = lineEnd + 1
    }
    return false
  }

  /// Splits a part into its header fields and its content, and searches both.
  private mutating func searchPart(_ part: ArraySlice<UInt8>) {
    var fields: [HTTPHeaders.Field] = []
    var rest = part
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8.lineFeed }
      rest = rest[line.endIndex...].dropFirst()
      let trimmed = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      if trimmed.isEmpty { break }
      if line.first == 0x20 || line.first == 0x09, !fields.isEmpty {
        fields[fields.count - 1].value += " \(trimmed)"
      } else if let colon = trimmed.firstIndex(of: ":") {
        let value = trimmed[trimmed.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        fields.append(.init(name: trimmed[..<colon].trimmingCharacters(in: .whitespaces), value: value))
      }
    }
    var headers = HTTPHeaders(fields)
    // The search doesn't decode transfer encodings. Declared as a content coding, it makes the part unsearchable.
    if let encoding = headers["Content-Transfer-Encoding"]?.lowercased(),
      !["7bit", "8bit", "binary"].contains(encoding)
    {
      headers.add(name: "Content-Encoding", value: encoding)
    }
    searchPart(named: Self.names(in: headers), headers: headers, body: .data(Data(rest)))
  }

  /// The part's name, in each of the forms that `Content-Disposition` may have it in (RFC 7578, RFC 2231).
  private static func names(in headers: HTTPHeaders) -> [String] {
    headers.values(for: "Content-Disposition").flatMap { disposition -> [String] in
      let parameters = disposition.split(separator: ";", maxSplits: 1).dropFirst().first ?? ""
      let values = MediaType("part/part;\(parameters)")?.parameters ?? [:]
      // RFC 2231: `name*0` and `name*1` are pieces, and `name*` begins with a charset and a language in apostrophes.
      let extended = values.filter { $0.key.hasPrefix("name*") }.sorted { $0.key < $1.key }.map { value in
        let words = value.value.split(separator: "'", omittingEmptySubsequences: false)
        return words.count == 3 ? String(words[2]) : value.value
      }
      return ([values["name"]].compactMap { $0 } + [extended.joined()]).flatMap { name in
        [name, ArraySlice(name.utf8).plainName]
      }
    }
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without the LF or CRLF at their end.
  fileprivate var withoutLineEnd: ArraySlice<UInt8> {
    guard last == .lineFeed else { return self }
    return dropLast().last == .carriageReturn ? dropLast(2) : dropLast()
  }
}
