import Foundation

/// Finds the value that a coding path leads to in the bytes of a JSON document. It reads the document once, without
/// recursion; any bytes will do.
struct JSONLocator {
  /// One step of a coding path: a member's name, and the index where the container is an array.
  struct Step: Hashable, Sendable {
    var name: String
    var index: Int?
  }

  /// A value of the document.
  struct Location: Hashable {
    /// Its bytes.
    var range: Range<Int>
    /// The kind of its first token.
    var kind: JSONTokenizer.Kind
    /// How many steps led here: fewer than asked for where the path goes on to something that isn't there.
    var stepCount: Int
  }

  let bytes: [UInt8]

  /// The value at the end of the path, or the last one on the way that is there; `nil` where there is no value at all.
  ///
  /// Names are compared as they are; where that leads nowhere, as a key decoding strategy may have changed them.
  func locate(_ path: [Step]) -> Location? {
    let exact = locate(path, matching: ==)
    guard let exact, exact.stepCount < path.count else { return exact }
    let folded = locate(path) { Self.fold($0) == Self.fold($1) }
    return folded.map { $0.stepCount > exact.stepCount ? $0 : exact } ?? exact
  }

  /// The names of an object's members in their order, and how many there are; no more than 20 names.
  func names(in location: Location) -> (names: [String], count: Int) {
    var tokenizer = JSONTokenizer(bytes, from: location.range.lowerBound)
    var names: [String] = []
    var count = 0
    while let token = tokenizer.next(), token.depth > 0 || token.kind.isValueStart {
      guard token.kind == .name, token.depth == 1 else { continue }
      count += 1
      if names.count < 20 { names.append(bytes.jsonText(token.range.withoutQuotes)) }
    }
    return (names, count)
  }

  /// How many elements an array has.
  func elementCount(in location: Location) -> Int {
    var tokenizer = JSONTokenizer(bytes, from: location.range.lowerBound)
    var count = 0
    while let token = tokenizer.next(), token.depth > 0 || token.kind.isValueStart {
      if token.depth == 1, token.kind.isValueStart { count += 1 }
    }
    return count
  }

  private func locate(_ path: [Step], matching: (String, String) -> Bool) -> Location? {
    var tokenizer = JSONTokenizer(bytes)
    var found: JSONTokenizer.Token?
    var stepCount = 0
    while let token = tokenizer.next() {
      guard let container = found else {
        found = token
        guard goesOn(token, stepCount, path) else { break }
        continue
      }
      if token.depth <= container.depth { return location(of: container, until: token.range.upperBound, stepCount) }
      guard token.kind.isValueStart, token.depth == container.depth + 1,
        let parent = tokenizer.parent(of: token), isMember(of: parent, path[stepCount], matching)
      else { continue }
      found = token
      stepCount += 1
      guard goesOn(token, stepCount, path) else { break }
    }
    guard let found else { return nil }
    return location(of: found, until: end(of: found, &tokenizer), stepCount)
  }

  private func goesOn(_ token: JSONTokenizer.Token, _ stepCount: Int, _ path: [Step]) -> Bool {
    stepCount < path.count && (token.kind == .beginObject || token.kind == .beginArray)
  }

  private func isMember(
    of parent: JSONTokenizer.Container, _ step: Step, _ matching: (String, String) -> Bool
  ) -> Bool {
    guard parent.isObject else { return step.index == parent.index }
    return parent.name.map { matching(bytes.jsonText($0), step.name) } ?? false
  }

  /// Where the value ends that begins with the token: where the document is cut or broken, there.
  private func end(of token: JSONTokenizer.Token, _ tokenizer: inout JSONTokenizer) -> Int {
    guard token.kind == .beginObject || token.kind == .beginArray else { return token.range.upperBound }
    while let next = tokenizer.next() {
      if next.depth <= token.depth { return next.range.upperBound }
    }
    return max(tokenizer.position, token.range.upperBound)
  }

  private func location(of token: JSONTokenizer.Token, until end: Int, _ stepCount: Int) -> Location {
    Location(range: token.range.lowerBound..<end, kind: token.kind, stepCount: stepCount)
  }

  private static func fold(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" }
  }
}

extension JSONTokenizer {
  /// The container of a value that was just read.
  func parent(of token: Token) -> Container? {
    token.depth > 0 && token.depth <= containers.count ? containers[token.depth - 1] : nil
  }
}

extension Range<Int> {
  var withoutQuotes: Range<Int> { count >= 2 ? (lowerBound + 1)..<(upperBound - 1) : self }
}
