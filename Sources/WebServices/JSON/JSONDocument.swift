/// The document that is being decoded: its bytes, its tape (see `JSONNode`) and the decoder's settings. The decoders
/// and containers that a model gets share the document. Call `decode(_:_:)` for a value on the tape.
///
/// No lock guards the variables: a decoder and its containers belong to one thread at a time, as Foundation's do. So
/// the variables need no checks for exclusive access, which would cost thousands of instructions for each document.
final class JSONDocument {
  /// The caller's bytes until `copyBytes()`, then a copy that the document owns.
  @exclusivity(unchecked) private(set) var bytes: UnsafePointer<UInt8>
  @exclusivity(unchecked) private(set) var ownsBytes = false
  /// The last type that isn't in `knownTypes`.
  @exclusivity(unchecked) var unknownType: ObjectIdentifier?
  /// The key types with which members were requested. Steps name a key type by its index.
  @exclusivity(unchecked) var keyTypes: [JSONKeyType] = []
  /// The keys of steps to members with long names, by the member and the number of the step.
  @exclusivity(unchecked) var longKeys: [UInt64: any CodingKey] = [:]
  let tape: UnsafeMutablePointer<UInt64>
  let byteCount: Int
  let settings: JSONSettings
  let usesDefaultKeys: Bool
  let convertsSnakeCase: Bool
  /// The coding path of the first value.
  let rootPath: [any CodingKey]

  /// Takes over the tape of a reader. The bytes must live until `copyBytes()` is called.
  init(_ reader: JSONReader, _ settings: JSONSettings, at rootPath: [any CodingKey] = []) {
    tape = reader.tape
    byteCount = reader.end - reader.start
    bytes = reader.start
    self.settings = settings
    usesDefaultKeys = settings.usesDefaultKeys
    convertsSnakeCase = settings.convertsSnakeCase
    self.rootPath = rootPath
    if convertsSnakeCase { hashKeys(count: reader.count) }
  }

  /// A document of `null`, for a value that isn't there.
  convenience init(missing path: [any CodingKey], _ settings: JSONSettings) {
    let null: StaticString = "null"
    var reader = JSONReader(null.utf8Start, count: null.utf8CodeUnitCount)
    _ = reader.read()
    self.init(reader, settings, at: path)
  }

  deinit {
    if ownsBytes { bytes.deallocate() }
    tape.deallocate()
  }

  /// Copies the caller's bytes, which are no longer valid after decoding. Called if a container or a decoder outlives
  /// it.
  func copyBytes() {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: byteCount)
    copy.update(from: bytes, count: byteCount)
    (bytes, ownsBytes) = (UnsafePointer(copy), true)
  }

  @inline(__always)
  func node(_ index: Int) -> JSONNode { JSONNode(bits: tape[index]) }

  @inline(__always)
  func kind(_ index: Int) -> JSONNode.Kind { node(index).kind }

  @inline(__always)
  func isObject(_ index: Int) -> Bool { node(index).isObject }

  /// The index of the value or name after this one.
  @inline(__always)
  func index(after index: Int) -> Int { node(index).isContainer ? end(of: index) : index + 1 }

  /// The index after a container.
  @inline(__always)
  func end(of container: Int) -> Int { Int(truncatingIfNeeded: tape[container + 1] & 0xFFFF_FFFF) }

  // MARK: Failures

  /// The error of a value that can't be decoded as this type, in Foundation's words.
  ///
  /// - Parameter key: the key with which the member was requested.
  @inline(never)
  func failure(_ type: Any.Type, _ step: JSONStep, _ key: (any CodingKey)? = nil) -> DecodingError {
    var path = path(step)
    // Foundation's path ends with the caller's own key, which may be more than a name.
    if let key { path[path.count - 1] = key }
    let node = node(step.index)
    // Foundation reports a null in the place of a `Bool` as a mismatch.
    if node.kind == .null, type != Bool.self {
      return .valueNotFound(
        type, .init(codingPath: path, debugDescription: "Cannot get value of type \(type) -- found null value instead"))
    }
    if node.isText, type == String.self { return .invalidJSON }
    if node.isNumber, type is any Numeric.Type {
      guard JSONNumber(bytes + node.offset, node.length) != nil else { return .invalidJSON }
      return .dataCorrupted(
        .init(codingPath: path, debugDescription: "Number \(text(node).prefix(64)) is not representable in \(type)."))
    }
    let found =
      switch node.kind {
      case .null, .end: "null"
      case .true, .false: "bool"
      case .integer, .number: "number"
      case .ascii, .unicode, .escaped, .name, .oddName: "a string"
      case .array: "an array"
      case .object, .oddObject: "a dictionary"
      }
    return .typeMismatch(
      type, .init(codingPath: path, debugDescription: "Expected to decode \(type) but found \(found) instead."))
  }

  func corrupted(_ step: JSONStep, _ words: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: path(step), debugDescription: words))
  }
}

extension DecodingError {
  static var invalidJSON: DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "The given data was not valid JSON."))
  }
}
