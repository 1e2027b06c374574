package import Foundation

/// Splits a URL or a relative reference into its parts, and checks none of them (RFC 3986, appendix B).
package struct URLReference {
  /// The part before the first colon; `nil` if a slash precedes the colon.
  package let scheme: Substring?
  /// User info, host and port; `nil` unless two slashes precede the path.
  package let authority: Substring?
  package let path: Substring
  package let query: Substring?
  package var fragment: Substring?
  /// Everything before the query: the path of a text that names no other host.
  package let beforeQuery: Substring

  /// - Throws: `HTTPURL.Invalid` for a text with a control character.
  package init(_ text: String) throws(HTTPURL.Invalid) {
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
  package var isAbsolute: Bool { scheme != nil && authority != nil }

  /// The password of the user info, or else the user's name, percent encoding removed; `nil` without user info.
  var credential: String? {
    guard let authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return nil }
    let userInfo = authority[..<at]
    let colon = userInfo.utf8.firstIndex(of: UInt8(ascii: ":"))
    let text = colon.map { userInfo[userInfo.utf8.index(after: $0)...] } ?? userInfo
    return text.removingPercentEncoding ?? String(text)
  }

  /// The query items without percent encoding. A `+` stays a `+`.
  package var queryItems: [URLQueryItem] {
    (query ?? "").split(separator: "&").map { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let values = parts.map { $0.removingPercentEncoding ?? String($0) }
      return URLQueryItem(name: values.first ?? "", value: values.count > 1 ? values[1] : nil)
    }
  }
}

extension Substring {
  /// Removes everything from the first occurrence of this byte on.
  ///
  /// - Returns: the part after that byte; `nil` without one.
  fileprivate mutating func cutOff(from byte: UInt8) -> Substring? {
    guard let index = utf8.firstIndex(of: byte) else { return nil }
    let tail = self[utf8.index(after: index)...]
    self = self[..<index]
    return tail
  }
}
