import Foundation

/// The character encodings that the library reads.
enum Charset: Hashable, Sendable {
  enum ByteOrder: Hashable, Sendable {
    case little, big
  }

  case utf8
  case ascii
  case latin1
  case windows1252
  case utf16(ByteOrder)
  case utf32(ByteOrder)

  /// The encoding of a name, compared without case. UTF-16 and UTF-32 of no named order are little-endian, as the
  /// WHATWG encoding standard has it.
  init?(label: String) {
    switch label.lowercased() {
    case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
    case "us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us", "iso-ir-6": self = .ascii
    case "iso-8859-1", "iso8859-1", "iso88591", "iso_8859-1", "iso_8859-1:1987", "latin1", "l1", "cp819", "ibm819":
      self = .latin1
    case "windows-1252", "cp1252", "x-cp1252": self = .windows1252
    case "utf-16", "utf16", "utf-16le", "utf16le", "ucs-2", "iso-10646-ucs-2": self = .utf16(.little)
    case "utf-16be", "utf16be": self = .utf16(.big)
    case "utf-32", "utf32", "utf-32le", "utf32le": self = .utf32(.little)
    case "utf-32be", "utf32be": self = .utf32(.big)
    default: return nil
    }
  }

  /// The encoding that a byte order mark names, and the length of the mark.
  ///
  /// - Parameter named: the encoding that is declared. It decides about FF FE 00 00, which is
  ///   the mark of UTF-32 with the small byte first, or the mark of UTF-16 and a NUL.
  static func byteOrderMark(of data: Data, preferring named: Charset?) -> (charset: Charset, length: Int)? {
    if data.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if data.starts(with: [0x00, 0x00, 0xFE, 0xFF]) { return (.utf32(.big), 4) }
    if data.starts(with: [0xFF, 0xFE, 0x00, 0x00]), named != .utf16(.little), data.count.isMultiple(of: 4) {
      return (.utf32(.little), 4)
    }
    if data.starts(with: [0xFE, 0xFF]) { return (.utf16(.big), 2) }
    if data.starts(with: [0xFF, 0xFE]) { return (.utf16(.little), 2) }
    return nil
  }
}
