import Foundation

/// An id that a server sends as a number or a string. In the model it is a string.
///
/// ```swift
/// struct City: Codable {
///   @StringID var id: String
///   @StringID var parent: String?
/// }
/// ```
///
/// Whole numbers keep all their digits: every `Int64` and `UInt64`, and larger ones of up to 38 digits. `1` becomes
/// `1`, never `1.0`. For the type `String?` a missing key or a null is `nil`, and isn't encoded. An id is encoded as a
/// string.
///
/// Anything else fails with a `DecodingError`: a fraction, a boolean, an array, an object, a number with more digits.
@propertyWrapper
public struct StringID<Value: StringIDValue>: Hashable, Sendable {
  /// The id.
  public var wrappedValue: Value

  /// Creates an id.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }
}

/// The types that ``StringID`` can wrap: `String` and `String?`.
public protocol StringIDValue: Hashable, Sendable {
  /// Creates a value; `nil` if the type has no value for a missing id.
  init?(stringID: String?)

  /// The id, if there is one.
  var stringID: String? { get }
}

extension String: StringIDValue {
  /// The id itself.
  public init?(stringID: String?) {
    guard let stringID else { return nil }
    self = stringID
  }

  /// The id itself.
  public var stringID: String? { self }
}

extension String?: StringIDValue {
  /// The id itself.
  public init?(stringID: String?) {
    self = stringID
  }

  /// The id itself.
  public var stringID: String? { self }
}

extension StringID: Codable {
  /// Decodes a string or a whole number.
  ///
  /// - Throws: `DecodingError` for anything else.
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
    // A `Decimal` holds up to 38 digits exactly.
    if let digits = try? container.decode(Decimal.self).description {
      let unsigned = digits.utf8.drop { $0 == UInt8(ascii: "-") }
      if (1...38).contains(unsigned.count), unsigned.allSatisfy(\.isASCIIDigit) { return digits }
    }
    throw DecodingError.typeMismatch(
      String.self,
      DecodingError.Context(
        codingPath: container.codingPath, debugDescription: "An id is a string or a whole number of up to 38 digits."))
  }

  /// Encodes the id as a string.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue.stringID)
  }
}

extension KeyedDecodingContainer {
  /// Decodes an id that may be missing. A model's synthesized decoding calls this for `@StringID var id: String?`.
  ///
  /// - Throws: a `DecodingError` for a value that is neither a string nor a whole number.
  public func decode(_ type: StringID<String?>.Type, forKey key: Key) throws -> StringID<String?> {
    try decodeIfPresent(type, forKey: key) ?? StringID(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  /// Encodes an id that may be missing. A model's synthesized encoding calls this for `@StringID var id: String?`.
  ///
  /// - Throws: the error of the encoder.
  public mutating func encode(_ value: StringID<String?>, forKey key: Key) throws {
    guard let id = value.wrappedValue else { return }
    try encode(id, forKey: key)
  }
}
