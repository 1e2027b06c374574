import Foundation

/// Reads the names and values of a JSON document up to its first problem, and says what the problem is. Call `visit`
/// for all values, or `locate` for the value at the end of a coding path.
///
/// The library uses an outline to show the place of a decoding error. Unlike a decoder, an outline is strict, and allows
/// nesting twice as deep. No bytes make it trap or recurse.
package struct JSONOutline {
  /// A step of a coding path: a member's name, and the index if the container is an array.
  package struct Step: Hashable, Sendable {
    package var name: String
    package var index: Int?

    package init(name: String, index: Int? = nil) {
      self.name = name
      self.index = index
    }
  }

  /// The result of `locate`: a value, and how much of the path leads to it.
  package struct Location: Hashable {
    package var index: Int
    /// The number of steps to this value. It is smaller than the requested number if the rest of the path doesn't
    /// exist.
    package var stepCount: Int
  }

  /// The deepest nesting. Foundation's decoder stops at 512.
  package static let maximumDepth = 1024

  package let bytes: [UInt8]
  /// Why the document isn't JSON.
  package let problem: JSONReader.Problem?
  /// The position of the problem; the end of a document without one.
  package let position: Int
  /// The start of the name, string, number or literal that has the problem.
  package let tokenStart: Int
  /// Whether a whole value was read. More may follow it.
  package let isComplete: Bool
  private let tape: [UInt64]

  /// - Parameter start: the first byte to be read.
  package init(_ bytes: [UInt8], from start: Int = 0) {
    self.bytes = bytes
    (tape, problem, position, tokenStart, isComplete) = bytes.withUnsafeBufferPointer { buffer in
      let read = buffer.prefix(JSONNode.maximumLength)
      guard let first = buffer.baseAddress, start < read.count else {
        return ([], .end, bytes.count, bytes.count, false)
      }
      let hasMark = start == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
      var reader = JSONReader(
        UnsafeBufferPointer(rebasing: read), from: first, position: hasMark ? 3 : max(0, start), isStrict: true,
        maximumDepth: Self.maximumDepth)
      let problem = reader.read()
      let isWhole = reader.count > 0 && reader.container < 0
      let token = problem == nil ? nil : reader.brokenToken
      let position = reader.next - first
      // The outline of a broken document has the containers that were still open.
      reader.closeAll()
      let tape = Array(UnsafeBufferPointer(start: reader.tape, count: reader.count))
      reader.tape.deallocate()
      // The reader doesn't check strings and numbers, so an earlier one may be the first problem.
      if let earlier = Self.firstInvalidToken(of: tape, bytes, before: token.map { $0 - first }) {
        return (tape, earlier.problem, earlier.position, earlier.tokenStart, false)
      }
      return (tape, problem, position, token.map { $0 - first } ?? position, isWhole)
    }
  }

  var isEmpty: Bool { tape.isEmpty }

  func node(_ index: Int) -> JSONNode { JSONNode(bits: tape[index]) }

  package func kind(_ index: Int) -> JSONNode.Kind { node(index).kind }

  /// The first byte, which is the quote of a string.
  package func start(of index: Int) -> Int {
    switch kind(index) {
    case .ascii, .unicode, .escaped, .name, .oddName: node(index).offset - 1
    default: node(index).offset
    }
  }

  /// The bytes of a name, a string without its quotes, a number or a literal; of a container, its first byte.
  package func range(of index: Int) -> Range<Int> {
    let node = node(index)
    let isContainer = kind(index) == .array || isObject(index)
    return node.offset..<min(bytes.count, node.offset + (isContainer ? 1 : node.nameLength))
  }

  package func isObject(_ index: Int) -> Bool { kind(index) == .object || kind(index) == .oddObject }

  /// The text of a name or a string. What is malformed becomes U+FFFD.
  package func text(of index: Int) -> String { text(in: range(of: index)) }

  /// The text of a piece of a string.
  package func text(in range: Range<Int>) -> String {
    bytes.withUnsafeBufferPointer { JSONText.decoded(UnsafeBufferPointer(rebasing: $0[range])) }
      ?? String(decoding: bytes[range], as: UTF8.self)
  }

  /// The index after a value.
  package func index(after index: Int) -> Int {
    kind(index) == .array || isObject(index) ? Int(truncatingIfNeeded: tape[index + 1] & 0xFFFF_FFFF) : index + 1
  }

  /// The values in a container, with their names in an object.
  func children(of container: Int) -> some Sequence<(name: Int?, value: Int)> {
    let end = index(after: container)
    let isObject = isObject(container)
    let head = isObject ? JSONNode.objectHead : JSONNode.arrayHead
    return sequence(state: isObject || kind(container) == .array ? container + head : end) { next in
      guard next < end else { return nil }
      let value = isObject ? next + 1 : next
      defer { next = index(after: value) }
      return (isObject ? next : nil, value)
    }
  }

  /// Visits names and values in their order until the visitor returns `false`. The visitor also gets the names of the
  /// members that enclose the name or value.
  package func visit(_ visitor: (_ index: Int, _ names: [Int]) -> Bool) {
    var names: [Int] = []
    var ends: [Int] = []
    var index = 0
    while index < tape.count {
      while let end = ends.last, end <= index {
        names.removeLast()
        ends.removeLast()
      }
      guard visitor(index, names) else { return }
      switch kind(index) {
      case .name, .oddName:
        names.append(index)
        ends.append(self.index(after: index + 1))
        index += 1
      case .array: index += JSONNode.arrayHead
      case .object, .oddObject: index += JSONNode.objectHead
      default: index += 1
      }
    }
  }

  // MARK: Paths

  /// The value at the end of the path, or the last existing value on the path; `nil` without any value.
  ///
  /// Names are first compared exactly. If that fails, the comparison allows for names that a key decoding strategy has
  /// changed.
  package func locate(_ path: [Step]) -> Location? {
    let exact = locate(path, matching: ==)
    guard let exact, exact.stepCount < path.count else { return exact }
    let folded = locate(path) { Self.fold($0) == Self.fold($1) }
    return folded.map { $0.stepCount > exact.stepCount ? $0 : exact } ?? exact
  }

  private func locate(_ path: [Step], matching: (String, String) -> Bool) -> Location? {
    guard !isEmpty else { return nil }
    var location = Location(index: 0, stepCount: 0)
    for step in path {
      let child = children(of: location.index).enumerated().first { offset, child in
        guard kind(child.value) != .end else { return false }
        return child.name.map { matching(text(of: $0), step.name) } ?? (step.index == offset)
      }
      guard let child else { break }
      location = Location(index: child.element.value, stepCount: location.stepCount + 1)
    }
    return location
  }

  /// The names of an object's members in their order, and how many there are; no more than 20 names.
  package func names(in location: Location) -> (names: [String], count: Int) {
    guard isObject(location.index) else { return ([], 0) }
    let names = children(of: location.index).prefix(20).compactMap { $0.name.map(text(of:)) }
    return (names, node(location.index).length)
  }

  /// How many elements an array has.
  package func elementCount(in location: Location) -> Int {
    kind(location.index) == .array ? node(location.index).length : 0
  }

  /// The name without case, underscores and hyphens, in which a name in snake case equals the same name in camel case.
  private static func fold(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" }
  }
}
