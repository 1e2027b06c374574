/// What is in a document at the place that a decoder complains of.
struct JSONDiagnosis {
  /// In words: `the number 12`.
  private(set) var found: String?
  /// The first byte of it.
  private(set) var place = 0
  /// The document isn't JSON.
  private(set) var isBroken = false
  /// Where it is, if that is better known than the decoder says.
  private(set) var path: [JSONLocator.Step]?
  /// The names around everything that may be meant, besides the path's.
  private(set) var names: Set<String> = []

  init(of facts: DecodingErrorFacts, in bytes: [UInt8]) {
    if facts.isAboutContent, facts.path.isEmpty {
      if findProblem(in: bytes) || findNumber(namedBy: facts.detail, in: bytes) { return }
    }
    let locator = JSONLocator(bytes: bytes)
    guard let location = locator.locate(facts.path),
      location.stepCount == facts.path.count || !findProblem(in: bytes)
    else { return }
    place = location.range.lowerBound
    // Some decoders name the container of the value that they can't use.
    let isContainer = location.kind == .beginObject || location.kind == .beginArray
    found = facts.isAboutContent && isContainer ? nil : Self.words(for: location, facts, locator)
  }

  /// Looks for what makes the document no JSON; `false` where it is.
  private mutating func findProblem(in bytes: [UInt8]) -> Bool {
    var tokenizer = JSONTokenizer(bytes)
    while tokenizer.next() != nil {}
    guard let problem = tokenizer.problem else { return false }
    (place, isBroken) = (tokenizer.position, true)
    found = Self.words(for: problem, bytes, place)
    return true
  }

  /// Looks for the number that a decoder complains of without saying where it is: one that doesn't fit its type.
  private mutating func findNumber(namedBy detail: String?, in bytes: [UInt8]) -> Bool {
    let words = detail?.split(whereSeparator: { " <>".contains($0) }) ?? []
    guard let number = words.first(where: { $0.utf8.first.map { $0.isDecimalDigit || $0 == 0x2D } ?? false }) else {
      return false
    }
    var tokenizer = JSONTokenizer(bytes)
    var count = 0
    while let token = tokenizer.next() {
      guard token.kind == .number, bytes[token.range].elementsEqual(number.utf8) else { continue }
      count += 1
      if count == 1 { place = token.range.lowerBound }
      path = count == 1 ? tokenizer.containers.map { $0.step(in: bytes) } : nil
      names.formUnion(tokenizer.containers.compactMap { $0.name.map(bytes.jsonText) })
    }
    if count > 0 { found = "the number \(String(number).shortened(to: 40))" }
    return count > 0
  }

  private static func words(for problem: JSONTokenizer.Problem, _ bytes: [UInt8], _ position: Int) -> String {
    switch problem {
    case .end: bytes.allSatisfy(\.isJSONSpace) ? "nothing" : "the end of the document"
    case .unexpectedByte: "an unexpected \(character(at: position, in: bytes))"
    case .escape: "an escape sequence that isn't one"
    case .controlCharacter: "a control character in a string"
    case .number: "a number that isn't one"
    case .encoding: "bytes that aren't UTF-8"
    case .depth: "more than \(JSONTokenizer.maximumDepth) nested arrays and objects"
    }
  }

  private static func character(at position: Int, in bytes: [UInt8]) -> String {
    let length = bytes.utf8Length(at: position)
    guard length > 0, bytes[position] > 0x20, bytes[position] != 0x7F else {
      return "byte 0x" + String(bytes[position], radix: 16, uppercase: true)
    }
    return "\"\(String(decoding: bytes[position..<(position + length)], as: UTF8.self))\""
  }

  private static func words(
    for location: JSONLocator.Location, _ facts: DecodingErrorFacts, _ locator: JSONLocator
  ) -> String {
    guard location.stepCount == facts.path.count else { return "nothing" + whatIsThere(location, locator) }
    return facts.isAboutKey && location.kind == .beginObject
      ? keys(of: location, locator) : words(for: location, locator)
  }

  /// What there is instead of a member or an element that isn't.
  private static func whatIsThere(_ location: JSONLocator.Location, _ locator: JSONLocator) -> String {
    switch location.kind {
    case .beginObject: " in " + keys(of: location, locator)
    case .beginArray: " in " + words(for: location, locator)
    default: " in " + words(for: location, locator)
    }
  }

  private static func words(for location: JSONLocator.Location, _ locator: JSONLocator) -> String {
    let bytes = locator.bytes
    switch location.kind {
    case .beginObject:
      return counted("an object with ", locator.names(in: location).count, "member")
    case .beginArray:
      return counted("an array with ", locator.elementCount(in: location), "element")
    case .string:
      // A character has no more than six bytes, escaped.
      let range = location.range.withoutQuotes
      let isLong = range.count > 240
      let text = bytes.jsonText(isLong ? range.lowerBound..<(range.lowerBound + 240) : range)
      return "the string \"\(text.shortened(to: 40))\""
    case .number:
      return "the number " + String(decoding: bytes[location.range].prefix(64), as: UTF8.self).shortened(to: 40)
    default:
      return String(decoding: bytes[location.range].prefix(8), as: UTF8.self)
    }
  }

  private static func keys(of location: JSONLocator.Location, _ locator: JSONLocator) -> String {
    let (names, count) = locator.names(in: location)
    guard count > 0 else { return "an object without members" }
    let shown = names.map { "\"\($0.shortened(to: 40))\"" }.joined(separator: ", ")
    return "an object with the key\(count == 1 ? "" : "s") \(shown)" + (count > names.count ? ", …" : "")
  }

  private static func counted(_ start: String, _ count: Int, _ noun: String) -> String {
    "\(start)\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension String {
  /// The text, cut where it is longer than this many characters.
  func shortened(to count: Int) -> String {
    unicodeScalars.count > count ? String(unicodeScalars.prefix(count)) + "…" : self
  }
}

extension JSONTokenizer.Container {
  /// The step of a coding path to the value that is being read.
  fileprivate func step(in bytes: [UInt8]) -> JSONLocator.Step {
    JSONLocator.Step(name: name.map(bytes.jsonText) ?? "", index: isObject ? nil : index)
  }
}
