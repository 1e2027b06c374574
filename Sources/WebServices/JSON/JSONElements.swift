import Foundation

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
    let words =
      "\(type == (any Decoder).self ? "Cannot get superDecoder() -- unkeyed" : "Unkeyed") container is at end."
    return .valueNotFound(
      type, .init(codingPath: codingPath + [JSONKey(element: Int(position))], debugDescription: words))
  }

  @inline(__always)
  private mutating func advance() {
    next = UInt32(truncatingIfNeeded: document.index(after: Int(next)))
    position += 1
  }

  @inline(__always)
  private mutating func value<Value>(_ read: (JSONDocument, Int) -> Value?) throws -> Value {
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

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let step = try element(KeyedDecodingContainer<NestedKey>.self)
    let container = try JSONTapeDecoder(document: document, step: step).container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let step = try element((any UnkeyedDecodingContainer).self)
    let container = try JSONTapeDecoder(document: document, step: step).unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = JSONTapeDecoder(document: document, step: try element((any Decoder).self))
    advance()
    return decoder
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try value { $0.bool($1) } }
  mutating func decode(_ type: String.Type) throws -> String { try value { $0.string($1) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try value { $0.double($1) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try value { $0.float($1) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try value { $0.integer($1) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try value { $0.integer($1) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try value { $0.integer($1) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try value { $0.integer($1) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try value { $0.integer($1) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try value { $0.integer($1) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try value { $0.integer($1) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try value { $0.integer($1) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try value { $0.integer($1) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try value { $0.integer($1) } }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try value { $0.integer($1) } }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try value { $0.integer($1) } }
}
