import Foundation

/// A JSON object or array that is written in the code, with values of any types. An object keeps the order of its
/// members.
///
/// You rarely name the type: write a dictionary or an array literal where a ``RequestBody`` is expected. Name it for a
/// literal of several types inside another literal. Without the name, the compiler infers `[String: Any]` and refuses
/// it:
///
/// ```swift
/// let body: RequestBody = ["name": name, "age": 36, "address": ["city": "Bath", "floor": nil] as JSONLiteral]
/// ```
public struct JSONLiteral: Sendable, DescriptionOnly, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  /// A value; `nil` is `null`.
  public typealias Value = (any Encodable & Sendable)?

  /// The values with their names; an array's have none.
  private let members: [(name: String?, value: Value)]
  private let isObject: Bool

  /// The bytes of the literal. The encoder writes the values.
  func data(with encoder: JSONEncoder) throws -> Data {
    // The encoder alone knows how it indents and sorts. Its error names the member that can't be encoded.
    guard encoder.outputFormatting.isDisjoint(with: [.prettyPrinted, .sortedKeys]),
      let data = try? orderedData(with: encoder)
    else { return try encoder.encode(self) }
    return data
  }

  /// The bytes with the members in their order, which an encoder wouldn't keep.
  private func orderedData(with encoder: JSONEncoder) throws -> Data {
    var data = Data((isObject ? "{" : "[").utf8)
    for (index, member) in members.enumerated() {
      if index > 0 { data.append(UInt8(ascii: ",")) }
      if let name = member.name { data += try encoder.encode(name) + ":".utf8 }
      switch member.value {
      case nil: data += "null".utf8
      case let literal as JSONLiteral: data += try literal.orderedData(with: encoder)
      case let value?: data += try encoder.encode(value)
      }
    }
    return data + (isObject ? "}" : "]").utf8
  }

  /// The number of the values, and none of them.
  public var description: String { "JSONLiteral(\(members.count) values)" }

  /// Creates an object. If a name occurs twice, the last value counts.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(object: elements) }

  init(object members: [(String, Value)]) {
    var names: Set<String> = []
    self.members = members.reversed().filter { names.insert($0.0).inserted }.reversed()
    isObject = true
  }

  /// Creates an array.
  public init(arrayLiteral elements: Value...) { self.init(array: elements) }

  init(array elements: [Value]) {
    members = elements.map { (nil, $0) }
    isObject = false
  }
}

extension JSONLiteral: Encodable {
  /// Encodes the literal. Most encoders don't keep the order of an object's members.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let values = members.map { (name: $0.name ?? "", value: Member(value: $0.value)) }
    guard isObject else { return try container.encode(values.map(\.value)) }
    // A dictionary, because an encoder converts the names of a keyed container, and not those that the code has
    // written.
    try container.encode(Dictionary(values) { $1 })
  }

  private struct Member: Encodable {
    let value: Value

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try value.map { try container.encode($0) } ?? container.encodeNil()
    }
  }
}
