/// Decodes the elements of an array.
///
/// The numbers have 32 bits, so that the container fits into the three words of an existential and needs no allocation.
struct JSONElements: UnkeyedDecodingContainer {
  let document: JSONDocument
  private let array: UInt32
  /// The next element on the tape.
  private var next: UInt32
  private var position: UInt32 = 0
  private let length: UInt32

  init(document: JSONDocument, array: Int) {
    self.document = document
    self.array = UInt32(truncatingIfNeeded: array)
    next = UInt32(truncatingIfNeeded: array + JSONNode.arrayHead)
    length = UInt32(truncatingIfNeeded: document.node(array).length)
  }

  var codingPath: [any CodingKey] { document.path(document.step(to: Int(array))) }
  var count: Int? { Int(length) }
  var isAtEnd: Bool { position >= length }
  var currentIndex: Int { Int(position) }

  /// The step to the next element.
  @inline(__always)
  private func element(_ type: Any.Type) throws -> JSONStep {
    guard position < length else { throw atEnd(type) }
    return JSONStep(child: next, parent: array, number: position)
  }

  @inline(never)
  private func atEnd(_ type: Any.Type) -> DecodingError {
    let path = codingPath + [JSONKey(element: Int(position))]
    return .valueNotFound(type, .init(codingPath: path, debugDescription: "Unkeyed container is at end."))
  }

  @inline(__always)
  private mutating func advance() {
    next = UInt32(truncatingIfNeeded: document.index(after: Int(next)))
    position += 1
  }

  @inline(__always)
  private mutating func primitive<Value>(_ read: (JSONDocument, Int) -> Value?) throws -> Value {
    let step = try element(Value.self)
    guard let value = read(document, step.index) else { throw document.failure(Value.self, step) }
    advance()
    return value
  }

  mutating func decodeNil() throws -> Bool {
    guard document.kind(try element(Never.self).index) == .null else { return false }
    advance()
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try document.decode(type, element(type))
    advance()
    return value
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try decoder(KeyedDecodingContainer<Key>.self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try decoder((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try decoder((any Decoder).self) { $0 } }

  /// Makes something of the decoder of the next element.
  private mutating func decoder<Result>(_ type: Any.Type, _ make: (JSONTapeDecoder) throws -> Result) throws -> Result {
    let result = try make(JSONTapeDecoder(document: document, step: element(type)))
    advance()
    return result
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try primitive { $0.bool($1) } }
  mutating func decode(_ type: String.Type) throws -> String { try primitive { $0.string($1) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try primitive { $0.double($1) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try primitive { $0.float($1) } }

  /// The method for each integer.
  @inline(__always)
  mutating func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    try primitive { $0.integer($1) }
  }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try primitive { $0.integer($1) } }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try primitive { $0.integer($1) } }
}
