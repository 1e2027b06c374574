import Foundation

extension JSONDocument {
  /// The types that are decoded with code of their own in place of their `init(from:)`, in the order of `knownTypes`.
  ///
  /// Dates, data, URLs and decimals have a special form in JSON, as with Foundation. Collections such as `[Int]` are
  /// read without a container, which is faster. A `collection` is a `JSONCollection`, and the last known type is one.
  private enum KnownType: Int { case date, data, url, decimal, strings, integers, doubles, collection }

  private static let knownTypes: [ObjectIdentifier] = [
    Date.self, Data.self, URL.self, Decimal.self, [String].self, [Int].self, [Double].self, [String: String].self,
  ].map { ObjectIdentifier($0) }

  /// Decodes a value of any type.
  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type, _ step: JSONStep) throws -> Value {
    guard unknownType != ObjectIdentifier(type), let known = knownType(type, step.index) else {
      return try type.init(from: JSONTapeDecoder(document: self, step: step))
    }
    return try value(type, known, step)
  }

  /// Not inlined, so that each specialization of the caller doesn't repeat the comparisons.
  @inline(never)
  private func knownType(_ type: any Decodable.Type, _ index: Int) -> KnownType? {
    let identifier = ObjectIdentifier(type)
    if let index = Self.knownTypes.firstIndex(of: identifier) { return KnownType(rawValue: index) }
    let isLongArray = kind(index) == .array && node(index).length >= Self.longArray
    if isLongArray || !usesDefaultKeys, type is any JSONCollection.Type { return .collection }
    // The elements of an array have the same type, so one entry saves most comparisons.
    unknownType = identifier
    return nil
  }

  /// Decodes a value of a known type. No `Optional` of the type is formed, because the runtime looks up generic types
  /// in tables that all threads share.
  @inline(never)
  private func value<Value: Decodable>(_ type: Value.Type, _ known: KnownType, _ step: JSONStep) throws -> Value {
    let index = step.index
    // `knownType` has compared the types, so the cast changes nothing. `as` would look the type up.
    func cast<Known>(_ value: Known) -> Value { unsafeBitCast(value, to: type) }
    let isNull = kind(index) == .null
    switch known {
    case .date where isNull, .data where isNull, .url where isNull: throw failure(type, step)
    case .date: return cast(try date(step))
    case .data: return cast(try data(step))
    case .url: return cast(try url(step))
    case .decimal: return cast(try decimal(index) ?? { throw failure(type, step) }())
    case .strings: if let strings = array(index, { string($0) }) { return cast(strings) }
    case .integers:
      if let integers = array(index, { inlinedInt64($0).flatMap(Int.init(exactly:)) }) { return cast(integers) }
    case .doubles: if let doubles = array(index, { double($0) }) { return cast(doubles) }
    case .collection: return try collection(type, step)
    }
    // The collection's own initializer throws the error that names the wrong element.
    return try type.init(from: JSONTapeDecoder(document: self, step: step))
  }

  /// A function of its own, because the casts form an `Optional`.
  @inline(never)
  private func collection<Value: Decodable>(_ type: Value.Type, _ step: JSONStep) throws -> Value {
    // The cast of the value changes nothing, as in `value(_:_:_:)`.
    func read(_ collection: (some JSONCollection).Type) throws -> Value {
      unsafeBitCast(try collection.init(of: self, step), to: type)
    }
    guard let collection = type as? any JSONCollection.Type else {
      return try type.init(from: JSONTapeDecoder(document: self, step: step))
    }
    return try read(collection)
  }

  /// The string or name; `nil` if the value isn't a valid string.
  @inline(__always)
  func string(_ index: Int) -> String? {
    let node = node(index)
    let start = bytes + node.offset
    return switch node.kind {
    case .ascii, .name: String(decoding: UnsafeBufferPointer(start: start, count: node.nameLength), as: UTF8.self)
    case .unicode, .escaped, .oddName: JSONText.decoded(UnsafeBufferPointer(start: start, count: node.length))
    default: nil
    }
  }

  @inline(__always)
  func bool(_ index: Int) -> Bool? {
    let kind = kind(index)
    return kind == .true || kind == .false ? kind == .true : nil
  }

  // MARK: Collections

  /// `nil` unless the value is an array of such elements.
  @inline(__always)
  private func array<Element>(_ container: Int, _ read: (Int) -> Element?) -> [Element]? {
    guard kind(container) == .array else { return nil }
    var elements: [Element] = []
    elements.reserveCapacity(reservedCount(container))
    let end = end(of: container)
    var index = container + JSONNode.arrayHead
    while index < end {
      guard let element = read(index) else { return nil }
      elements.append(element)
      index = self.index(after: index)
    }
    return elements
  }

  /// The steps to the elements of an array, in their order.
  struct ElementSteps: Sequence, IteratorProtocol {
    private let document: JSONDocument
    private let end: Int
    private var following: JSONStep

    init(of array: JSONStep, in document: JSONDocument) {
      self.document = document
      end = document.end(of: array.index)
      following = JSONStep(child: array.child + UInt32(JSONNode.arrayHead), parent: array.child, number: 0)
    }

    mutating func next() -> JSONStep? {
      guard following.index < end else { return nil }
      defer {
        following.child = UInt32(truncatingIfNeeded: document.index(after: following.index))
        following.number += 1
      }
      return following
    }
  }

  /// From this many elements on, an array is read as a `JSONCollection`: finding out that a type is an array takes as
  /// long as the standard library needs to let an array grow a few times.
  private static let longArray = 4

  /// The elements to make room for. An element takes two bytes of a document, and any number of bytes in memory, so a
  /// collection of very many has to show that they are what the model expects.
  func reservedCount(_ container: Int) -> Int { min(node(container).length, 4096) }

  // MARK: Any value

  /// Makes any value directly from the tape, without the containers of a decoder.
  ///
  /// - Parameter depth: how many containers are around it.
  func value(_ step: JSONStep, depth: Int) throws -> JSONValue {
    let index = step.index
    let node = node(index)
    if node.isContainer, depth >= JSONValue.maximumDepth { throw corrupted(step, "The value is nested too deep.") }
    switch node.kind {
    case .null, .end: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .ascii, .unicode, .escaped, .name, .oddName:
      guard let string = string(index) else { throw corrupted(step, "The string isn't valid Unicode.") }
      return .string(string)
    case .integer, .number:
      if let integer: Int64 = integer(index) { return .integer(integer) }
      guard let number = double(index) else { throw corrupted(step, "The number doesn't fit a Double.") }
      return JSONValue(number)
    case .array:
      var elements: [JSONValue] = []
      elements.reserveCapacity(reservedCount(index))
      for element in ElementSteps(of: step, in: self) { elements.append(try value(element, depth: depth + 1)) }
      return .array(elements)
    case .object, .oddObject:
      var members: [String: JSONValue] = [:]
      members.reserveCapacity(reservedCount(index))
      try forEachMember(of: index) { name, member in
        let step = JSONStep(child: UInt32(member), parent: step.child, number: JSONStep.noKey)
        // The first of several members with the same name counts.
        if members[name] == nil { members[name] = try value(step, depth: depth + 1) }
      }
      return .object(members)
    }
  }

  // MARK: Foundation's types

  /// The text of a value that has to be a string.
  private func text(_ step: JSONStep) throws -> String {
    guard let text = string(step.index) else { throw failure(String.self, step) }
    return text
  }

  private func date(_ step: JSONStep) throws -> Date {
    switch settings.dates {
    case .secondsSince1970, .millisecondsSince1970:
      guard let time = double(step.index) else { throw failure(Double.self, step) }
      if case .millisecondsSince1970 = settings.dates { return Date(timeIntervalSince1970: time / 1000) }
      return Date(timeIntervalSince1970: time)
    case .iso8601:
      let text = try text(step)
      guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
        throw corrupted(step, "Expected date string to be ISO8601-formatted.")
      }
      return date
    case .custom(let decode): return try decode(JSONTapeDecoder(document: self, step: step))
    default: return try Date(from: JSONTapeDecoder(document: self, step: step))
    }
  }

  private func data(_ step: JSONStep) throws -> Data {
    switch settings.data {
    case .base64:
      guard let data = Data(base64Encoded: try text(step)) else {
        throw corrupted(step, "Encountered Data is not valid Base64.")
      }
      return data
    case .custom(let decode): return try decode(JSONTapeDecoder(document: self, step: step))
    default: return try Data(from: JSONTapeDecoder(document: self, step: step))
    }
  }

  private func url(_ step: JSONStep) throws -> URL {
    guard let url = URL(string: try text(step)) else { throw corrupted(step, "Invalid URL string.") }
    return url
  }
}

/// Matches every array and every `[String: Value]`.
private protocol JSONCollection {
  init(of document: JSONDocument, _ step: JSONStep) throws
}

/// The standard library's initializer asks for the elements one by one, and lets the array grow.
extension Array: JSONCollection where Element: Decodable {
  fileprivate init(of document: JSONDocument, _ step: JSONStep) throws {
    guard document.kind(step.index) == .array else { throw document.failure([Any].self, step) }
    var steps = JSONDocument.ElementSteps(of: step, in: document)
    let reserved = document.reservedCount(step.index)
    // This code is generic and unspecialized, where `append` costs a tenth of a list of lists.
    try self.init(unsafeUninitializedCapacity: reserved) { buffer, count in
      while count < reserved, let element = steps.next() {
        buffer.initializeElement(at: count, to: try document.decode(Element.self, element))
        count += 1
      }
    }
    while let element = steps.next() { append(try document.decode(Element.self, element)) }
  }
}

/// The keys of a dictionary are data, so they are decoded without the strategy that converts the keys of models.
extension Dictionary: JSONCollection where Key == String, Value: Decodable {
  fileprivate init(of document: JSONDocument, _ step: JSONStep) throws {
    guard document.isObject(step.index) else { throw document.failure([String: Any].self, step) }
    self.init(minimumCapacity: document.reservedCount(step.index))
    try document.forEachMember(of: step.index) { name, index in
      // Foundation keeps the first of several members with the same name. With a strategy for keys, it decodes the
      // others too, and fails for a wrong type.
      guard self[name] == nil || !document.usesDefaultKeys else { return }
      let member = try document.decode(Value.self, document.step(to: index, in: step.index, keyType: JSONStep.noKey))
      self[name] = self[name] ?? member
    }
  }
}
