import Foundation

/// The `Decoder` that a model's `init(from:)` gets. It decodes one value of a document.
struct JSONTapeDecoder: Decoder, SingleValueDecodingContainer {
  let document: JSONDocument
  let step: JSONStep

  var index: Int { step.index }

  var codingPath: [any CodingKey] { document.path(step) }

  var userInfo: [CodingUserInfoKey: Any] { document.settings.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard document.isObject(index) else { throw document.failure([String: Any].self, step) }
    return try document.container(keyedBy: type, index)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard document.kind(index) == .array else { throw document.failure([Any].self, step) }
    return JSONElements(document: document, array: index)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { document.kind(index) == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try document.decode(type, step) }

  @inline(__always)
  func decode<Value: JSONPrimitive>(_ type: Value.Type) throws -> Value { try primitive() }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try primitive() }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try primitive() }

  @inline(__always)
  private func primitive<Value: JSONPrimitive>() throws -> Value {
    guard let value = Value.value(at: index, in: document) else { throw document.failure(Value.self, step) }
    return value
  }
}
