/// The parts of a URL or of a relative reference, split but not checked (RFC 3986, appendix B).
struct URLReference {
  /// The part before the first colon; `nil` where a slash comes before it.
  let scheme: Substring?
  /// User info, host and port; `nil` where no two slashes stand before the path.
  let authority: Substring?
  let path: Substring
  let query: Substring?
  let fragment: Substring?
  /// Everything before the query: the path of a text that names no other host.
  let beforeQuery: Substring

  /// - Throws: `HTTPURL.Invalid` for a text with a control character.
  init(_ text: String) throws(HTTPURL.Invalid) {
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw HTTPURL.Invalid(reason: "it holds a control character")
    }
    var rest = Substring(text)
    fragment = rest.cutOff(from: UInt8(ascii: "#"))
    query = rest.cutOff(from: UInt8(ascii: "?"))
    beforeQuery = rest
    if let end = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }),
      rest.utf8[end] == UInt8(ascii: ":")
    {
      scheme = rest[..<end]
      rest = rest[rest.utf8.index(after: end)...]
    } else {
      scheme = nil
    }
    if rest.utf8.starts(with: "//".utf8) {
      let afterSlashes = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
      let end = afterSlashes.utf8.firstIndex(of: UInt8(ascii: "/")) ?? afterSlashes.endIndex
      authority = afterSlashes[..<end]
      rest = afterSlashes[end...]
    } else {
      authority = nil
    }
    path = rest
  }

  /// Whether the text has a scheme and a host: a colon alone may belong to a path.
  var isAbsolute: Bool { scheme != nil && authority != nil }
}

extension Substring {
  /// Removes everything from the first such byte on.
  ///
  /// - Returns: the part behind that byte; `nil` where there is none.
  fileprivate mutating func cutOff(from byte: UInt8) -> Substring? {
    guard let index = utf8.firstIndex(of: byte) else { return nil }
    let tail = self[utf8.index(after: index)...]
    self = self[..<index]
    return tail
  }
}
