public import Foundation

/// Decodes JSON as `JSONDecoder` does, several times as fast.
///
/// ```swift
/// let jokes = try FeatherJSONDecoder().decode([Joke].self, from: data)
/// ```
///
/// A `JSONDecoder` holds the strategies for dates, data, keys and special numbers, and the `userInfo`. This decoder
/// reads the strategies once. After a change of the `JSONDecoder` object, set ``settings`` again.
///
/// The article <doc:DecodingJSON> has samples.
public struct FeatherJSONDecoder: Sendable {
  /// The strategies. This decoder also decodes JSON5, documents without outer braces, text in UTF-16 or UTF-32, and
  /// documents of 256 MB or more. A subclass of `JSONDecoder` decodes everything itself.
  public var settings: JSONDecoder {
    didSet { known = JSONSettings(settings) }
  }

  /// A copy of the strategies, read once; `nil` if Foundation's decoder must decode.
  private var known: JSONSettings?

  /// Creates a decoder with the strategies of another one.
  ///
  /// - Parameter settings: the decoder whose strategies are read, in this call. After a change of this object, set
  ///   ``settings`` again.
  public init(_ settings: JSONDecoder = JSONDecoder()) {
    self.settings = settings
    known = JSONSettings(settings)
  }

  /// Decodes a value from JSON data.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - data: a JSON document. Text in UTF-16 or UTF-32 is decoded by Foundation's decoder, which is slower.
  /// - Throws: `DecodingError`, or the error of the value's own initializer.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    guard let known else { return try settings.decode(type, from: data) }
    return try data.withUnsafeBytes { bytes in
      try Self.decode(type, bytes.bindMemory(to: UInt8.self), known)
    } ?? settings.decode(type, from: data)
  }

  /// Decodes a value from the bytes of a JSON document.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - bytes: a JSON document. Text in UTF-16 or UTF-32 is decoded by Foundation's decoder, which is slower.
  /// - Throws: `DecodingError`, or the error of the value's own initializer.
  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    guard let known else { return try settings.decode(type, from: Data(bytes)) }
    return try bytes.withUnsafeBufferPointer { try Self.decode(type, $0, known) }
      ?? settings.decode(type, from: Data(bytes))
  }

  /// `nil` if Foundation's decoder must decode.
  private static func decode<Value: Decodable>(
    _ type: Value.Type, _ bytes: UnsafeBufferPointer<UInt8>, _ settings: JSONSettings
  ) throws -> Value? {
    guard let start = bytes.baseAddress, bytes.count > 0 else { throw DecodingError.invalidJSON }
    // A JSON text begins with an ASCII character. UTF-16 and UTF-32 have a 0 or a byte order mark among its first two
    // bytes.
    let isUTF8 = start[0] != 0 && start[0] < 0xFE && (bytes.count < 2 || start[1] != 0)
    guard isUTF8, bytes.count <= JSONNode.maximumLength else { return nil }
    let hasMark = bytes.count >= 3 && start[0] == 0xEF && start[1] == 0xBB && start[2] == 0xBF
    let text = UnsafeBufferPointer(rebasing: bytes[(hasMark ? 3 : 0)...])
    guard let first = text.baseAddress else { throw DecodingError.invalidJSON }
    var reader = JSONReader(text, from: first)
    guard reader.read() == nil else {
      // No document takes the tape over.
      reader.tape.deallocate()
      throw DecodingError.invalidJSON
    }
    var document = JSONDocument(text, at: first, reader, settings)
    defer {
      document.forgetContainers()
      // A model may have kept a container or a decoder, but the bytes are only valid during this call.
      if !isKnownUniquelyReferenced(&document) { document.copyBytes() }
    }
    return try document.decode(type, at: 0, step: nil)
  }
}
