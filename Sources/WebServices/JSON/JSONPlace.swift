/// The object that a keyed container, `JSONMembers`, decodes. `JSONDocument` reuses a container by putting another
/// object into its place. As in `JSONDocument`, one thread at a time uses the variables.
class JSONPlace {
  final let document: JSONDocument
  /// The object's index on the tape.
  @exclusivity(unchecked) final var object: Int
  /// The indexes of the members by name; `nil` if the names are searched on the tape.
  @exclusivity(unchecked) final var names: [String: Int]?
  /// The number of the members' key type, for `JSONStep`.
  final let keyType: UInt32

  init(_ document: JSONDocument, _ object: Int, _ names: [String: Int]?, keyType: UInt32) {
    self.document = document
    self.object = object
    self.names = names
    self.keyType = keyType
  }
}

/// The place of a container of this type. The object knows the type, so that reusing a container looks up no type.
private final class JSONContainerPlace<Container>: JSONPlace {
  /// The container that has this box. Not inlined, because the caller would have to look up the type.
  @inline(never)
  func container(in box: AnyObject) -> Container { unsafeBitCast(box, to: Container.self) }
}

/// A key type with which a model has requested members, and the container that the document made for it last. The next
/// object with the same key type gets the container, unless user code still holds it.
struct JSONKeyType {
  let type: any CodingKey.Type
  /// The only stored property of a `KeyedDecodingContainer`.
  var box: AnyObject?
  /// The container's place, which the box retains.
  var place: Unmanaged<JSONPlace>?
}

extension JSONDocument {
  /// The index of a key type in `keyTypes`.
  @inline(__always)
  private func index(of keyType: any CodingKey.Type) -> Int {
    let identifier = ObjectIdentifier(keyType)
    let count = keyTypes.count
    for index in 0..<count where ObjectIdentifier(keyTypes[index].type) == identifier { return index }
    // Enough for most documents, in one allocation.
    if count == 0 { keyTypes.reserveCapacity(8) }
    keyTypes.append(JSONKeyType(type: keyType))
    return count
  }

  /// The members of an object.
  ///
  /// The document reuses a container that nobody holds. A new container costs two look-ups of generic types, in tables
  /// of the runtime that all threads share.
  @inline(__always)
  func container<Key: CodingKey>(keyedBy type: Key.Type, _ object: Int) throws -> KeyedDecodingContainer<Key> {
    let names = needsNames(object) ? try names(of: object) : nil
    let index = index(of: type)
    if Self.isUnused(&keyTypes[index].box), let box = keyTypes[index].box, let place = keyTypes[index].place {
      return place._withUnsafeGuaranteedRef { place in
        (place.object, place.names) = (object, names)
        return unsafeDowncast(place, to: JSONContainerPlace<KeyedDecodingContainer<Key>>.self).container(in: box)
      }
    }
    return newContainer(keyedBy: type, object, names, index)
  }

  @inline(never)
  private static func isUnused(_ box: inout AnyObject?) -> Bool { isKnownUniquelyReferenced(&box) }

  /// Makes a container, and keeps it for reuse unless decoding has ended.
  @inline(never)
  private func newContainer<Key: CodingKey>(
    keyedBy type: Key.Type, _ object: Int, _ names: [String: Int]?, _ index: Int
  ) -> KeyedDecodingContainer<Key> {
    let number = JSONStep.keyFlag | UInt32(truncatingIfNeeded: index)
    let place = JSONContainerPlace<KeyedDecodingContainer<Key>>(self, object, names, keyType: number)
    let container = KeyedDecodingContainer(JSONMembers<Key>(place: place))
    // A `KeyedDecodingContainer` is a structure of one reference. If that ever changes, each is used once.
    // After decoding, when the document has its own bytes, a kept container would keep the document for ever.
    guard MemoryLayout<KeyedDecodingContainer<Key>>.size == MemoryLayout<AnyObject>.size, !ownsBytes else {
      return container
    }
    // A container that is in use has its own owner, so its entry may be replaced.
    keyTypes[index].box = unsafeBitCast(container, to: AnyObject.self)
    keyTypes[index].place = .passUnretained(place)
    return container
  }

  /// Releases the containers, which retain the document.
  func forgetContainers() { for index in keyTypes.indices { keyTypes[index].box = nil } }
}
