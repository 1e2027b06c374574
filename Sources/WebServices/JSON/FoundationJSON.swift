import Foundation

/// The work that the library leaves to Foundation's `JSONDecoder`: whole documents in JSON5, documents of 256 MB or
/// more, the documents of subclasses, and rare numbers.
enum FoundationJSON {
  /// Decodes a document with the caller's decoder, after a check of what would trap there on Linux.
  static func decode<Value: Decodable>(
    _ type: Value.Type, _ bytes: UnsafeBufferPointer<UInt8>, with settings: JSONDecoder
  ) throws -> Value {
    let text = utf8(bytes) ?? Array(bytes)
    let isOpen = settings.assumesTopLevelDictionary
    guard isSafe(text, isJSON5: settings.allowsJSON5, depth: isOpen ? 1 : 0) else { throw DecodingError.invalidJSON }
    guard settings.allowsJSON5 || isOpen else { return try settings.decode(type, from: Data(bytes)) }
    guard String(bytes: text, encoding: .utf8) != nil else { throw DecodingError.invalidJSON }
    // Foundation reads beyond the end of a document that ends with a number.
    return try settings.decode(type, from: Data(text + [0x0A]))
  }

  /// A document in UTF-8, without a byte order mark; `nil` if it isn't text.
  static func utf8(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    if bytes.starts(with: [0xFE, 0xFF]) { return transcoded(bytes.dropFirst(2), .utf16BigEndian) }
    if bytes.starts(with: [0xFF, 0xFE]) { return transcoded(bytes.dropFirst(2), .utf16LittleEndian) }
    // The zeros of the first characters, which are ASCII (RFC 4627, section 3).
    func zero(_ index: Int) -> Bool { bytes[bytes.count < 4 ? index % 2 : index] == 0 }
    guard bytes.count == 2 || bytes.count >= 4 else { return Array(bytes) }
    switch (zero(0), zero(1), zero(2), zero(3)) {
    case (true, true, true, _) where bytes.count >= 4: return transcoded(bytes[...], .utf32BigEndian)
    case (_, true, true, true) where bytes.count >= 4: return transcoded(bytes[...], .utf32LittleEndian)
    case (true, _, true, _): return transcoded(bytes[...], .utf16BigEndian)
    case (_, true, _, true): return transcoded(bytes[...], .utf16LittleEndian)
    default: return Array(bytes)
    }
  }

  private static func transcoded(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ encoding: String.Encoding) -> [UInt8]? {
    String(bytes: bytes, encoding: encoding).map { Array($0.utf8) }
  }

  /// Whether no part of the document traps in Foundation's decoder on Linux. It traps if a document ends where it is
  /// nested too deep, and at some malformed numbers of JSON5.
  private static func isSafe(_ text: [UInt8], isJSON5: Bool, depth: Int) -> Bool {
    var depth = depth
    var index = 0
    func skip(while isSkipped: (UInt8) -> Bool) { while index < text.count, isSkipped(text[index]) { index += 1 } }
    while index < text.count {
      let (first, byte) = (index, text[index])
      index += 1
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        guard depth <= 512 else { return false }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "\""),
        UInt8(ascii: "'") where isJSON5:
        while index < text.count, text[index] != byte { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
        index += 1
      case UInt8(ascii: "/") where isJSON5:
        if text[index...].first == UInt8(ascii: "/") {
          skip { $0 != 0x0A && $0 != 0x0D }
        } else if text[index...].first == UInt8(ascii: "*") {
          index += 2
          while index < text.count, text[index - 1] != UInt8(ascii: "*") || text[index] != UInt8(ascii: "/") {
            index += 1
          }
          index += 1
        }
      case _ where isJSON5 && isWord(byte):
        let isNumber = "+-.0123456789".utf8.contains(byte)
        skip { isWord($0) }
        let word = text[first..<index]
        let isHalf = word.last == UInt8(ascii: "+") || word.last == UInt8(ascii: "-")
        guard !isNumber || !isHalf && word.filter({ $0 | 0x20 == UInt8(ascii: "x") }).count < 2 else { return false }
      default: break
      }
    }
    return true
  }

  /// Whether the byte belongs to a number, a literal or a name without quotes.
  private static func isWord(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte >= 0x80 || "+-._$".utf8.contains(byte)
  }

  /// An integer of a number with a fraction, an exponent or more digits than a `Double` has. Foundation's results for
  /// such numbers aren't documented.
  static func integer<Value: FixedWidthInteger>(_ text: String) -> Value? {
    guard let type = Value.self as? any Decodable.Type else { return nil }
    return (try? JSONDecoder().decode(type, from: Data(text.utf8))) as? Value
  }
}
