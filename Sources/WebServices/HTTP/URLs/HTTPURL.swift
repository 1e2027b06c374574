package import Foundation

/// An absolute `http` or `https` URL, parsed once and normalized. Scheme and host are in lower case. User info and the
/// scheme's default port are removed, and an empty path becomes `/`.
///
/// Call `resolving(_:)` for a redirect, and `appending(path:query:items:)` for a request. Escapes stay unchanged, so
/// URLs that escape the same path in two ways aren't equal.
///
/// An object, because each copy of a value would count the references to the origin, which all threads share.
package final class HTTPURL: Sendable, Hashable {
  /// The reason why a text isn't an absolute `http` or `https` URL.
  package struct Invalid: Error, Hashable {
    package let reason: String

    package init(reason: String) { self.reason = reason }
  }

  /// Scheme, host and port.
  package let origin: URLOrigin
  /// The URL without its fragment, which neither a server nor a cache gets.
  package let text: String
  /// The part after `#`, which isn't sent.
  package let fragment: String?
  /// The index in the bytes of `text` at which the path ends. Path and query are cut out of `text` when they are read.
  private let pathEnd: Int

  /// Parses an absolute URL.
  package convenience init(_ text: String) throws(Invalid) {
    try self.init(URLReference(text.trimmingWhitespace))
  }

  /// Resolves a reference, such as a `Location` field, against this URL (RFC 3986, section 5.2). Characters that should
  /// have been escaped are escaped. The fragment is the reference's own, or else this URL's (RFC 9110, section 10.2.2).
  package func resolving(_ reference: String) throws(Invalid) -> HTTPURL {
    try HTTPURL(URLReference(reference.trimmingWhitespace), base: self)
  }

  /// Makes the URL of a reference, and resolves a relative reference against the base.
  ///
  /// - Parameter keepsDotSegments: whether `.` and `..` stay in the path, for a request that is sent unchanged.
  package init(_ reference: URLReference, base: HTTPURL? = nil, keepsDotSegments: Bool = false) throws(Invalid) {
    let isSecure = try Self.isSecure(reference.scheme, base: base)
    var path = reference.path
    var query = reference.query
    // The cases follow RFC 3986, section 5.2.2.
    if let authority = reference.authority {
      // Most absolute URLs of a service have the origin of its base, which is parsed already.
      if let known = base?.origin, known.isSecure == isSecure, known.hostAndPort[...] == authority {
        origin = known
      } else {
        origin = try URLOrigin(authority, isSecure: isSecure)
      }
    } else if let base, reference.scheme == nil {
      origin = base.origin
      if path.isEmpty {
        path = base.path
        query = query ?? base.query
      } else if path.utf8.first != UInt8(ascii: "/") {
        path = base.directory + path
      }
    } else {
      throw Invalid(reason: "it has no host")
    }
    let encodedPath = path.isEmpty ? "/" : String(path).percentEncoded(.path)
    let start = origin.text + (keepsDotSegments ? encodedPath : DotSegments.removed(from: encodedPath))
    pathEnd = start.utf8.count
    text = start + (query.map { "?" + String($0).percentEncoded(.query) } ?? "")
    fragment = reference.fragment.map { String($0).percentEncoded(.query) } ?? base?.fragment
  }

  private init(origin: URLOrigin, text: String, pathEnd: Int) {
    self.origin = origin
    self.text = text
    self.pathEnd = pathEnd
    fragment = nil
  }

  private static func isSecure(_ scheme: Substring?, base: HTTPURL?) throws(Invalid) -> Bool {
    switch scheme?.lowercased() {
    case "https": return true
    case "http": return false
    case nil:
      guard let base else { throw Invalid(reason: "it has no scheme") }
      return base.origin.isSecure
    default: throw Invalid(reason: "its scheme is neither http nor https")
    }
  }

  /// The path in the escaped form.
  package var path: Substring { part(origin.text.utf8.count, pathEnd) }

  /// The path and the query, as they stand in a request line.
  package var pathAndQuery: Substring { part(origin.text.utf8.count, text.utf8.count) }

  /// The part after `?`; `nil` without one.
  var query: Substring? {
    let count = text.utf8.count
    return pathEnd < count ? part(pathEnd + 1, count) : nil
  }

  /// Whether both have the same scheme, host and port.
  package func hasSameOrigin(as other: HTTPURL) -> Bool { origin.text == other.origin.text }

  /// The path up to its last slash, after which a relative path begins.
  private var directory: Substring {
    let path = path
    return path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
  }

  private func part(_ start: Int, _ end: Int) -> Substring {
    let bytes = text.utf8
    return text[bytes.index(bytes.startIndex, offsetBy: start)..<bytes.index(bytes.startIndex, offsetBy: end)]
  }

  /// Foundation's form of the URL. Foundation takes every text of an `HTTPURL`; if it ever refuses one, no transport
  /// takes the file URL.
  package var url: URL { URL(string: text) ?? URL(fileURLWithPath: "/") }

  // MARK: Appending

  /// Appends a path, with one slash between the two paths, and query items. The result has no fragment.
  ///
  /// - Parameters:
  ///   - path: a path without dot segments; an empty path changes nothing.
  ///   - query: the query of that path.
  ///   - items: escaped query items.
  package func appending(path: Substring, query: Substring? = nil, items: [String]) -> HTTPURL {
    var start = part(0, pathEnd).utf8
    while !path.isEmpty, start.last == UInt8(ascii: "/") { start.removeLast() }
    var text = String(Substring(start))
    if !path.isEmpty, path.utf8.first != UInt8(ascii: "/") { text += "/" }
    text += String(path).percentEncoded(.path)
    let end = text.utf8.count
    text.appendQuery(self.query, after: end)
    text.appendQuery(query.map { String($0).percentEncoded(.query)[...] }, after: end)
    for item in items { text.appendQuery(item[...], after: end) }
    return HTTPURL(origin: origin, text: text, pathEnd: end)
  }

  /// The URL of an absolute text with nothing to encode, to resolve or to leave out; `nil` for any other text. Such a
  /// text is read once, and not in parts.
  ///
  /// - Parameter last: the origin of the last such text. Most often the next has the same, which isn't parsed again.
  package convenience init?(plain text: String, last: Locked<URLOrigin?>? = nil) {
    if let origin = last?.withLock({ $0 }) ?? nil, let pathEnd = text.plainPathEnd(after: origin) {
      self.init(origin: origin, text: text, pathEnd: pathEnd)
      return
    }
    let (isSecure, slash) = (text.hasPrefix("https://"), UInt8(ascii: "/"))
    guard isSecure || text.hasPrefix("http://") else { return nil }
    let authority = text.utf8.dropFirst(isSecure ? 8 : 7).prefix { $0 != slash }
    guard authority.first != UInt8(ascii: "."),
      let origin = try? URLOrigin(Substring(authority), isSecure: isSecure),
      let pathEnd = text.plainPathEnd(after: origin)
    else { return nil }
    last?.withLock { $0 = origin }
    self.init(origin: origin, text: text, pathEnd: pathEnd)
  }

  /// Appends the path of most requests, which has plain characters only: nothing that has to be escaped, removed or
  /// taken apart. Takes a URL of the same origin as it is, if the URL is as plain.
  ///
  /// - Returns: `nil` for any other text, and if this URL has a query.
  package func appending(plain text: String) -> HTTPURL? {
    let (base, slash) = (self.text.utf8, UInt8(ascii: "/"))
    guard pathEnd == base.count else { return nil }
    if let end = text.plainPathEnd(after: origin) { return HTTPURL(origin: origin, text: text, pathEnd: end) }
    let (beginsWithSlash, endsWithSlash) = (text.utf8.first == slash, base.last == slash)
    // `//h` names another host. A base with several slashes at its end loses them all.
    guard !text.isEmpty, text.utf8.first != UInt8(ascii: "?"),
      !beginsWithSlash || text.utf8.dropFirst().first != slash, !endsWithSlash || base.dropLast().last != slash
    else { return nil }
    // One slash separates both paths.
    var joined = self.text
    if beginsWithSlash, endsWithSlash { joined.removeLast() }
    if !beginsWithSlash, !endsWithSlash { joined += "/" }
    joined += text
    let start = endsWithSlash ? base.count - 1 : base.count
    return joined.plainPathEnd(after: start).map { HTTPURL(origin: origin, text: joined, pathEnd: $0) }
  }

  /// Compares the sent parts, without the fragment.
  package static func == (left: HTTPURL, right: HTTPURL) -> Bool { left.text == right.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension String {
  /// Appends a part of a query with the separator before it. An empty part is left out.
  fileprivate mutating func appendQuery(_ part: Substring?, after pathEnd: Int) {
    guard let part, !part.isEmpty else { return }
    self += utf8.count == pathEnd ? "?" : "&"
    self += part
  }

  /// The index at which the path of a URL with this origin ends; `nil` as below, and for another origin.
  fileprivate func plainPathEnd(after origin: URLOrigin) -> Int? {
    hasPrefix(origin.text) ? plainPathEnd(after: origin.text.utf8.count) : nil
  }

  /// The index in the bytes at which a path ends. All characters are plain or escaped, also in the query behind it.
  ///
  /// - Parameter start: the index at which the path begins, which has to be a slash.
  /// - Returns: `nil` for other characters, for an empty query, for an escaped dot and for a segment that begins with a
  ///   dot.
  fileprivate func plainPathEnd(after start: Int) -> Int? {
    utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      guard start < bytes.count, bytes[start] == UInt8(ascii: "/") else { return nil }
      var end: Int?
      for index in (start + 1)..<bytes.count {
        if bytes[index] == UInt8(ascii: "?"), end == nil, index + 1 < bytes.count {
          end = index
        } else if bytes[index] == UInt8(ascii: "%") {
          let code = bytes[(index + 1)...].prefix(2)
          let isDot = code.first == UInt8(ascii: "2") && code.last?.asciiLowercased == UInt8(ascii: "e")
          guard code.count == 2, code.allSatisfy(\.isHexDigit), !isDot else { return nil }
        } else if !ByteSet.plain.contains(bytes[index])
          || bytes[index] == UInt8(ascii: ".") && bytes[index - 1] == UInt8(ascii: "/")
        {
          return nil
        }
      }
      return end ?? bytes.count
    } ?? nil
  }
}

/// A URL in its original form: parsed by the engine, or a caller's `URL`. Making a `URL` is slow, so a parsed one is
/// converted only when somebody reads `url`.
package enum URLForm: Sendable {
  case parsed(HTTPURL)
  case foundation(URL)

  /// The URL in Foundation's form, without a fragment if it is parsed.
  package var url: URL {
    switch self {
    case .parsed(let url): url.url
    case .foundation(let url): url
    }
  }

  /// The parsed URL; `nil` for a URL that isn't an absolute `http` or `https` URL.
  package var parsed: HTTPURL? {
    switch self {
    case .parsed(let url): url
    // A caller of a transport decides whether dot segments are sent.
    case .foundation(let url): try? HTTPURL(URLReference(url.absoluteString), keepsDotSegments: true)
    }
  }

  /// The normalized URL; unchanged if it can't be parsed.
  package var normalizedText: String { parsed?.text ?? text }

  /// The URL in its original form.
  package var text: String {
    switch self {
    case .parsed(let url): url.text
    case .foundation(let url): url.absoluteString
    }
  }
}
