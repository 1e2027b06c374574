import Foundation

/// A JSON object or array that is written in the code, with values of any types. An object keeps the order of its
/// members.
///
/// You rarely name the type: write a dictionary or an array literal where a ``RequestBody`` is expected. Name it for a
/// literal inside another literal:
///
/// ```swift
/// let body: RequestBody = ["name": name, "age": 36, "address": ["city": "Bath", "floor": nil] as JSONLiteral]
/// ```
public struct JSONLiteral: Sendable {
  /// A value; `nil` is `null`.
  public typealias Value = (any Encodable & Sendable)?

  private enum Content: Sendable {
    case object([(name: String, value: Value)])
    case array([Value])
  }

  private let content: Content

  /// The bytes of the literal. The encoder writes the values.
  func data(with encoder: JSONEncoder) throws -> Data {
    // The encoder alone knows how it indents and sorts.
    guard encoder.outputFormatting.isDisjoint(with: [.prettyPrinted, .sortedKeys]) else {
      return try encoder.encode(self)
    }
    var data = Data()
    try write(to: &data, with: encoder)
    return data
  }

  private func write(to data: inout Data, with encoder: JSONEncoder) throws {
    switch content {
    case .object(let members):
      data.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { data.append(UInt8(ascii: ",")) }
        data.append(contentsOf: try encoder.encode(member.name))
        data.append(UInt8(ascii: ":"))
        try Self.write(member.value, to: &data, with: encoder)
      }
      data.append(UInt8(ascii: "}"))
    case .array(let elements):
      data.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { data.append(UInt8(ascii: ",")) }
        try Self.write(element, to: &data, with: encoder)
      }
      data.append(UInt8(ascii: "]"))
    }
  }

  private static func write(_ value: Value, to data: inout Data, with encoder: JSONEncoder) throws {
    switch value {
    case nil: data.append(contentsOf: "null".utf8)
    // Written here, because an encoder wouldn't keep the order of the members.
    case let literal as JSONLiteral: try literal.write(to: &data, with: encoder)
    case let value?: data.append(try encoder.encode(AnyEncodable(value: value)))
    }
  }
}

extension JSONLiteral: ExpressibleByDictionaryLiteral {
  /// Creates an object. If a name occurs twice, the last value counts.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(members: elements) }

  init(members: [(String, Value)]) {
    var names: Set<String> = []
    let last = members.reversed().filter { names.insert($0.0).inserted }.reversed()
    content = .object(last.map { ($0.0, $0.1) })
  }
}

extension JSONLiteral: ExpressibleByArrayLiteral {
  /// Creates an array.
  public init(arrayLiteral elements: Value...) { self.init(elements: elements) }

  init(elements: [Value]) {
    content = .array(elements)
  }
}

extension JSONLiteral: Encodable {
  /// Encodes the literal. Most encoders don't keep the order of an object's members.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch content {
    case .object(let members):
      let values = members.map { ($0.name, AnyEncodable(value: $0.value)) }
      try container.encode(Dictionary(values, uniquingKeysWith: { $1 }))
    case .array(let elements):
      try container.encode(elements.map(AnyEncodable.init))
    }
  }
}

/// Encodes a value of any type, or `null`.
private struct AnyEncodable: Encodable {
  let value: JSONLiteral.Value

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}
