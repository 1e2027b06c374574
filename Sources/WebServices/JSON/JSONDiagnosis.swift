/// Finds the value that a decoder complains of in its document, and describes it in words.
package struct JSONDiagnosis {
  /// The value in words, such as `the number 12`.
  package private(set) var found: String?
  /// The first byte of it.
  package private(set) var place = 0
  /// The document isn't JSON.
  package private(set) var isBroken = false

  package init(of facts: DecodingErrorFacts, in outline: JSONOutline) {
    // A corrupt value without a path is usually a document that isn't JSON.
    if facts.isAboutContent, facts.path.isEmpty, let problem = outline.problem {
      (place, isBroken) = (outline.position, true)
      found = Self.words(for: problem, outline.bytes, place)
      return
    }
    guard let location = outline.locate(facts.path) else { return }
    place = outline.start(of: location.index)
    let isWhole = location.stepCount == facts.path.count
    // Some decoders name the container of the value that they can't use.
    found =
      facts.isAboutContent && outline.node(location.index).isContainer
      ? nil : Self.words(for: location.index, isWhole: isWhole, isAboutKey: facts.missingKey != nil, outline)
  }

  private static func words(for problem: JSONReader.Problem, _ bytes: [UInt8], _ position: Int) -> String {
    switch problem {
    case .end: bytes.allSatisfy(\.isJSONSpace) ? "nothing" : "the end of the document"
    case .unexpectedByte: "an unexpected \(character(at: position, in: bytes))"
    case .string: "an invalid character or escape sequence in a string"
    case .number: "an invalid number"
    case .depth: "more than \(JSONReader.maximumDepth) nested arrays and objects"
    }
  }

  private static func character(at position: Int, in bytes: [UInt8]) -> String {
    let text = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    guard let first = text.unicodeScalars.first, first > " ", first != "\u{7F}", first != "\u{FFFD}" else {
      return "byte 0x" + String(bytes[position], radix: 16, uppercase: true)
    }
    return "\"\(first)\""
  }

  private static func words(for index: Int, isWhole: Bool, isAboutKey: Bool, _ outline: JSONOutline) -> String {
    let showsKeys = outline.node(index).isObject && (isAboutKey || !isWhole)
    let value = showsKeys ? keys(of: index, outline) : words(for: index, outline)
    // The member or element is missing, so its container is described.
    return isWhole ? value : "nothing in " + value
  }

  private static func words(for index: Int, _ outline: JSONOutline) -> String {
    let range = outline.range(of: index)
    switch outline.kind(index) {
    case .object, .oddObject: return counted("an object with ", outline.node(index).length, "member")
    case .array: return counted("an array with ", outline.node(index).length, "element")
    case .ascii, .unicode, .escaped: return "the string \"\(outline.text(in: range).shortened(to: 40))\""
    case .integer, .number: return "the number " + outline.text(in: range).shortened(to: 40)
    default: return outline.text(in: range)
    }
  }

  private static func keys(of object: Int, _ outline: JSONOutline) -> String {
    let (names, count) = (outline.names(in: object), outline.node(object).length)
    guard count > 0 else { return "an object without members" }
    let shown = names.map { "\"\($0.shortened(to: 40))\"" }.joined(separator: ", ")
    return "an object with the key\(count == 1 ? "" : "s") \(shown)" + (count > names.count ? ", …" : "")
  }

  private static func counted(_ start: String, _ count: Int, _ noun: String) -> String {
    "\(start)\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension String {
  /// The text, shortened to this many characters.
  package func shortened(to count: Int) -> String {
    unicodeScalars.count > count ? String(unicodeScalars.prefix(count)) + "…" : self
  }
}
