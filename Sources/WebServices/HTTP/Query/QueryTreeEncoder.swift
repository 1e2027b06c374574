import Foundation

/// Encodes a value into a `QueryNode`, and the value's parts into the nodes below. `QueryEncoder` makes the first
/// encoder, and each part has an encoder of its own.
struct QueryTreeEncoder: Encoder, SingleValueEncodingContainer {
  let node: QueryNode
  let options: QueryEncoder
  /// How many encoders are above this one. Without a limit a value that contains itself would recurse for ever.
  let depth: Int
  var codingPath: [any CodingKey] { node.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeContainer(isKeyed: true)
    return KeyedEncodingContainer(QueryKeyedContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeContainer(isKeyed: false)
    return QueryUnkeyedContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// The encoder of a part.
  func nested(_ node: QueryNode) -> QueryTreeEncoder {
    QueryTreeEncoder(node: node, options: options, depth: depth + 1)
  }

  func encodeNil() {}

  func encode(_ value: some Encodable) throws {
    // These types would encode themselves in another way, such as a `Date` as a number since 2001.
    if let text = try text(of: value) { return try node.setValue(text) }
    guard depth < QueryEncoder.depthLimit else {
      throw EncodingError.query("the value is nested more than \(QueryEncoder.depthLimit) deep", at: codingPath)
    }
    try value.encode(to: nested(node))
    if value is any EncodableDictionary { node.sortMembers() }
    if value is any EncodableSet { node.sortElements() }
  }

  /// The text of a value that a query can express directly; `nil` for any other value.
  private func text(of value: some Encodable) throws -> String? {
    switch value {
    case let text as String: text
    case let flag as Bool: options.booleans == .literal ? "\(flag)" : flag ? "1" : "0"
    case let number as Double: try written(number)
    case let number as Float: try written(number)
    case let number as any FixedWidthInteger: "\(number)"
    case let date as Date: try written(date)
    case let data as Data: data.base64EncodedString()
    case let url as URL: url.absoluteString
    case let decimal as Decimal: try finite(decimal.isFinite, "number", decimal.description)
    default: nil
    }
  }

  private func written(_ number: some BinaryFloatingPoint & CustomStringConvertible) throws -> String {
    // Below 2^53 every whole number is exact. Above, the digits of an integer would pretend a precision that is lost.
    let isExact = number.rounded() == number && abs(Double(number)) < 9_007_199_254_740_992
    return try finite(number.isFinite, "number", isExact ? "\(Int64(number))" : number.description)
  }

  private func written(_ date: Date) throws -> String {
    let seconds = date.timeIntervalSince1970
    if case .custom(let text) = options.dates { return try text(date) }
    _ = try finite(seconds.isFinite, "date", "")
    switch options.dates {
    case .millisecondsSince1970: return try written((seconds * 1000).rounded())
    case .secondsSince1970, .custom: return try written(seconds)
    case .iso8601:
      guard CivilTime.writableSeconds.contains(seconds.rounded(.down)) else {
        throw EncodingError.query("a date is outside of the years 0...9999", at: codingPath)
      }
      return CivilTime(secondsSince1970: Int64(seconds.rounded(.down))).iso8601
    }
  }

  private func finite(_ isFinite: Bool, _ kind: String, _ text: String) throws -> String {
    if !isFinite { throw EncodingError.query("a \(kind) isn't finite", at: codingPath) }
    return text
  }
}

/// Marks dictionaries with keys and values of any type. `encode` sorts their members, which have a random order. A
/// dictionary that encodes keys and values in turn, as an array, stays unsorted.
private protocol EncodableDictionary {}
extension Dictionary: EncodableDictionary {}

/// Marks sets with elements of any type. `encode` sorts their elements, which have a random order.
private protocol EncodableSet {}
extension Set: EncodableSet {}

/// Encodes the members of a value. The generic `encode` also serves as the methods for each primitive type, because
/// `QueryTreeEncoder` recognizes these types.
private struct QueryKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: QueryTreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  private func member(_ key: any CodingKey, isNew: Bool = false) -> QueryTreeEncoder {
    encoder.nested(encoder.node.member(key, isNew: isNew))
  }

  func encodeNil(forKey key: Key) { _ = member(key, isNew: true) }

  func encode(_ value: some Encodable, forKey key: Key) throws { try member(key, isNew: true).encode(value) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    member(key).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { member(key).unkeyedContainer() }

  func superEncoder() -> any Encoder { member(QueryKey("super")) }

  func superEncoder(forKey key: Key) -> any Encoder { member(key) }
}

/// Encodes the elements of a value.
private struct QueryUnkeyedContainer: UnkeyedEncodingContainer {
  let encoder: QueryTreeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.node.children.count }

  private func element() -> QueryTreeEncoder { encoder.nested(encoder.node.addElement()) }

  func encodeNil() { _ = element() }

  func encode(_ value: some Encodable) throws { try element().encode(value) }

  func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    element().container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }

  func superEncoder() -> any Encoder { element() }
}
