import Foundation

/// A dictionary from the names of an object's members to their values, for objects whose tape can't be searched well.
///
/// Searching the tape gives wrong results if a strategy changes the names or a name isn't plain ASCII. Searching is
/// slow if the object has many members.
final class JSONNames {
  /// From this many members on, a search costs more than a dictionary.
  private static let manyMembers = 64

  /// The index on the tape of each member's value.
  private(set) var members: [String: Int] = [:]

  /// `nil` if the tape can be searched well.
  ///
  /// - Throws: `DecodingError` for an invalid name.
  init?(of object: Int, in document: JSONDocument) throws {
    let node = document.node(object)
    guard node.kind == .oddObject || !document.usesDefaultKeys || node.length > Self.manyMembers else { return nil }
    try fill(object, document)
  }

  /// Makes the dictionary even if the tape can be searched well.
  init(_ object: Int, _ document: JSONDocument) throws {
    try fill(object, document)
  }

  private func fill(_ object: Int, _ document: JSONDocument) throws {
    members.reserveCapacity(document.node(object).length)
    var path: [any CodingKey]?
    if case .custom = document.settings.keys { path = document.path(document.step(to: object)) }
    let end = document.end(of: object)
    var index = object + JSONNode.objectHead
    while index < end {
      guard let name = document.string(index) else { throw document.invalid() }
      let key = document.usesDefaultKeys ? name : document.settings.key(for: name, at: path ?? []).stringValue
      // The first of several equal names counts, as in Foundation.
      members[key, default: index + 1] = members[key] ?? index + 1
      index = document.index(after: index + 1)
    }
  }

  /// The names in the order of the document.
  var all: [String] { members.sorted { $0.value < $1.value }.map(\.key) }
}

extension JSONDocument {
  /// The names in an object of the kind `object`, whose names are all plain. Of equal names only the first is returned.
  func names(of object: Int) -> [String] {
    var names: [String] = []
    let end = end(of: object)
    var index = object + JSONNode.objectHead
    while index < end {
      let node = node(index)
      if find(bytes + node.offset, node.key, from: object + JSONNode.objectHead, to: end) == index + 1 {
        names.append(string(index) ?? "")
      }
      index = self.index(after: index + 1)
    }
    return names
  }

  /// Finds a member whose name equals this `String` although the bytes of both differ. U+212A, the sign for kelvin,
  /// equals a K.
  @inline(__always)
  func findOdd(_ name: String, in object: Int) -> Int? {
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    return try? JSONNames(object, self).members[name]
  }
}
