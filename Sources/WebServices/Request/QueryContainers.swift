/// Every primitive of a container has the same default, `encode(some Encodable)`, whose value then encodes itself into a
/// single value container: so each container has but one way in.
struct QueryKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: QueryTreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil(forKey key: Key) { _ = encoder.node.addMember(key.stringValue) }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    let node = encoder.node.addMember(key.stringValue)
    try encoder.nested(node, key).encode(value, into: node)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.nested(encoder.node.member(key.stringValue), key).container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.nested(encoder.node.member(key.stringValue), key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    encoder.nested(encoder.node.member("super"), QueryKey("super"))
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    encoder.nested(encoder.node.member(key.stringValue), key)
  }
}

struct QueryUnkeyedContainer: UnkeyedEncodingContainer {
  let encoder: QueryTreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.elements.count }

  mutating func encodeNil() { _ = encoder.node.addElement() }

  mutating func encode(_ value: some Encodable) throws {
    let place = nextPlace()
    try place.encode(value, into: place.node)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    nextPlace().container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nextPlace().unkeyedContainer() }

  mutating func superEncoder() -> any Encoder { nextPlace() }

  private func nextPlace() -> QueryTreeEncoder {
    let key = QueryKey(index: count)
    return encoder.nested(encoder.node.addElement(), key)
  }
}
