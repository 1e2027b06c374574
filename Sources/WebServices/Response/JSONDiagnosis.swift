/// What is in a document at the place that a decoder complains of.
struct JSONDiagnosis {
  /// In words: `the number 12`.
  let found: String?
  /// The first byte of it.
  let place: Int

  init(of facts: DecodingErrorFacts, in bytes: [UInt8]) {
    if facts.isAboutDocument, let broken = Self.broken(bytes) {
      self = broken
      return
    }
    let locator = JSONLocator(bytes: bytes)
    guard let location = locator.locate(facts.path) else {
      self.init(found: nil, place: 0)
      return
    }
    self.init(found: Self.words(for: location, facts, locator), place: location.range.lowerBound)
  }

  private init(found: String?, place: Int) {
    self.found = found
    self.place = place
  }

  /// Where the document isn't JSON; `nil` where it is.
  private static func broken(_ bytes: [UInt8]) -> JSONDiagnosis? {
    var tokenizer = JSONTokenizer(bytes)
    while tokenizer.next() != nil {}
    return tokenizer.problem.map { problem in
      JSONDiagnosis(found: words(for: problem, bytes, tokenizer.position), place: tokenizer.position)
    }
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
