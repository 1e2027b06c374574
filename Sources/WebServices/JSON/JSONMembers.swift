/// Decodes the members of an object.
///
/// `decodeIfPresent` has its own methods, because the standard library's defaults search for a member three times.
struct JSONMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let place: JSONPlace

  @inline(__always)
  private var document: JSONDocument { place.document }

  var codingPath: [any CodingKey] { document.path(document.step(to: place.object)) }

  var allKeys: [Key] {
    let names = (try? place.names ?? document.names(of: place.object)) ?? [:]
    return names.sorted { $0.value < $1.value }.compactMap { Key(stringValue: $0.key) }
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { document.kind(try member(key)) == .null }

  /// The index of the member's value.
  @inline(__always)
  private func find(_ key: some CodingKey) -> Int? {
    if let names = place.names { return names[key.stringValue] }
    var name = key.stringValue
    return name.withUTF8 { document.find($0, in: place.object) ?? document.findOdd($0, in: place.object) }
  }

  @inline(__always)
  private func member(_ key: Key) throws -> Int {
    guard let index = find(key) else { throw missing(key) }
    return index
  }

  @inline(never)
  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key,
      .init(codingPath: codingPath, debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
  }

  @inline(__always)
  private func primitive<Value>(_ key: Key, _ read: (JSONDocument, Int) -> Value?) throws -> Value {
    try primitive(key, member(key), read)
  }

  /// `nil` for no member, and for `null`.
  @inline(__always)
  private func optional<Value>(_ key: Key, _ read: (JSONDocument, Int) -> Value?) throws -> Value? {
    guard let index = find(key), document.kind(index) != .null else { return nil }
    return try primitive(key, index, read)
  }

  @inline(__always)
  private func primitive<Value>(_ key: Key, _ index: Int, _ read: (JSONDocument, Int) -> Value?) throws -> Value {
    guard let value = read(document, index) else { throw document.failure(Value.self, step(to: index), key) }
    return value
  }

  private func step(to member: Int) -> JSONStep { document.step(to: member, in: place.object, keyType: place.keyType) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try document.decode(type, step(to: member(key)))
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let index = find(key), document.kind(index) != .null else { return nil }
    return try document.decode(type, step(to: index))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> { try decoder(at: member(key)).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(at: member(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { superDecoder(named: JSONKey(stringValue: "super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(named: key) }

  private func decoder(at index: Int) -> JSONTapeDecoder { JSONTapeDecoder(document: document, step: step(to: index)) }

  /// A member that isn't there is `null` to its decoder.
  private func superDecoder(named key: some CodingKey) -> any Decoder {
    if let index = find(key) { return decoder(at: index) }
    return JSONTapeDecoder(document: JSONDocument(missing: codingPath + [key], document.settings), step: .root)
  }

  @inline(__always)
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try primitive(key) { $0.bool($1) } }
  @inline(__always)
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try primitive(key) { $0.string($1) } }
  @inline(__always)
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try primitive(key) { $0.double($1) } }
  @inline(__always)
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try primitive(key) { $0.float($1) } }

  /// The method for each integer.
  @inline(__always)
  func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try primitive(key) { $0.integer($1) }
  }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try primitive(key) { $0.integer($1) } }

  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try primitive(key) { $0.integer($1) } }

  // The standard library's defaults would be taken in place of a generic method.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(key) { $0.bool($1) } }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(key) { $0.string($1) } }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(key) { $0.double($1) } }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(key) { $0.float($1) } }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(key) { $0.integer($1) } }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(key) { $0.integer($1) } }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(key) { $0.integer($1) } }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(key) { $0.integer($1) } }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(key) { $0.integer($1) } }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(key) { $0.integer($1) } }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(key) { $0.integer($1) } }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(key) { $0.integer($1) } }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(key) { $0.integer($1) } }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(key) { $0.integer($1) } }
}
