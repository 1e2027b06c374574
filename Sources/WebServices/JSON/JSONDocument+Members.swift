import Foundation

extension JSONDocument {
  /// From this many members on, a search costs more than a dictionary.
  private static let manyMembers = 64

  /// Calls `body` with each member's name and the index of the value, in the order of the document.
  @inline(__always)
  func forEachMember(of object: Int, _ body: (_ name: String, _ index: Int) throws -> Void) throws {
    let end = end(of: object)
    var index = object + JSONNode.objectHead
    while index < end {
      guard let name = string(index) else { throw DecodingError.invalidJSON }
      try body(name, index + 1)
      index = self.index(after: index + 1)
    }
  }

  /// Whether the members must be found in a dictionary, `names(of:)`.
  ///
  /// Searching the tape gives wrong results if an app's strategy changes the names or a name isn't plain ASCII.
  /// Searching is slow if the object has many members.
  @inline(__always)
  func needsNames(_ object: Int) -> Bool {
    let node = node(object)
    return node.kind == .oddObject || node.length > Self.manyMembers || !(usesDefaultKeys || convertsSnakeCase)
  }

  /// The indexes of the values of an object's members, by their names.
  ///
  /// - Throws: `DecodingError` for an invalid name.
  @inline(never)
  func names(of object: Int) throws -> [String: Int] {
    var names: [String: Int] = [:]
    names.reserveCapacity(node(object).length)
    var path: [any CodingKey] = []
    if case .custom = settings.keys { path = self.path(step(to: object)) }
    try forEachMember(of: object) { name, index in
      let key = usesDefaultKeys ? name : settings.key(for: name, at: path).stringValue
      // The first of several equal names counts, as in Foundation.
      names[key, default: index] = names[key] ?? index
    }
    return names
  }

  /// The value of an object's first member with this name.
  ///
  /// Members are usually requested in their order, so the search begins after the member that was found last. It begins
  /// at the first member if an earlier one may have the same name.
  func find(_ name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
    // An empty name may have no address. Any address serves for comparing no bytes.
    guard let start = name.baseAddress ?? Optional(bytes), name.count <= JSONNode.maximumNameLength else { return nil }
    if convertsSnakeCase { return findConverted(name, in: object) }
    let key = JSONNode.key(hash: jsonHash(start, name.count), length: name.count)
    return find(key, in: object) { $0.key == key && memcmp(start, bytes + $0.offset, name.count) == 0 }
  }

  /// The value of the first member of whose name `convertFromSnakeCase` makes this key.
  @inline(never)
  private func findConverted(_ name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
    let key = JSONNode.key(hash: JSONSnakeCase.hash(name), length: 0)
    // Without the lengths, because a name may be longer than its key.
    return find(key, in: object) { $0.key >> 12 == key >> 12 && JSONSnakeCase.makes(name, of: self.name($0)) }
  }

  /// - Parameters:
  ///   - key: has the hash of the member's name.
  ///   - isMember: whether a word of the tape is the member's name.
  @inline(__always)
  private func find(_ key: UInt32, in object: Int, where isMember: (JSONNode) -> Bool) -> Int? {
    let end = end(of: object)
    var seen = tape[object + 3]
    // A name before the start of the search may be the same, and the first of equal names counts.
    let goesOn = seen & JSONNode.mask(of: key) == 0
    var index = goesOn ? Int(truncatingIfNeeded: tape[object + 1] >> 32) : object + JSONNode.objectHead
    while index < end {
      let found = node(index)
      seen |= JSONNode.mask(of: found.key)
      guard isMember(found) else {
        index = self.index(after: index + 1)
        continue
      }
      guard goesOn else { return index + 1 }
      tape[object + 3] = seen
      tape[object + 1] =
        UInt64(truncatingIfNeeded: self.index(after: index + 1)) << 32 | UInt64(truncatingIfNeeded: end)
      return index + 1
    }
    return nil
  }

  private func name(_ node: JSONNode) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + node.offset, count: node.nameLength)
  }

  /// Gives each name on the tape the hash of its key.
  ///
  /// - Parameter count: the words of the tape.
  func hashKeys(count: Int) {
    var index = 0
    while index < count {
      let node = node(index)
      if node.kind == .name {
        let name = name(node)
        tape[index] = JSONNode(hash: JSONSnakeCase.hash(name), at: node.offset, length: name.count).bits
      }
      index += node.headLength
    }
  }

  /// Finds a member whose name equals this `String` although the bytes of both differ. U+212A, the sign for kelvin,
  /// equals a K.
  @inline(__always)
  func findOdd(_ name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
    guard name.contains(where: { $0 >= 0x80 }) else { return nil }
    return try? names(of: object)[String(decoding: name, as: UTF8.self)]
  }
}
