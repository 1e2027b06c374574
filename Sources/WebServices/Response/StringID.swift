/// An id that comes as number or as string, and is a string in the model.
///
///     struct City: Codable {
///       @StringID var id: String
///       @StringID var parent: String?
///     }
///
/// Whole numbers keep all their digits: each that fits an `Int64` or `UInt64`, and larger ones of up to 38 digits; `1`
/// becomes `1`, never `1.0`. Where the type is `String?`, a missing key or a null stays `nil`, and isn't encoded. It is
/// encoded as a string.
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

/// What `StringID` can wrap: `String` and `String?`.
public protocol StringIDValue: Hashable, Sendable {
  /// Creates a value; `nil` where the type has none for a missing id.
  init?(stringID: String?)

  /// The id, where there is one.
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
