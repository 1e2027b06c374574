public import Foundation

/// Decodes text in the charset of its `Content-Type`. Call `string(from:charset:)`.
///
/// A byte order mark counts more than the charset, and isn't part of the text. Without either it is UTF-8. Text that is
/// malformed is an error, never repaired.
package enum TextDecoding {
  /// - Throws: `TextDecodingError`.
  package static func string(from data: Data, charset: String?) throws(TextDecodingError) -> String {
    let label = charset.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    let named = label.isEmpty ? Charset.utf8 : Charset(label: label)
    if let (marked, length) = Charset.byteOrderMark(of: data, preferring: named) {
      return try decode(data.dropFirst(length), as: marked, name: label, offset: length)
    }
    guard let named else { throw TextDecodingError(charset: label, reason: .unknownCharset) }
    return try decode(data, as: named, name: label, offset: 0)
  }

  private static func decode(
    _ data: Data, as charset: Charset, name: String, offset: Int
  ) throws(TextDecodingError) -> String {
    do throws(Malformed) {
      return switch charset {
      // The slow decoder finds the offset of the error.
      case .utf8: if let text = String(data: data, encoding: .utf8) { text } else { try scalars(of: data, UTF8.self) }
      case .ascii: try singleBytes(data) { $0 < 0x80 ? Unicode.Scalar($0) : nil }
      case .latin1: try singleBytes(data) { Unicode.Scalar($0) }
      case .windows1252: try singleBytes(data, windows1252)
      case .utf16(let order): try units(UInt16.self, of: data, order, UTF16.self)
      case .utf32(let order): try units(UInt32.self, of: data, order, UTF32.self)
      }
    } catch {
      throw TextDecodingError(charset: name.isEmpty ? "utf-8" : name, reason: .malformed(offset: error.offset + offset))
    }
  }

  private struct Malformed: Error {
    /// The offset of the first byte that is wrong.
    let offset: Int
  }

  /// Decodes a charset in which each byte is a character.
  private static func singleBytes(
    _ data: Data, _ scalar: (UInt8) -> Unicode.Scalar?
  ) throws(Malformed) -> String {
    var text = String.UnicodeScalarView()
    text.reserveCapacity(data.count)
    for (offset, byte) in data.enumerated() {
      guard let scalar = scalar(byte) else { throw Malformed(offset: offset) }
      text.append(scalar)
    }
    return String(text)
  }

  /// The table of the WHATWG encoding standard: bytes without a character are control characters.
  private static func windows1252(_ byte: UInt8) -> Unicode.Scalar? {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(windows1252High[Int(byte - 0x80)])
  }

  private static let windows1252High: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]

  /// Decodes a charset whose units have several bytes.
  private static func units<Codec: UnicodeCodec>(
    _ unit: Codec.CodeUnit.Type, of data: Data, _ order: Charset.ByteOrder, _ codec: Codec.Type
  ) throws(Malformed) -> String {
    let size = MemoryLayout<Codec.CodeUnit>.size
    var units: [Codec.CodeUnit] = []
    units.reserveCapacity(data.count / size)
    var value: UInt32 = 0
    for (offset, byte) in data.enumerated() {
      let place = offset % size
      value |= UInt32(byte) << UInt32(8 * (order == .big ? size - 1 - place : place))
      guard place == size - 1 else { continue }
      units.append(Codec.CodeUnit(truncatingIfNeeded: value))
      value = 0
    }
    let text = try scalars(of: units, codec)
    guard data.count.isMultiple(of: size) else { throw Malformed(offset: data.count - data.count % size) }
    return text
  }

  private static func scalars<Units: Sequence, Codec: UnicodeCodec>(
    of units: Units, _ codec: Codec.Type
  ) throws(Malformed) -> String where Units.Element == Codec.CodeUnit {
    var decoder = Codec()
    var iterator = units.makeIterator()
    var text = String.UnicodeScalarView()
    var unitCount = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        text.append(scalar)
        unitCount += Codec.encode(scalar)?.count ?? 1
      case .emptyInput:
        return String(text)
      case .error:
        throw Malformed(offset: unitCount * MemoryLayout<Codec.CodeUnit>.size)
      }
    }
  }
}

/// A text can't be read: its charset isn't known, or its bytes aren't of that charset.
public struct TextDecodingError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// The charset isn't one of those that the library reads.
    case unknownCharset
    /// The bytes from this offset on aren't text of the charset.
    case malformed(offset: Int)
  }

  /// The charset that the server named, or `utf-8` if it named none.
  public let charset: String
  /// What is wrong.
  public let reason: Reason

  /// Creates an error. Each parameter sets the property of the same name.
  public init(charset: String, reason: Reason) {
    self.charset = charset
    self.reason = reason
  }
}

extension TextDecodingError: LocalizedError, CustomStringConvertible {
  /// The charset and the problem.
  public var description: String {
    let name = charset.prefix(64)
    return switch reason {
    case .unknownCharset: "the charset \"\(name)\" of the text isn't known"
    case .malformed(let offset): "the text isn't \(name): the bytes from offset \(offset) on are malformed"
    }
  }

  /// Equals ``description``.
  public var errorDescription: String? { description }
}
