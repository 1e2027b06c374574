import Foundation

/// The `Decoder` that a model's `init(from:)` gets. It decodes one value of a document.
struct JSONTapeDecoder: Decoder, SingleValueDecodingContainer {
  let document: JSONDocument
  let step: JSONStep

  var index: Int { step.index }

  var codingPath: [any CodingKey] { document.path(step) }

  var userInfo: [CodingUserInfoKey: Any] { document.settings.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let kind = document.kind(index)
    guard kind == .object || kind == .oddObject else {
      throw document.noContainer([String: Any].self, "keyed", step)
    }
    return try document.container(keyedBy: type, index)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard document.kind(index) == .array else { throw document.noContainer([Any].self, "unkeyed", step) }
    return JSONElements(document: document, array: index)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { document.kind(index) == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try document.decode(type, step) }

  func decode(_ type: Bool.Type) throws -> Bool { try value(document.bool(index)) }
  func decode(_ type: String.Type) throws -> String { try value(document.string(index)) }
  func decode(_ type: Double.Type) throws -> Double { try value(document.double(index)) }
  func decode(_ type: Float.Type) throws -> Float { try value(document.float(index)) }
  func decode(_ type: Int.Type) throws -> Int { try value(document.integer(index)) }
  func decode(_ type: Int8.Type) throws -> Int8 { try value(document.integer(index)) }
  func decode(_ type: Int16.Type) throws -> Int16 { try value(document.integer(index)) }
  func decode(_ type: Int32.Type) throws -> Int32 { try value(document.integer(index)) }
  func decode(_ type: Int64.Type) throws -> Int64 { try value(document.integer(index)) }
  func decode(_ type: UInt.Type) throws -> UInt { try value(document.integer(index)) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try value(document.integer(index)) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try value(document.integer(index)) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try value(document.integer(index)) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try value(document.integer(index)) }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: Int128.Type) throws -> Int128 { try value(document.integer(index)) }
  @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
  func decode(_ type: UInt128.Type) throws -> UInt128 { try value(document.integer(index)) }

  @inline(__always)
  private func value<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw document.failure(Value.self, step) }
    return value
  }
}
