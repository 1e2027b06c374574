/// Reads the value of a `Link` field by the algorithm of RFC 8288, appendix B: what is malformed ends the link that it
/// stands in, and the next one is read from the next comma on.
struct LinkHeaderParser {
  private let bytes: [UInt8]
  private var position = 0

  init(_ value: String) {
    bytes = Array(value.utf8)
  }

  mutating func links() -> [Link] {
    var links: [Link] = []
    while position < bytes.count {
      skipSpace()
      if current == UInt8(ascii: "<"), let target = target() {
        links.append(Link(target: target, parameters: parameters()))
      }
      skipToNextLink()
    }
    return links
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x09 { position += 1 }
  }

  /// What stands between angle brackets; `nil` where the second is missing.
  private mutating func target() -> String? {
    guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else {
      position = bytes.count
      return nil
    }
    defer { position = end + 1 }
    return text(position + 1, end)
  }

  private mutating func parameters() -> [Link.Parameter] {
    var parameters: [Link.Parameter] = []
    while true {
      skipSpace()
      guard current == UInt8(ascii: ";") else { return parameters }
      position += 1
      skipSpace()
      let name = word(until: { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: "=") }).lowercased()
      skipSpace()
      var value: String?
      if current == UInt8(ascii: "=") {
        position += 1
        skipSpace()
        value = current == UInt8(ascii: "\"") ? quotedString() : word(until: { $0 == 0x20 || $0 == 0x09 })
      }
      if !name.isEmpty {
        parameters.append(Link.Parameter(name: name, value: value))
      }
    }
  }

  /// The bytes before `;`, `,` or what the predicate stops at.
  private mutating func word(until stops: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = current, byte != UInt8(ascii: ";"), byte != UInt8(ascii: ","), !stops(byte) { position += 1 }
    return text(start, position)
  }

  /// A quoted string (RFC 9110, section 5.6.4); one that isn't closed reaches to the end.
  private mutating func quotedString() -> String {
    var value: [UInt8] = []
    position += 1
    while let byte = current, byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
      value.append(bytes[position])
      position += 1
    }
    position = min(position + 1, bytes.count)
    return String(decoding: value, as: UTF8.self)
  }

  /// Goes behind the next comma that isn't quoted.
  private mutating func skipToNextLink() {
    while let byte = current {
      if byte == UInt8(ascii: "\"") {
        _ = quotedString()
        continue
      }
      position += 1
      if byte == UInt8(ascii: ",") { return }
    }
  }

  private func text(_ start: Int, _ end: Int) -> String {
    String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
