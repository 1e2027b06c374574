import Foundation

/// The kinds of bodies whose members have names, which a search for secrets understands.
enum BodyKind: Equatable {
  /// JSON, also several documents in a row: JSON lines, or JSON text sequences with record separators (RFC 7464).
  case json
  /// `application/x-www-form-urlencoded`
  case form
  /// Parts between boundaries (RFC 2046); `nil` if the media type names no boundary.
  case multipart(boundary: String?)
  case xml

  /// The kind of a media type; `nil` for a type whose members have no names the library knows, such as a picture.
  init?(_ type: MediaType) {
    switch type.type {
    case "image", "audio", "video", "font": return nil
    case "multipart": self = .multipart(boundary: type.parameters["boundary"])
    case _ where type.subtype.contains("json"): self = .json
    case _ where type.subtype.hasSuffix("www-form-urlencoded"): self = .form
    case _ where type.subtype == "xml" || type.subtype == "x-xml" || type.subtype.hasSuffix("+xml"): self = .xml
    default: return nil
    }
  }

  /// The kind that the first bytes look like; `nil` if they look like another kind.
  init?(sniffing bytes: [UInt8]) {
    let index = bytes.end(from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0, while: \.isSpace)
    guard index < bytes.count else { return nil }
    switch bytes[index] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
    case UInt8(ascii: "<"): self = .xml
    default:
      if let boundary = Self.boundary(openingLineOf: bytes, from: index) {
        self = .multipart(boundary: boundary)
      } else if Self.looksLikeForm(bytes) {
        self = .form
      } else {
        return nil
      }
    }
  }

  /// The boundary of a multipart body that begins with its first delimiter.
  static func boundary(openingLineOf bytes: [UInt8], from start: Int = 0) -> String? {
    guard bytes[start...].starts(with: "--".utf8) else { return nil }
    // A boundary has at most 70 bytes (RFC 2046, section 5.1.1), and white space may follow.
    let line = bytes[(start + 2)...].prefix(100).prefix { !$0.isLineEnd }
    let boundary = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    return (1...70).contains(boundary.utf8.count) ? boundary : nil
  }

  /// Whether the bytes begin with a name and an equals sign, and have no other control characters than white space.
  private static func looksLikeForm(_ bytes: [UInt8]) -> Bool {
    guard let equals = bytes.prefix(256).firstIndex(of: UInt8(ascii: "=")),
      bytes[..<equals].allSatisfy({ $0.isFieldNameByte || $0.isSpace || "[]+&;".utf8.contains($0) })
    else { return false }
    return bytes.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0.isSpace }
  }
}
