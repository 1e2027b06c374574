import Foundation

/// Reads the names and values of a JSON document up to its first problem, and says what the problem is. Call `locate`
/// for the value at the end of a coding path.
///
/// The library uses an outline to show the place of a decoding error. No bytes make an outline trap or recurse.
package struct JSONOutline {
  /// The document in UTF-8.
  package let bytes: [UInt8]
  /// Why the document isn't JSON.
  package private(set) var problem: JSONReader.Problem?
  /// The position of the problem; the end of a document without one.
  package private(set) var position: Int
  private let tape: [UInt64]

  package init(_ document: [UInt8]) {
    // In broken UTF-16 the redaction finds no names of secrets unless the zeros between their letters are gone.
    let bytes: [UInt8] = document.withUnsafeBufferPointer { JSONText.utf8($0) } ?? document.filter { $0 != 0 }
    self.bytes = bytes
    (tape, problem, position) = bytes.withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return ([], .end, 0) }
      var reader = JSONReader(first, count: min(buffer.count, JSONNode.maximumLength))
      let problem = reader.read()
      let position = reader.next - first
      // The outline of a broken document has the containers that were still open.
      reader.closeAll()
      defer { reader.tape.deallocate() }
      return (Array(UnsafeBufferPointer(start: reader.tape, count: reader.count)), problem, position)
    }
    // The reader doesn't check strings and numbers, so an earlier one may be the first problem.
    for token in tokens {
      guard let fault = fault(of: token) else { continue }
      (problem, position) = fault
      return
    }
  }

  /// The first malformed part of a string or number.
  private func fault(of index: Int) -> (problem: JSONReader.Problem, position: Int)? {
    let range = range(of: index)
    return bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes[range])
      switch kind(index) {
      case .unicode, .escaped, .oddName: return JSONText.fault(in: text).map { (.string, range.lowerBound + $0) }
      case .integer, .number:
        guard let start = text.baseAddress, JSONNumber(start, text.count) == nil else { return nil }
        let isCutOff = range.upperBound == bytes.count && bytes[range.upperBound - 1] &- 0x30 > 9
        return isCutOff ? (.end, range.upperBound) : (.number, range.lowerBound)
      default: return nil
      }
    }
  }

  func node(_ index: Int) -> JSONNode { JSONNode(bits: tape[index]) }

  package func kind(_ index: Int) -> JSONNode.Kind { node(index).kind }

  /// The indexes of all names and values.
  package var tokens: some Sequence<Int> {
    sequence(state: 0) { next in
      guard next < tape.count else { return nil }
      defer { next += node(next).headLength }
      return next
    }
  }

  /// The first byte, which is the quote of a string.
  package func start(of index: Int) -> Int { node(index).offset - (node(index).isText ? 1 : 0) }

  /// The bytes of a name, a string without its quotes, a number or a literal; of a container, its first byte.
  package func range(of index: Int) -> Range<Int> {
    let node = node(index)
    return node.offset..<min(bytes.count, node.offset + (node.isContainer ? 1 : node.nameLength))
  }

  /// The text of a piece of a name or a string. What is malformed becomes U+FFFD.
  package func text(in range: Range<Int>) -> String {
    bytes.withUnsafeBufferPointer { JSONText.decoded(UnsafeBufferPointer(rebasing: $0[range])) }
      ?? String(decoding: bytes[range], as: UTF8.self)
  }

  /// The values in a container, with their names in an object.
  package func children(of container: Int) -> some Sequence<(name: Int?, value: Int)> {
    func index(after index: Int) -> Int {
      node(index).isContainer ? Int(truncatingIfNeeded: tape[index + 1] & 0xFFFF_FFFF) : index + 1
    }
    let (end, isObject) = (index(after: container), node(container).isObject)
    return sequence(state: container + node(container).headLength) { next in
      guard next < end else { return nil }
      let child = isObject ? (name: next, value: next + 1) : (name: nil, value: next)
      next = index(after: child.value)
      return child
    }
  }

  // MARK: Paths

  /// The value at the end of the path, or the last existing value on the path; `nil` without any value.
  ///
  /// Names are first compared exactly. If that fails, the comparison allows for names that a key decoding strategy has
  /// changed.
  ///
  /// - Returns: the index of the value, and how many steps of the path lead to it.
  package func locate(_ path: [any CodingKey]) -> (index: Int, stepCount: Int)? {
    guard !tape.isEmpty else { return nil }
    let exact = locate(path, matching: ==)
    // Without case, underscores and hyphens, a name in snake case equals the same name in camel case.
    func fold(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }
    let folded = locate(path) { fold($0) == fold($1) }
    return folded.stepCount > exact.stepCount ? folded : exact
  }

  private func locate(_ path: [any CodingKey], matching: (String, String) -> Bool) -> (index: Int, stepCount: Int) {
    var location = (index: 0, stepCount: 0)
    for step in path {
      let child = children(of: location.index).enumerated().first { offset, child in
        guard kind(child.value) != .end else { return false }
        return child.name.map { matching(text(in: range(of: $0)), step.stringValue) } ?? (step.intValue == offset)
      }
      guard let child else { break }
      location = (child.element.value, location.stepCount + 1)
    }
    return location
  }

  /// The names of an object's members in their order; no more than 20.
  package func names(in object: Int) -> [String] {
    children(of: object).prefix(20).compactMap { $0.name.map { text(in: range(of: $0)) } }
  }

  /// The names of the members whose values begin at this position or around it, from the outermost on. A name has no
  /// more than 256 bytes.
  package func names(around position: Int) -> [String] {
    var names: [Int] = []
    var index = 0
    while !tape.isEmpty {
      var last: (name: Int?, value: Int)?
      for child in children(of: index) where start(of: child.value) <= position { last = child }
      guard let last else { break }
      if let name = last.name { names.append(name) }
      index = last.value
    }
    return names.filter { range(of: $0).count <= 256 }.map { text(in: range(of: $0)) }
  }
}
