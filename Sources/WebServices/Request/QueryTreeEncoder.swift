import Foundation

/// What all encoders of one value share. It lives on the one thread that encodes.
final class QueryEncodingSession {
  let encoder: QueryEncoder
  /// The first thing that went wrong where the protocols leave no way to throw.
  private(set) var failure: EncodingError?

  init(encoder: QueryEncoder) {
    self.encoder = encoder
  }

  func fail(_ explanation: String, at path: [any CodingKey]) {
    if failure == nil { failure = .query(explanation, at: path) }
  }
}

/// A value that encodes its parts in an order of chance.
private protocol UnorderedEncodable {}
extension Dictionary: UnorderedEncodable {}
extension Set: UnorderedEncodable {}

/// Encodes one value, and its parts, into a node.
struct QueryTreeEncoder: Encoder {
  let node: QueryNode
  let session: QueryEncodingSession
  let codingPath: [any CodingKey]
  /// How many encoders are above this one; a value that holds itself would go on for ever.
  let depth: Int
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if !node.becomeKeyed() { failMixing() }
    return KeyedEncodingContainer(QueryKeyedContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if !node.becomeUnkeyed() { failMixing() }
    return QueryUnkeyedContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  /// The encoder of a part.
  func nested(_ node: QueryNode, _ key: any CodingKey) -> QueryTreeEncoder {
    QueryTreeEncoder(node: node, session: session, codingPath: codingPath + [key], depth: depth + 1)
  }

  /// Encodes a value into the node, with this encoder's place for it.
  func encode(_ value: some Encodable, into node: QueryNode) throws {
    if let text = try specialText(of: value) { return try set(text, on: node) }
    guard depth < QueryEncoder.depthLimit else {
      throw EncodingError.query("it is nested more than \(QueryEncoder.depthLimit) deep", at: codingPath)
    }
    try value.encode(to: QueryTreeEncoder(node: node, session: session, codingPath: codingPath, depth: depth + 1))
    guard value is any UnorderedEncodable else { return }
    node.sortMembers()
    if !(value is any UnorderedPairs) { node.sortElements() }
  }

  func set(_ text: String, on node: QueryNode) throws {
    if !node.setValue(text) { throw EncodingError.query("it encodes more than one value", at: codingPath) }
  }

  func number(_ value: some BinaryFloatingPoint & CustomStringConvertible) throws -> String {
    guard value.isFinite else { throw EncodingError.query("a number isn't finite", at: codingPath) }
    // Up to here every whole number is exact; above, digits would pretend to be.
    guard value.rounded() == value, abs(Double(value)) < 9_007_199_254_740_992 else { return value.description }
    return "\(Int64(value))"
  }

  /// What types that have a form of their own in a query are written as.
  private func specialText(of value: some Encodable) throws -> String? {
    switch value {
    case let date as Date: try written(date)
    case let data as Data: data.base64EncodedString()
    case let url as URL: url.absoluteString
    case let decimal as Decimal: try written(decimal)
    default: nil
    }
  }

  private func written(_ decimal: Decimal) throws -> String {
    guard decimal.isFinite else { throw EncodingError.query("a number isn't finite", at: codingPath) }
    return decimal.description
  }

  private func written(_ date: Date) throws -> String {
    if case .custom(let text) = session.encoder.dates { return try text(date) }
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite else { throw EncodingError.query("a date isn't finite", at: codingPath) }
    switch session.encoder.dates {
    case .millisecondsSince1970: return try number((seconds * 1000).rounded())
    case .iso8601:
      guard let text = CivilTime.iso8601(seconds: seconds) else {
        throw EncodingError.query("a date is outside of the years 0...9999", at: codingPath)
      }
      return text
    default: return try number(seconds)
    }
  }

  private func failMixing() {
    session.fail("it encodes itself in more than one way: with keys, as an array, as a single value", at: codingPath)
  }
}

/// A dictionary whose keys are no strings encodes keys and values in turn: sorted they would be torn apart.
private protocol UnorderedPairs {}
extension Dictionary: UnorderedPairs {}

extension QueryTreeEncoder: SingleValueEncodingContainer {
  mutating func encodeNil() {}
  mutating func encode(_ value: Bool) throws { try set(session.encoder.text(of: value), on: node) }
  mutating func encode(_ value: String) throws { try set(value, on: node) }
  mutating func encode(_ value: Double) throws { try set(number(value), on: node) }
  mutating func encode(_ value: Float) throws { try set(number(value), on: node) }
  mutating func encode(_ value: Int) throws { try set("\(value)", on: node) }
  mutating func encode(_ value: Int8) throws { try set("\(value)", on: node) }
  mutating func encode(_ value: Int16) throws { try set("\(value)", on: node) }
  mutating func encode(_ value: Int32) throws { try set("\(value)", on: node) }
  mutating func encode(_ value: Int64) throws { try set("\(value)", on: node) }
  mutating func encode(_ value: UInt) throws { try set("\(value)", on: node) }
  mutating func encode(_ value: UInt8) throws { try set("\(value)", on: node) }
  mutating func encode(_ value: UInt16) throws { try set("\(value)", on: node) }
  mutating func encode(_ value: UInt32) throws { try set("\(value)", on: node) }
  mutating func encode(_ value: UInt64) throws { try set("\(value)", on: node) }
  mutating func encode(_ value: some Encodable) throws { try encode(value, into: node) }
}

extension QueryEncoder {
  func text(of value: Bool) -> String {
    switch booleans {
    case .literal: value ? "true" : "false"
    case .numeric: value ? "1" : "0"
    }
  }
}

extension CivilTime {
  /// `2001-09-09T01:46:40Z`; `nil` outside of the years 0...9999.
  static func iso8601(seconds: TimeInterval) -> String? {
    let whole = seconds.rounded(.down)
    guard whole >= -62_167_219_200, whole <= 253_402_300_799 else { return nil }
    let civil = CivilTime(secondsSince1970: Int(whole))
    func digits(_ number: Int, _ count: Int) -> String {
      String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
    }
    let day = "\(digits(civil.year, 4))-\(digits(civil.month, 2))-\(digits(civil.day, 2))"
    return "\(day)T\(digits(civil.hour, 2)):\(digits(civil.minute, 2)):\(digits(civil.second, 2))Z"
  }
}
