import Foundation

/// Values that are hidden wherever they stand, in every form that a server may repeat them in.
///
/// The forms are made when the first text is searched: most failures are never described.
final class SecretValues: Sendable {
  /// The forms by their first four bytes, long ones first: a value may begin with another. A request may have thousands
  /// of values, and few of them begin alike.
  private typealias Patterns = [UInt32: [[UInt8]]]

  let values: Set<String>
  private let patterns = Locked<Patterns?>(nil)

  /// Shorter ones are left: they would hide half of the text.
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

  /// Raw, in a URL, in a form, in JSON and in HTML.
  private static func forms(of value: String) -> [String] {
    let encoded = value.percentEncoded(.everythingReserved)
    let json = escaped(value, asciiOnly: false)
    let ascii = escaped(value, asciiOnly: true)
    let html = value.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
    return [
      value, encoded, encoded.loweringEscapes, encoded.replacingOccurrences(of: "%20", with: "+"),
      value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? encoded,
      value.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? encoded,
      value.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? encoded, json,
      json.replacingOccurrences(of: "/", with: "\\/"), ascii, ascii.replacingOccurrences(of: "/", with: "\\/"), html,
      html.replacingOccurrences(of: "'", with: "&#39;"), html.replacingOccurrences(of: "'", with: "&#x27;"),
    ]
  }

  private static func escaped(_ value: String, asciiOnly: Bool) -> String {
    value.unicodeScalars.reduce(into: "") { output, scalar in
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case _ where scalar.value < 0x20 || (asciiOnly && scalar.value >= 0x80):
        for unit in String(scalar).utf16 {
          let hex = String(unit, radix: 16)
          output += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        }
      default: output.unicodeScalars.append(scalar)
      }
    }
  }

  /// Replaces each of the values, and at the very end also the beginning of one: text may have been cut within it.
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

  /// The first bytes of a form, of which each has at least `shortest`.
  private static func beginning(at index: Int, in bytes: [UInt8]) -> UInt32 {
    let (first, second) = (UInt32(bytes[index]) << 8 | UInt32(bytes[index + 1]), UInt32(bytes[index + 2]))
    return first << 16 | second << 8 | UInt32(bytes[index + 3])
  }
}

extension SecretValues: Hashable {
  static func == (left: SecretValues, right: SecretValues) -> Bool { left.values == right.values }

  func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension String {
  /// `%2F` as `%2f`.
  fileprivate var loweringEscapes: String {
    var bytes = Array(utf8)
    for index in bytes.indices where bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count {
      bytes[index + 1] = bytes[index + 1].asciiLowercased
      bytes[index + 2] = bytes[index + 2].asciiLowercased
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Finds what a request holds that must not be read: a server may repeat a password in prose, where no name tells it
/// from other words.
struct RequestSecrets {
  let redaction: Redaction

  /// Cookies below this are no secrets, but words such as `true`.
  private static let shortestCookie = 8

  /// The values of secret header fields, query items, the URL's user info, and named members of the body.
  func values(in request: TransportRequest) -> [String] {
    let headers = request.headers.filter { redaction.hides(header: $0.name) }.flatMap { values(of: $0) }
    let url = try? URLReference(request.address)
    let items = (url?.queryItems ?? []).filter { redaction.hides(path: $0.name) }
    return headers + [url?.credential].compactMap { $0 } + items.compactMap(\.value)
      + BodySearch(request, redaction: redaction).values + request.secrets
  }

  /// A field's value, and the secrets that it is made of.
  private func values(of field: HTTPHeaders.Field) -> [String] {
    if field.name.equalsIgnoringASCIICase("Cookie") {
      let cookies = field.value.split(separator: ";").compactMap { cookie in
        cookie.firstIndex(of: "=").map { String(cookie[cookie.index(after: $0)...]) }
      }
      return [field.value] + cookies.filter { $0.utf8.count >= Self.shortestCookie }
    }
    guard let space = field.value.firstIndex(of: " ") else { return [field.value] }
    let credentials = String(field.value[field.value.index(after: space)...])
    guard String(field.value[..<space]).equalsIgnoringASCIICase("Basic"),
      let pair = Data(base64Encoded: credentials).flatMap({ String(data: $0, encoding: .utf8) })
    else { return [field.value, credentials] }
    let password = pair.firstIndex(of: ":").map { String(pair[pair.index(after: $0)...]) }
    return [field.value, credentials, pair] + [password].compactMap { $0 }
  }
}
