import Foundation

extension StringID: Decodable {
  /// Decodes a string or a whole number.
  ///
  /// - Throws: `DecodingError` where it is something else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let id = container.decodeNil() ? nil : try Self.id(in: container)
    guard let value = Value(stringID: id) else {
      throw DecodingError.valueNotFound(
        String.self,
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: "An id is a string or a whole number, not null."))
    }
    self.init(wrappedValue: value)
  }

  private static func id(in container: any SingleValueDecodingContainer) throws -> String {
    if let string = try? container.decode(String.self) { return string }
    if let number = try? container.decode(Int64.self) { return String(number) }
    if let number = try? container.decode(UInt64.self) { return String(number) }
    if let number = try? container.decode(Decimal.self), let digits = wholeDigits(of: number) { return digits }
    throw DecodingError.typeMismatch(
      String.self,
      DecodingError.Context(
        codingPath: container.codingPath, debugDescription: "An id is a string or a whole number of up to 38 digits."))
  }

  /// The digits of a whole number that `Decimal` holds exactly.
  private static func wholeDigits(of number: Decimal) -> String? {
    let digits = number.description
    let unsigned = digits.hasPrefix("-") ? digits.dropFirst() : digits[...]
    guard (1...38).contains(unsigned.count), unsigned.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return digits
  }
}

extension StringID: Encodable {
  /// Encodes the id as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let id = wrappedValue.stringID {
      try container.encode(id)
    } else {
      try container.encodeNil()
    }
  }
}

extension KeyedDecodingContainer {
  /// Decodes an id that may be missing; what a model's synthesized decoding calls for `@StringID var id: String?`.
  public func decode(_ type: StringID<String?>.Type, forKey key: Key) throws -> StringID<String?> {
    try decodeIfPresent(type, forKey: key) ?? StringID(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  /// Encodes an id that may be missing; what a model's synthesized encoding calls for `@StringID var id: String?`.
  public mutating func encode(_ value: StringID<String?>, forKey key: Key) throws {
    guard let id = value.wrappedValue else { return }
    try encode(id, forKey: key)
  }
}
