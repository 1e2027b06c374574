import Foundation

extension BodySearch {
  /// Parts between delimiters (RFC 2046, section 5.1), up to the closing one.
  mutating func searchMultipart(_ bytes: [UInt8], boundary: String) -> Bool {
    let delimiter = Array("--\(boundary)".utf8)
    guard var part = Delimiter(delimiter, in: bytes, from: 0) else { return false }
    while !part.isClosing {
      guard let next = Delimiter(delimiter, in: bytes, from: part.end) else { return false }
      searchPart(bytes[part.end..<max(part.end, next.start)])
      part = next
    }
    return true
  }

  /// A line between two parts.
  private struct Delimiter {
    /// Where the content before it ends.
    let start: Int
    /// Behind its line.
    let end: Int
    let isClosing: Bool

    init?(_ delimiter: [UInt8], in bytes: [UInt8], from start: Int) {
      var line = start
      while true {
        if line + delimiter.count <= bytes.count, bytes[line..<line + delimiter.count].elementsEqual(delimiter) {
          let behind = line + delimiter.count
          let isLast = bytes[behind...].starts(with: "--".utf8)
          // Not the beginning of a longer line, which is content.
          let rest = bytes[behind...].prefix { $0 != 0x0A }
          if isLast || rest.allSatisfy(\.isSpace) {
            isClosing = isLast
            end = min(rest.endIndex + 1, bytes.count)
            self.start = Self.withoutLineEnd(line, in: bytes, from: start)
            return
          }
        }
        guard let lineEnd = bytes[line...].firstIndex(of: 0x0A) else { return nil }
        line = lineEnd + 1
      }
    }

    private static func withoutLineEnd(_ line: Int, in bytes: [UInt8], from start: Int) -> Int {
      guard line > start, bytes[line - 1] == 0x0A else { return line }
      return line - 1 > start && bytes[line - 2] == 0x0D ? line - 2 : line - 1
    }
  }

  private mutating func searchPart(_ part: ArraySlice<UInt8>) {
    var fields: [HTTPHeaders.Field] = []
    var rest = part
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0A }
      rest = rest[line.endIndex...].dropFirst()
      let text = String(decoding: line, as: UTF8.self)
      let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if trimmed.isEmpty { break }
      if text.first == " " || text.first == "\t", !fields.isEmpty {
        fields[fields.count - 1].value += " \(trimmed)"
      } else if let colon = trimmed.firstIndex(of: ":") {
        let value = trimmed[trimmed.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        fields.append(.init(name: trimmed[..<colon].trimmingCharacters(in: .whitespaces), value: value))
      }
    }
    var headers = HTTPHeaders(fields)
    // What the transfer encoding has made of the content isn't undone.
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
      let extended = values.filter { $0.key.hasPrefix("name*") }.sorted { $0.key < $1.key }.map { value in
        let words = value.value.split(separator: "'", omittingEmptySubsequences: false)
        return words.count == 3 ? String(words[2]) : value.value
      }
      return ([values["name"]].compactMap { $0 } + [extended.joined()]).flatMap { name in
        [name, FieldName.plain(ArraySlice(name.utf8))]
      }
    }
  }
}
