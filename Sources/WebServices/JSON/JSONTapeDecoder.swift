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

  func decode(_ type: Bool.Type) throws -> Bool { try primitive { $0.bool($1) } }
  func decode(_ type: String.Type) throws -> String { try primitive { $0.string($1) } }
  func decode(_ type: Double.Type) throws -> Double { try primitive { $0.double($1) } }
  func decode(_ type: Float.Type) throws -> Float { try primitive { $0.float($1) } }

  /// The method for each integer.
  @inline(__always)
  func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    try primitive { $0.integer($1) }
  }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try primitive { $0.integer($1) } }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try primitive { $0.integer($1) } }

  @inline(__always)
  private func primitive<Value>(_ read: (JSONDocument, Int) -> Value?) throws -> Value {
    guard let value = read(document, index) else { throw document.failure(Value.self, step) }
    return value
  }
}
