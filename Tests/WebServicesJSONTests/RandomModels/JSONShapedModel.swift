package import Foundation

/// Decodes the values of a shape with every method of the containers, and describes the results.
package struct JSONShapedModel: Decodable, CustomStringConvertible {
  /// The shapes of the values that are being decoded.
  final class Way: @unchecked Sendable {
    // Only the decoding thread uses this object.
    var shapes: [JSONShape]

    init(_ shape: JSONShape) { shapes = [shape] }
  }

  static let key = CodingUserInfoKey(rawValue: "shapes")

  package let description: String

  /// Sets the shape for the next decoding.
  package static func set(_ shape: JSONShape, for decoder: JSONDecoder) {
    if let key { decoder.userInfo[key] = Way(shape) }
  }

  private struct Missing: Error {}

  package init(from decoder: any Decoder) throws {
    guard let key = Self.key, let way = decoder.userInfo[key] as? Way, let shape = way.shapes.last else {
      throw Missing()
    }
    let path = JSONOutcome.words(decoder.codingPath).joined(separator: "/")
    description = "<\(path): \(try Self.decode(shape, decoder, way))>"
  }

  private static func decode(_ shape: JSONShape, _ decoder: any Decoder, _ way: Way) throws -> String {
    switch shape {
    case .scalar(let index): return try one(JSONScalar.all[index].type, decoder.singleValueContainer())
    case .wrapped(let shape):
      return try with(shape, way) { "\(try decoder.singleValueContainer().decode(JSONShapedModel.self))" }
    case .object(let members):
      let container = try decoder.container(keyedBy: JSONShapedKey.self)
      return try members.map { "\($0.name)=\(try member($0, container, way))" }.joined(separator: ",")
    case .tuple(let shapes):
      var container = try decoder.unkeyedContainer()
      var parts = ["\(container.count ?? -1)"]
      for shape in shapes {
        if try container.decodeNil() { parts.append("nil") }
        parts.append(try with(shape, way) { try element(shape, &container) })
        parts.append("\(container.currentIndex)\(container.isAtEnd)")
      }
      return parts.joined(separator: ",")
    case .array(let shape):
      return try with(shape, way) { "\(try [JSONShapedModel](from: decoder))" }
    case .dictionary(let shape):
      return try with(shape, way) {
        JSONOutcome.text(try decoder.singleValueContainer().decode([String: JSONShapedModel].self))
      }
    case .numbered(let shape):
      return try with(shape, way) {
        JSONOutcome.text(try decoder.singleValueContainer().decode([Int: JSONShapedModel].self))
      }
    case .allKeys(let shape):
      let container = try decoder.container(keyedBy: JSONShapedKey.self)
      let keys = container.allKeys.sorted { $0.stringValue.utf8.lexicographicallyPrecedes($1.stringValue.utf8) }
      return try with(shape, way) {
        try keys.map { "\($0.stringValue)=\(try container.decode(JSONShapedModel.self, forKey: $0))" }
          .joined(separator: ",")
      }
    case .anything:
      let container = try decoder.singleValueContainer()
      if container.decodeNil() { return "null" }
      if let text = try? container.decode(String.self) { return text }
      if let number = try? container.decode(Double.self) { return "\(number)" }
      if let bool = try? container.decode(Bool.self) { return "\(bool)" }
      return try with(shape, way) {
        if let elements = try? container.decode([JSONShapedModel].self) { return "\(elements)" }
        return JSONOutcome.text(try container.decode([String: JSONShapedModel].self))
      }
    }
  }

  private static func with<Value>(_ shape: JSONShape, _ way: Way, _ decode: () throws -> Value) rethrows -> Value {
    way.shapes.append(shape)
    defer { way.shapes.removeLast() }
    return try decode()
  }

  private static func one(
    _ type: any Decodable.Type, _ container: any SingleValueDecodingContainer
  ) throws -> String {
    func open<Value: Decodable>(_ type: Value.Type) throws -> String { JSONOutcome.text(try container.decode(type)) }
    return try open(type)
  }

  private static func element(_ shape: JSONShape, _ container: inout any UnkeyedDecodingContainer) throws -> String {
    guard case .scalar(let index) = shape else { return "\(try container.decode(JSONShapedModel.self))" }
    func open<Value: Decodable>(_ type: Value.Type, _ container: inout any UnkeyedDecodingContainer) throws -> String {
      switch index % 3 {
      // Foundation increments its index beyond the end of the container.
      case 0 where !container.isAtEnd: return try container.decodeIfPresent(type).map(JSONOutcome.text) ?? "absent"
      case 1: return "\(try JSONShapedModel(from: container.superDecoder()))"
      default: return JSONOutcome.text(try container.decode(type))
      }
    }
    let type: any Decodable.Type = JSONScalar.all[index].type
    return try open(type, &container)
  }

  private static func member(
    _ member: JSONShape.Member, _ container: KeyedDecodingContainer<JSONShapedKey>, _ way: Way
  ) throws -> String {
    let key = JSONShapedKey(member.name)
    func open<Value: Decodable>(_ type: Value.Type) throws -> String {
      switch member.asking {
      case .always: return JSONOutcome.text(try container.decode(type, forKey: key))
      case .ifPresent: return try container.decodeIfPresent(type, forKey: key).map(JSONOutcome.text) ?? "absent"
      case .afterNil:
        return try container.decodeNil(forKey: key) ? "nil" : JSONOutcome.text(container.decode(type, forKey: key))
      case .afterContains:
        return container.contains(key) ? JSONOutcome.text(try container.decode(type, forKey: key)) : "without"
      case .superDecoder: return JSONOutcome.text(try type.init(from: container.superDecoder(forKey: key)))
      case .nested: return try nested(key, member, container, way)
      }
    }
    return try with(member.shape, way) {
      guard case .scalar(let index) = member.shape else { return try open(JSONShapedModel.self) }
      let type: any Decodable.Type = JSONScalar.all[index].type
      return try open(type)
    }
  }

  private static func nested(
    _ key: JSONShapedKey, _ member: JSONShape.Member, _ container: KeyedDecodingContainer<JSONShapedKey>, _ way: Way
  ) throws -> String {
    switch member.shape {
    case .object(let members):
      let nested = try container.nestedContainer(keyedBy: JSONShapedKey.self, forKey: key)
      let parts = try members.map { "\($0.name)=\(try self.member($0, nested, way))" }
      return "\(JSONOutcome.words(nested.codingPath)) \(parts)"
    case .tuple(let shapes):
      var nested = try container.nestedUnkeyedContainer(forKey: key)
      let parts = try shapes.map { shape in try with(shape, way) { try element(shape, &nested) } }
      return "\(JSONOutcome.words(nested.codingPath)) \(parts)"
    default: return "\(try JSONShapedModel(from: container.superDecoder()))"
    }
  }
}

/// A coding key with any name. The name of a number has an integer value too.
struct JSONShapedKey: CodingKey {
  let stringValue: String
  var intValue: Int? { Int(stringValue) }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(String(intValue)) }
}
