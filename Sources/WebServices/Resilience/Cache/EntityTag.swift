/// A validator of an answer's content (RFC 9110, section 8.8.3).
struct EntityTag: Hashable, Sendable {
  let isWeak: Bool
  /// With its quotes.
  let opaque: String

  /// Reads the value of an `ETag` field; `nil` where it isn't one.
  init?(_ text: String) {
    isWeak = text.hasPrefix("W/")
    opaque = isWeak ? String(text.dropFirst(2)) : text
    let bytes = opaque.utf8
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\""),
      bytes.dropFirst().dropLast().allSatisfy({ $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F })
    else { return nil }
  }

  /// Whether an answer "not modified" with this tag speaks of the answer that was stored with the other one: a strong tag
  /// only of the same strong one (RFC 9111, section 4.3.4).
  func confirms(_ stored: EntityTag) -> Bool {
    opaque == stored.opaque && (isWeak || !stored.isWeak)
  }
}
