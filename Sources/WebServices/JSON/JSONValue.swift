/// Any JSON value, for JSON without a model.
public enum JSONValue: Hashable, Sendable, Codable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number that fits 64 bits with a sign; `1.0` is one too.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A string.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object([String: JSONValue])

  /// The deepest nesting of arrays and objects that can be decoded, counted from the document's first value.
  package static let maximumDepth = 128

  /// The member of an object; `nil` for a member that isn't there and for anything else.
  public subscript(name: String) -> JSONValue? { object?[name] }

  /// The element of an array; `nil` after its end, and for anything else.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The string; `nil` for anything else.
  public var string: String? { if case .string(let string) = self { string } else { nil } }

  /// The boolean; `nil` for anything else.
  public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

  /// The whole number; `nil` for anything else.
  public var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }

  /// The number, whole or not; `nil` for anything else.
  public var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  /// The elements of an array; `nil` for anything else.
  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The members of an object; `nil` for anything else.
  public var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

  init(_ number: Double) {
    // From 2^53 on a `Double` may equal several whole numbers.
    let integer = number.magnitude < 0x1p53 ? Int64(exactly: number) : nil
    self = integer.map(JSONValue.integer) ?? .number(number)
  }

  /// Decodes any value. No strategy changes the names of members.
  ///
  /// - Throws: `DecodingError` if the value is nested deeper than `maximumDepth`, a number doesn't fit a `Double`, or a
  ///   string has half of a surrogate pair.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? JSONTapeDecoder {
      self = try decoder.document.value(decoder.step, depth: decoder.document.steps(to: decoder.step).count)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? container.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      self.init(number)
    } else if decoder.codingPath.count >= Self.maximumDepth {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "The value is nested too deep.")
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .array(try container.decode([JSONValue].self))
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Encodes the value.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .string(let string): try container.encode(string)
    case .array(let elements): try container.encode(elements)
    case .object(let members): try container.encode(members)
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a number, which is an integer if it is whole, as in decoding.
  public init(floatLiteral value: Double) { self.init(value) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object; of a name that repeats the first counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { first, _ in first }))
  }
}
