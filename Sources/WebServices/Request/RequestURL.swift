import Foundation

/// Makes the URL of a request out of its parts. All of RFC 3986's rules on what may stand raw are here, since
/// `URL(string:)` repairs what it is given differently on each system, or not at all.
enum RequestURL {
  /// Why no URL could be made.
  struct Failure: Error, Equatable {
    let reason: String
  }

  /// - Parameters:
  ///   - path: an absolute URL, or a path that is appended to `base`; may have a query. A fragment isn't sent.
  ///   - queryItems: appended to the query that `path` has.
  static func make(path: String, base: URL?, queryItems: [URLQueryItem]) throws(Failure) -> URL {
    let parts = try Parts(path: path, base: base)
    var text = parts.origin
    text += try encodedPath(parts.path)
    let items = queryItems.map(encodedItem)
    let query = (parts.query.isEmpty ? [] : [parts.query.percentEncoded(.query)]) + items
    if !query.isEmpty {
      text += "?" + query.joined(separator: "&")
    }
    guard let url = URL(string: text), url.host?.isEmpty == false else {
      throw Failure(reason: "it is not a valid URL")
    }
    return url
  }

  /// A query item; only what is unreserved stays raw, so that nothing in it can be taken for a separator or a space.
  private static func encodedItem(_ item: URLQueryItem) -> String {
    let name = item.name.percentEncoded(.everythingReserved)
    guard let value = item.value else { return name }
    return "\(name)=\(value.percentEncoded(.everythingReserved))"
  }

  private static func encodedPath(_ path: String) throws(Failure) -> String {
    let encoded = path.percentEncoded(.path)
    let climbs = encoded.split(separator: "/").contains { segment in
      let plain = segment.lowercased().replacingOccurrences(of: "%2e", with: ".")
      return plain == "." || plain == ".."
    }
    guard !climbs else { throw Failure(reason: "a segment of its path is \".\" or \"..\"") }
    return encoded
  }

  /// The parts of a target, not encoded yet.
  private struct Parts {
    var origin: String
    var path: String
    var query: String

    init(path target: String, base: URL?) throws(Failure) {
      guard !target.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        throw Failure(reason: "it holds a control character")
      }
      if let scheme = Self.scheme(of: target) {
        self = try Self.absolute(target, scheme: scheme)
      } else if let base {
        guard !target.hasPrefix("//") else { throw Failure(reason: "it has a host but no scheme") }
        let baseText = base.absoluteString
        guard let scheme = Self.scheme(of: baseText) else {
          throw Failure(reason: "the base URL has no scheme")
        }
        self = try Self.absolute(baseText, scheme: scheme)
        append(target)
      } else {
        throw Failure(reason: "it is relative, and the configuration has no base URL")
      }
    }

    private init(origin: String, path: String, query: String) {
      self.origin = origin
      self.path = path
      self.query = query
    }

    private mutating func append(_ target: String) {
      let (relativePath, relativeQuery) = Self.split(Substring(target))
      if !relativePath.isEmpty {
        while path.hasSuffix("/") { path.removeLast() }
        path += relativePath.hasPrefix("/") ? relativePath : "/" + relativePath
      }
      query = [query, relativeQuery].filter { !$0.isEmpty }.joined(separator: "&")
    }

    private static func absolute(_ target: String, scheme: Substring) throws(Failure) -> Parts {
      let lowercased = scheme.lowercased()
      guard lowercased == "http" || lowercased == "https" else {
        throw Failure(reason: "its scheme is neither http nor https")
      }
      let rest = target[scheme.endIndex...].dropFirst()
      guard rest.hasPrefix("//") else { throw Failure(reason: "it has no host") }
      let afterSlashes = rest.dropFirst(2)
      let end = afterSlashes.firstIndex { "/?#".contains($0) } ?? afterSlashes.endIndex
      let authority = afterSlashes[..<end]
      try check(authority)
      let (path, query) = split(afterSlashes[end...])
      return Parts(origin: "\(lowercased)://\(authority)", path: path.isEmpty ? "/" : path, query: query)
    }

    private static func check(_ authority: Substring) throws(Failure) {
      guard !authority.isEmpty else { throw Failure(reason: "it has no host") }
      guard !authority.contains("@") else {
        throw Failure(reason: "user info in a URL isn't sent; use an authorization of type basic")
      }
      guard authority.utf8.allSatisfy({ $0 >= 0x80 || PercentEncoding.authority.allows($0) }) else {
        throw Failure(reason: "its host has a character that isn't allowed there")
      }
      guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else { return }
      let port = authority[authority.index(after: colon)...]
      guard port.isEmpty || UInt16(port) != nil else { throw Failure(reason: "its port is not one") }
    }

    /// The scheme of an absolute URL: letters, digits, `+`, `-` and `.` before `://` (RFC 3986, section 3.1).
    private static func scheme(of target: String) -> Substring? {
      guard let end = target.range(of: "://")?.lowerBound, let first = target.utf8.first else { return nil }
      let scheme = target[..<end]
      let isLetter = (first | 0x20) >= UInt8(ascii: "a") && (first | 0x20) <= UInt8(ascii: "z")
      let isScheme = scheme.utf8.allSatisfy { byte in
        PercentEncoding.everythingReserved.allows(byte) && byte != UInt8(ascii: "_") && byte != UInt8(ascii: "~")
          || byte == UInt8(ascii: "+")
      }
      return isLetter && isScheme ? scheme : nil
    }

    private static func split(_ target: Substring) -> (path: String, query: String) {
      let withoutFragment = target.prefix { $0 != "#" }
      guard let mark = withoutFragment.firstIndex(of: "?") else { return (String(withoutFragment), "") }
      return (String(withoutFragment[..<mark]), String(withoutFragment[withoutFragment.index(after: mark)...]))
    }
  }
}
