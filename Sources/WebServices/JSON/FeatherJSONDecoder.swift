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
  /// The strategies. A subclass of `JSONDecoder` decodes every document that is JSON itself. `allowsJSON5` has no
  /// effect.
  public var settings: JSONDecoder { didSet { known = JSONSettings(settings) } }

  /// A copy of the strategies, read once.
  private var known: JSONSettings

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
  ///   - data: a JSON document of less than 256 MB, in UTF-8, UTF-16 or UTF-32.
  /// - Throws: `DecodingError`, or the error of the value's own initializer.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try data.withUnsafeBytes { try decode(type, $0.bindMemory(to: UInt8.self)) }
  }

  /// Decodes a value from the bytes of a JSON document.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - bytes: a JSON document of less than 256 MB, in UTF-8, UTF-16 or UTF-32.
  /// - Throws: `DecodingError`, or the error of the value's own initializer.
  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try bytes.withUnsafeBufferPointer { try decode(type, $0) }
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ bytes: UnsafeBufferPointer<UInt8>) throws -> Value {
    // A JSON text begins with an ASCII character. In UTF-16 and UTF-32, one of the first two bytes of such a text is 0
    // or not ASCII.
    guard !known.assumesBraces, bytes.count >= 2, bytes[0] &- 1 < 0x7F, bytes[1] != 0 else {
      return try decodeOther(type, bytes)
    }
    return try decodeUTF8(type, bytes)
  }

  /// Decodes a document in another encoding, or without its outer braces.
  @inline(never)
  private func decodeOther<Value: Decodable>(_ type: Value.Type, _ bytes: UnsafeBufferPointer<UInt8>) throws -> Value {
    guard var text = JSONText.utf8(bytes) else { throw DecodingError.invalidJSON }
    if known.assumesBraces, text.first(where: { !$0.isJSONSpace }) != UInt8(ascii: "{") {
      text = [UInt8(ascii: "{")] + text + [UInt8(ascii: "}")]
    }
    return try text.withUnsafeBufferPointer { try decodeUTF8(type, $0) }
  }

  /// Decodes UTF-8 without a byte order mark.
  private func decodeUTF8<Value: Decodable>(_ type: Value.Type, _ text: UnsafeBufferPointer<UInt8>) throws -> Value {
    guard let first = text.baseAddress, text.count <= JSONNode.maximumLength else { throw DecodingError.invalidJSON }
    var reader = JSONReader(first, count: text.count)
    guard reader.read() == nil else {
      // No document takes the tape over.
      reader.tape.deallocate()
      throw DecodingError.invalidJSON
    }
    var document = JSONDocument(reader, known)
    defer {
      document.forgetContainers()
      // A model may have kept a container or a decoder, but the bytes are only valid during this call.
      if !isKnownUniquelyReferenced(&document) { document.copyBytes() }
    }
    // Foundation's decoder may trap on Linux if a document is nested too deep. The reader has refused such a document.
    if known.needsFoundation { return try settings.decode(type, from: Data(text)) }
    return try document.decode(type, JSONStep.root)
  }
}
