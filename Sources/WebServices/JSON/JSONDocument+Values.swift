import Foundation

/// The types that `JSONDocument` decodes with code of its own in place of their `init(from:)`.
///
/// Dates, data, URLs and decimals have a special form in JSON, as with Foundation. Collections such as `[Int]` are read
/// without a container, which is faster.
enum JSONKnownType {
  case date, data, url, decimal
  /// A dictionary with `String` keys. The type is only looked for if a strategy converts keys.
  case rawDictionary
  case strings, integers, doubles, bools
  case stringsByName, integersByName, doublesByName
}

extension JSONDocument {
  /// Decodes a value of any type.
  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type, _ step: JSONStep) throws -> Value {
    guard state.pointee.unknownType != ObjectIdentifier(type), let known = knownType(type) else {
      return try type.init(from: JSONTapeDecoder(document: self, step: step))
    }
    return try value(type, known, step)
  }

  /// Not inlined, so that each specialization of the caller doesn't repeat the comparisons.
  @inline(never)
  private func knownType(_ type: any Decodable.Type) -> JSONKnownType? {
    if type == Date.self { return .date }
    if type == Data.self { return .data }
    if type == URL.self { return .url }
    if type == Decimal.self { return .decimal }
    if type == [String].self { return .strings }
    if type == [Int].self { return .integers }
    if type == [Double].self { return .doubles }
    if type == [Bool].self { return .bools }
    if type == [String: String].self { return .stringsByName }
    if type == [String: Int].self { return .integersByName }
    if type == [String: Double].self { return .doublesByName }
    if !usesDefaultKeys, type is any JSONRawDictionary.Type { return .rawDictionary }
    // The elements of an array have the same type, so one entry saves most comparisons.
    state.pointee.unknownType = ObjectIdentifier(type)
    return nil
  }
}

extension JSONDocument {
  /// Decodes a value of a known type. No `Optional` of the type is formed, because the runtime looks up generic types
  /// in tables that all threads share.
  @inline(never)
  private func value<Value: Decodable>(_ type: Value.Type, _ known: JSONKnownType, _ step: JSONStep) throws -> Value {
    let index = step.index
    // `knownType` has compared the types, so the cast changes nothing. `as` would look the type up.
    func cast<Known>(_ value: Known) -> Value { unsafeBitCast(value, to: type) }
    switch known {
    case .date: return cast(try date(step))
    case .data: return cast(try data(step))
    case .url: return cast(try url(step))
    case .decimal:
      guard let decimal = decimal(index) else { throw failure(Decimal.self, step) }
      return cast(decimal)
    case .strings: if let strings = array(index, { string($0) }) { return cast(strings) }
    case .integers:
      if let integers = array(index, { inlinedInt64($0).flatMap(Int.init(exactly:)) }) { return cast(integers) }
    case .doubles: if let doubles = array(index, { double($0) }) { return cast(doubles) }
    case .bools: if let bools = array(index, { bool($0) }) { return cast(bools) }
    case .stringsByName: if let strings = dictionary(index, { string($0) }) { return cast(strings) }
    case .integersByName: if let integers = dictionary(index, { integer($0, as: Int.self) }) { return cast(integers) }
    case .doublesByName: if let doubles = dictionary(index, { double($0) }) { return cast(doubles) }
    case .rawDictionary: break
    }
    if !usesDefaultKeys, let type = type as? any JSONRawDictionary.Type,
      let value = try type.init(rawKeysOf: self, step) as? Value
    {
      return value
    }
    // The collection's own initializer throws the error that names the wrong element.
    return try type.init(from: JSONTapeDecoder(document: self, step: step))
  }

  @inline(__always)
  func bool(_ index: Int) -> Bool? {
    let kind = kind(index)
    guard kind == .true || kind == .false else { return nil }
    return kind == .true
  }

  // MARK: Collections

  /// `nil` unless the value is an array of such elements.
  @inline(__always)
  private func array<Element>(_ container: Int, _ read: (Int) -> Element?) -> [Element]? {
    guard kind(container) == .array else { return nil }
    var elements: [Element] = []
    elements.reserveCapacity(node(container).length)
    let end = end(of: container)
    var index = container + JSONNode.arrayHead
    while index < end {
      guard let element = read(index) else { return nil }
      elements.append(element)
      index = self.index(after: index)
    }
    return elements
  }

  /// `nil` unless the value is an object of such members with different names. For a repeated name the dictionary's own
  /// initializer decides.
  private func dictionary<Member>(_ container: Int, _ read: (Int) -> Member?) -> [String: Member]? {
    guard kind(container) == .object || kind(container) == .oddObject else { return nil }
    var members: [String: Member] = [:]
    members.reserveCapacity(node(container).length)
    let end = end(of: container)
    var index = container + JSONNode.objectHead
    while index < end {
      guard let name = string(index), let member = read(index + 1), members.updateValue(member, forKey: name) == nil
      else {
        return nil
      }
      index = self.index(after: index + 1)
    }
    return members
  }

  // MARK: Foundation's types

  private func date(_ step: JSONStep) throws -> Date {
    let index = step.index
    guard kind(index) != .null else { throw failure(Date.self, step) }
    switch settings.dates {
    case .secondsSince1970:
      return Date(timeIntervalSince1970: try double(index) ?? { throw failure(Double.self, step) }())
    case .millisecondsSince1970:
      return Date(timeIntervalSince1970: try (double(index) ?? { throw failure(Double.self, step) }()) / 1000)
    case .iso8601:
      guard let text = string(index) else { throw failure(String.self, step) }
      guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
        throw corrupted(step, "Expected date string to be ISO8601-formatted.")
      }
      return date
    case .custom(let decode): return try decode(JSONTapeDecoder(document: self, step: step))
    default: return try Date(from: JSONTapeDecoder(document: self, step: step))
    }
  }

  private func data(_ step: JSONStep) throws -> Data {
    let index = step.index
    guard kind(index) != .null else { throw failure(Data.self, step) }
    switch settings.data {
    case .base64:
      guard let text = string(index) else { throw failure(String.self, step) }
      guard let data = Data(base64Encoded: text) else {
        throw corrupted(step, "Encountered Data is not valid Base64.")
      }
      return data
    case .custom(let decode): return try decode(JSONTapeDecoder(document: self, step: step))
    default: return try Data(from: JSONTapeDecoder(document: self, step: step))
    }
  }

  private func url(_ step: JSONStep) throws -> URL {
    let index = step.index
    guard kind(index) != .null else { throw failure(URL.self, step) }
    guard let text = string(index) else { throw failure(String.self, step) }
    guard let url = URL(string: text) else { throw corrupted(step, "Invalid URL string.") }
    return url
  }
}

/// Matches every `[String: Value]`. The keys of a dictionary are data, so `init(rawKeysOf:_:)` decodes them without the
/// strategy that converts the keys of models.
private protocol JSONRawDictionary {
  init(rawKeysOf document: JSONDocument, _ step: JSONStep) throws
}

extension Dictionary: JSONRawDictionary where Key == String, Value: Decodable {
  fileprivate init(rawKeysOf document: JSONDocument, _ step: JSONStep) throws {
    let object = step.index
    guard document.kind(object) == .object || document.kind(object) == .oddObject else {
      throw document.failure([String: Any].self, step)
    }
    self.init(minimumCapacity: document.node(object).length)
    // With the marker as its key type, no strategy changes this key in a coding path.
    let keyType = document.number(of: JSONRawKey.self)
    let end = document.end(of: object)
    var index = object + JSONNode.objectHead
    while index < end {
      guard let name = document.string(index) else { throw document.invalid() }
      let member = try document.decode(Value.self, document.step(to: index + 1, in: object, keyType: keyType))
      // Foundation keeps the first of several members with the same name.
      if self[name] == nil { self[name] = member }
      index = document.index(after: index + 1)
    }
  }
}
