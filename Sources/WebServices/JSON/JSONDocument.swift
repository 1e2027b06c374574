import Foundation

/// The document that is being decoded: its bytes, its tape (see `JSONNode`) and the decoder's settings. The decoders and
/// containers that a model gets share the document. Call `decode(_:_:)` for a value on the tape.
///
/// The mutable state is behind a pointer, since Swift checks each access to a class's variables for exclusivity. No
/// lock guards it: a decoder and its containers belong to one thread at a time, as Foundation's do.
final class JSONDocument {
  struct State {
    /// The caller's bytes until `copyBytes()`, then a copy that the document owns.
    var bytes: UnsafePointer<UInt8>
    var ownsBytes = false
    /// The last type that isn't a `JSONKnownType`.
    var unknownType: ObjectIdentifier?
    /// How many entries of `used` are initialized.
    var usedCount = 0
    /// Whether containers are kept for reuse. They retain the document, so after decoding they would keep it for ever.
    var keepsContainers = true
    /// The key types with which members were requested. Steps name a key type by its index.
    var keyTypes: [any CodingKey.Type] = []
  }

  let state: UnsafeMutablePointer<State>
  let tape: UnsafeMutablePointer<UInt64>
  let byteCount: Int
  /// Keyed containers for reuse, until `forgetContainers()` is called.
  let used: UnsafeMutablePointer<JSONUsedContainer>
  static let usedCapacity = 4
  let settings: JSONSettings
  let usesDefaultKeys: Bool
  /// The coding path of the first value.
  let rootPath: [any CodingKey]

  /// Takes over the tape. The bytes must live until `copyBytes()` is called.
  init(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: UnsafePointer<UInt8>, _ reader: JSONReader, _ settings: JSONSettings
  ) {
    tape = reader.tape
    byteCount = bytes.count
    (state, used) = Self.allocate(State(bytes: start))
    self.settings = settings
    usesDefaultKeys = settings.usesDefaultKeys
    rootPath = []
  }

  /// A document of `null`, for a value that isn't there.
  init(missing path: [any CodingKey], _ settings: JSONSettings) {
    tape = .allocate(capacity: 1)
    tape.initialize(to: JSONNode(.null, at: 0, length: 0).bits)
    byteCount = 0
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    (state, used) = Self.allocate(State(bytes: UnsafePointer(bytes), ownsBytes: true))
    self.settings = settings
    usesDefaultKeys = settings.usesDefaultKeys
    rootPath = path
  }

  /// Allocates one piece of memory for both, which saves an allocation for each document.
  private static func allocate(
    _ state: State
  ) -> (UnsafeMutablePointer<State>, UnsafeMutablePointer<JSONUsedContainer>) {
    let offset = MemoryLayout<State>.stride
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: offset + usedCapacity * MemoryLayout<JSONUsedContainer>.stride,
      alignment: MemoryLayout<UInt64>.alignment)
    let first = memory.bindMemory(to: State.self, capacity: 1)
    first.initialize(to: state)
    return (first, (memory + offset).bindMemory(to: JSONUsedContainer.self, capacity: usedCapacity))
  }

  deinit {
    if state.pointee.ownsBytes { state.pointee.bytes.deallocate() }
    state.deinitialize(count: 1)
    state.deallocate()
    tape.deallocate()
  }

  /// Copies the caller's bytes, which are no longer valid after decoding. Called if a container or a decoder outlives
  /// it.
  func copyBytes() {
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: byteCount)
    copy.update(from: state.pointee.bytes, count: byteCount)
    state.pointee.bytes = UnsafePointer(copy)
    state.pointee.ownsBytes = true
  }

  @inline(__always)
  var bytes: UnsafePointer<UInt8> { state.pointee.bytes }

  @inline(__always)
  func node(_ index: Int) -> JSONNode { JSONNode(bits: tape[index]) }

  @inline(__always)
  func kind(_ index: Int) -> JSONNode.Kind { node(index).kind }

  /// The index of the value or name after this one.
  @inline(__always)
  func index(after index: Int) -> Int {
    let kind = kind(index)
    guard kind == .array || kind == .object || kind == .oddObject else { return index + 1 }
    return end(of: index)
  }

  /// The index after a container.
  @inline(__always)
  func end(of container: Int) -> Int { Int(truncatingIfNeeded: tape[container + 1] & 0xFFFF_FFFF) }

  // MARK: Members

  /// The value of an object's first member with this name.
  ///
  /// Members are usually requested in their order, so the search begins after the member that was found last. It begins
  /// at the first member if an earlier one may have the same name.
  func find(_ name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
    // An empty name may have no address. Any address serves for comparing no bytes.
    guard let start = name.baseAddress ?? Optional(bytes), name.count <= JSONNode.maximumNameLength else { return nil }
    let key = JSONNode.key(hash: jsonHash(start, name.count), length: name.count)
    let end = end(of: object)
    // A name before the start of the search may be the same, and the first of equal names counts.
    guard tape[object + 3] & JSONNode.mask(of: key) == 0 else {
      return find(start, key, from: object + JSONNode.objectHead, to: end)
    }
    var seen = tape[object + 3]
    let first = Int(truncatingIfNeeded: tape[object + 1] >> 32)
    var index = first
    while index < end {
      let found = node(index).key
      seen |= JSONNode.mask(of: found)
      guard found == key, jsonEqual(start, bytes + node(index).offset, name.count) else {
        index = self.index(after: index + 1)
        continue
      }
      tape[object + 3] = seen
      tape[object + 1] =
        UInt64(truncatingIfNeeded: self.index(after: index + 1)) << 32 | UInt64(truncatingIfNeeded: end)
      return index + 1
    }
    return nil
  }

  /// The value of the first member with this name, in a part of an object.
  func find(_ name: UnsafePointer<UInt8>, _ key: UInt32, from first: Int, to end: Int) -> Int? {
    var index = first
    while index < end {
      if node(index).key == key, jsonEqual(name, bytes + node(index).offset, node(index).nameLength) {
        return index + 1
      }
      index = self.index(after: index + 1)
    }
    return nil
  }
}
