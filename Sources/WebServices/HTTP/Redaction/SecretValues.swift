import Foundation

/// Hides all occurrences of values, in every form in which a server may repeat them. Call `hide(in:)`.
///
/// The forms are made when the first text is searched, because most failures are never described.
final class SecretValues: Sendable {
  /// The forms by their first four bytes, because a request may have thousands of values, and few of them begin alike.
  /// Long ones come first, because a value may begin with another one.
  private typealias Patterns = [UInt32: [[UInt8]]]

  let values: Set<String>
  /// Guards the forms, which any thread may make; `nil` before the first search.
  private let patterns = Locked<Patterns?>(nil)

  /// The fewest bytes of a value that is hidden. Hiding shorter values would hide half of a text.
  static let shortest = 4

  init(_ values: some Sequence<String> = []) {
    self.values = Set(values.filter { $0.utf8.count >= Self.shortest })
  }

  private func makePatterns() -> Patterns {
    patterns.withLock { patterns in
      if let patterns { return patterns }
      let forms = Set(values.flatMap(Self.forms)).map { Array($0.utf8) }.filter { $0.count >= Self.shortest }
        .sorted { $0.count > $1.count }
      let made = Dictionary(grouping: forms) { Self.beginning(at: 0, in: $0) }
      patterns = made
      return made
    }
  }

  /// The value raw, in a URL, in a form, in JSON and in HTML.
  private static func forms(of value: String) -> [String] {
    let encoded = value.percentEncoded(.everythingReserved)
    // Some servers write `%2F` as `%2f`.
    let pieces = encoded.split(separator: "%", omittingEmptySubsequences: false)
    let lowered = pieces.dropFirst().reduce(into: String(pieces[0])) { text, piece in
      text += "%\(piece.prefix(2).lowercased())\(piece.dropFirst(2))"
    }
    let json = escaped(value, asciiOnly: false)
    let ascii = escaped(value, asciiOnly: true)
    let html = value.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
    return [
      value, encoded, lowered, encoded.replacingOccurrences(of: "%20", with: "+"),
      value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? encoded,
      value.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? encoded,
      value.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? encoded, json,
      json.replacingOccurrences(of: "/", with: "\\/"), ascii, ascii.replacingOccurrences(of: "/", with: "\\/"), html,
      html.replacingOccurrences(of: "'", with: "&#39;"), html.replacingOccurrences(of: "'", with: "&#x27;"),
    ]
  }

  /// The value as a string of JSON contains it.
  private static func escaped(_ value: String, asciiOnly: Bool) -> String {
    value.unicodeScalars.reduce(into: "") { output, scalar in
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case _ where scalar.value < 0x20 || (asciiOnly && scalar.value >= 0x80):
        for unit in String(scalar).utf16 { output += String(format: "\\u%04x", unit) }
      default: output.unicodeScalars.append(scalar)
      }
    }
  }

  /// Replaces each of the values. At the very end it also replaces the beginning of a value, because the text may have
  /// been cut there.
  func hide(in bytes: [UInt8]) -> [UInt8] {
    guard !values.isEmpty else { return bytes }
    let patterns = makePatterns()
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if let count = Self.length(ofValueAt: index, in: bytes, patterns) {
        output += Array(Redaction.placeholder.utf8)
        index += count
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return output
  }

  /// The number of bytes to hide at the index; `nil` if no secret value begins there.
  private static func length(ofValueAt index: Int, in bytes: [UInt8], _ patterns: Patterns) -> Int? {
    guard index + shortest <= bytes.count, let candidates = patterns[beginning(at: index, in: bytes)] else {
      return nil
    }
    let rest = bytes[index...]
    for pattern in candidates {
      if rest.count >= pattern.count {
        if rest.starts(with: pattern) { return pattern.count }
      } else if pattern.starts(with: rest) {
        return rest.count
      }
    }
    return nil
  }

  /// The first four bytes of a form. Each form has at least `shortest` bytes.
  private static func beginning(at index: Int, in bytes: [UInt8]) -> UInt32 {
    let (first, second) = (UInt32(bytes[index]) << 8 | UInt32(bytes[index + 1]), UInt32(bytes[index + 2]))
    return first << 16 | second << 8 | UInt32(bytes[index + 3])
  }
}

extension SecretValues: Hashable {
  static func == (left: SecretValues, right: SecretValues) -> Bool { left.values == right.values }

  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
