package import Foundation

/// A text can't be read.
public enum TextDecodingError: DescribedByLibrary, Hashable, Sendable {
  /// The library doesn't read the charset that the server named.
  case unknownCharset(String)
  /// The bytes aren't text of the charset.
  case malformed(charset: String)

  /// The charset and the problem.
  public var description: String {
    switch self {
    case .unknownCharset(let name): "the charset \"\(name)\" of the text isn't known"
    case .malformed(let name): "the bytes aren't text of the charset \"\(name)\""
    }
  }
}

extension String {
  /// Decodes text in the charset of its `Content-Type`. A byte order mark counts more than the charset, and isn't part
  /// of the text. Without either it is UTF-8. Text that is malformed is an error, never repaired.
  package init(text data: Data, charset: String?) throws(TextDecodingError) {
    let label = charset?.trimmingWhitespace.lowercased() ?? ""
    let name = label.isEmpty ? "utf-8" : label
    let mark = Self.byteOrderMarks.first { data.starts(with: $0.bytes) }
    guard let encoding = mark?.encoding ?? Self.charsets[name] else { throw .unknownCharset(name) }
    let content = data.dropFirst(mark?.bytes.count ?? 0)
    // Foundation would drop the bytes of an incomplete last unit.
    guard content.count.isMultiple(of: Self.unitSizes[encoding] ?? 1),
      let text = String(data: content, encoding: encoding)
    else { throw .malformed(charset: name) }
    self = text
  }

  /// The mark of UTF-32 with the small byte first begins with that of UTF-16.
  private static let byteOrderMarks: [(bytes: [UInt8], encoding: String.Encoding)] = [
    ([0xEF, 0xBB, 0xBF], .utf8), ([0x00, 0x00, 0xFE, 0xFF], .utf32BigEndian),
    ([0xFF, 0xFE, 0x00, 0x00], .utf32LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
    ([0xFF, 0xFE], .utf16LittleEndian),
  ]

  private static let unitSizes: [String.Encoding: Int] = [
    .utf16LittleEndian: 2, .utf16BigEndian: 2, .utf32LittleEndian: 4, .utf32BigEndian: 4,
  ]

  /// UTF-16 and UTF-32 of no named order are little-endian, as the WHATWG encoding standard has it.
  private static let charsets: [String: String.Encoding] = [
    "utf-8": .utf8, "utf8": .utf8, "us-ascii": .ascii, "ascii": .ascii,
    "iso-8859-1": .isoLatin1, "iso_8859-1": .isoLatin1, "latin1": .isoLatin1, "iso-8859-2": .isoLatin2,
    "latin2": .isoLatin2, "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
    "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252, "windows-1253": .windowsCP1253,
    "windows-1254": .windowsCP1254, "shift_jis": .shiftJIS,
    "utf-16": .utf16LittleEndian, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
    "utf-32": .utf32LittleEndian, "utf-32le": .utf32LittleEndian, "utf-32be": .utf32BigEndian,
  ]
}
