import Foundation

/// Makes the URL of a request out of its parts. All of RFC 3986's rules on what may stand raw are here, since
/// `URL(string:)` repairs what it is given differently on each system, or not at all.
enum RequestURL {
  /// Why no URL could be made.
  struct Failure: Error, Equatable {
    let reason: String
  }

  /// A service's base URL, taken apart once.
  typealias Base = Result<URLParts, Failure>

  static func base(_ url: URL?) -> Base? {
    url.map { url in Result { () throws(Failure) in try URLParts(absolute: url.absoluteString) } }
  }

  /// - Parameters:
  ///   - path: an absolute URL, or a path that is appended to `base`; may have a query. A fragment isn't sent.
  ///   - queryItems: appended to the query that `path` has.
  ///   - escaping: what of the items stays raw.
  static func make(
    path: String, base: Base?, queryItems: [URLQueryItem], escaping: QueryEscaping = .strict
  ) throws(Failure) -> URL {
    let parts = try parts(of: path, base: base)
    var text = parts.origin
    text += try encodedPath(parts.path)
    var separator = "?"
    if !parts.query.isEmpty {
      text += separator
      text += parts.query.percentEncoded(.query)
      separator = "&"
    }
    for item in queryItems {
      text += separator
      text += escaping.encoded(item)
      separator = "&"
    }
    guard let url = URL(string: text) else { throw Failure(reason: "it is not a valid URL") }
    return url
  }

  private static func parts(of path: String, base: Base?) throws(Failure) -> URLParts {
    if URLParts.endOfScheme(path) != nil { return try URLParts(absolute: path) }
    guard let base else { throw Failure(reason: "it is relative, and the configuration has no base URL") }
    do throws(Failure) {
      return try base.get().appending(path)
    } catch {
      guard case .failure = base else { throw error }
      throw Failure(reason: "the base URL can't be used: \(error.reason)")
    }
  }

  private static func encodedPath(_ path: String) throws(Failure) -> String {
    let encoded = path.percentEncoded(.path)
    guard !hasDotSegment(encoded) else { throw Failure(reason: "a segment of its path is \".\" or \"..\"") }
    return encoded
  }

  /// Whether a segment is `.` or `..`, escaped or not: a path parameter could climb with it.
  private static func hasDotSegment(_ path: String) -> Bool {
    var rest = path.utf8[...]
    while true {
      let segment = rest.prefix { $0 != UInt8(ascii: "/") }
      if isDotSegment(segment) { return true }
      guard segment.endIndex < rest.endIndex else { return false }
      rest = rest[segment.endIndex...].dropFirst()
    }
  }

  private static func isDotSegment(_ segment: Substring.UTF8View) -> Bool {
    // Hardly any begins so, and every one is asked.
    guard let first = segment.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "%"), segment.count <= 6
    else { return false }
    let plain = String(decoding: segment, as: UTF8.self).lowercased().replacingOccurrences(of: "%2e", with: ".")
    return plain == "." || plain == ".."
  }
}
