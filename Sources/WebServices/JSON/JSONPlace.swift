import Foundation

/// The object that a keyed container, `JSONMembers`, decodes. `JSONDocument` reuses a container by putting another object
/// into its place.
///
/// The mutable state is behind a pointer, because Swift checks each access to a class's variables for exclusivity.
final class JSONPlace {
  struct State {
    /// The object's index on the tape.
    var object: Int
    /// The dictionary of the members; `nil` if their names are searched on the tape.
    var names: JSONNames?
  }

  let document: JSONDocument
  let state: UnsafeMutablePointer<State>
  /// The number of the members' key type, for `JSONStep`.
  let keyType: UInt32

  init(_ document: JSONDocument, _ object: Int, _ names: JSONNames?, keyType: UInt32) {
    self.document = document
    self.keyType = keyType
    state = .allocate(capacity: 1)
    state.initialize(to: State(object: object, names: names))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }
}

/// A keyed container that `JSONDocument` keeps. The next object with the same key type gets the container, unless user
/// code still holds it.
struct JSONUsedContainer {
  var keyType: ObjectIdentifier
  /// The only stored property of a `KeyedDecodingContainer`.
  var box: AnyObject
  /// The container's place, which the box retains.
  var place: Unmanaged<JSONPlace>
}

extension JSONDocument {
  /// The members of an object.
  ///
  /// The document reuses a container that nobody holds. A new container costs two look-ups of generic types, in tables
  /// of the runtime that all threads share.
  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type, _ object: Int) throws -> KeyedDecodingContainer<Key> {
    let names = try JSONNames(of: object, in: self)
    let identifier = ObjectIdentifier(type)
    for index in 0..<state.pointee.usedCount where used[index].keyType == identifier {
      guard Self.isUnused(&used[index].box) else { continue }
      used[index].place._withUnsafeGuaranteedRef { $0.state.pointee = JSONPlace.State(object: object, names: names) }
      return unsafeBitCast(used[index].box, to: KeyedDecodingContainer<Key>.self)
    }
    return newContainer(keyedBy: type, object, names)
  }

  @inline(never)
  private static func isUnused(_ box: inout AnyObject) -> Bool { isKnownUniquelyReferenced(&box) }

  /// Makes a container, and keeps it for reuse unless decoding has ended.
  @inline(never)
  private func newContainer<Key: CodingKey>(
    keyedBy type: Key.Type, _ object: Int, _ names: JSONNames?
  ) -> KeyedDecodingContainer<Key> {
    let place = JSONPlace(self, object, names, keyType: number(of: type))
    let container = KeyedDecodingContainer(JSONMembers<Key>(place: place))
    // A `KeyedDecodingContainer` is a structure of one reference. If that ever changes, each is used once.
    guard MemoryLayout<KeyedDecodingContainer<Key>>.size == MemoryLayout<AnyObject>.size,
      state.pointee.keepsContainers
    else { return container }
    let new = JSONUsedContainer(
      keyType: ObjectIdentifier(type), box: unsafeBitCast(container, to: AnyObject.self), place: .passUnretained(place))
    if state.pointee.usedCount < Self.usedCapacity {
      (used + state.pointee.usedCount).initialize(to: new)
      state.pointee.usedCount += 1
    } else {
      // Any entry may be replaced, because a container that is in use has its own owner.
      used[object % Self.usedCapacity] = new
    }
    return container
  }

  /// Releases the containers, which retain the document.
  func forgetContainers() {
    used.deinitialize(count: state.pointee.usedCount)
    state.pointee.usedCount = 0
    state.pointee.keepsContainers = false
  }
}
