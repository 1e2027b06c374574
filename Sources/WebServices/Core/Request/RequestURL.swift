package import Foundation

/// Makes the URL of a request from the path that its data gives and from the service's base URL.
package enum RequestURL {
  /// A service's base URL, parsed once. An invalid one fails each request with its reason.
  package typealias Base = Result<HTTPURL, HTTPURL.Invalid>

  package static func base(_ url: URL?) -> Base? { url.map { base($0.absoluteString) } }

  private static func base(_ text: String) -> Base {
    Result { () throws(HTTPURL.Invalid) in try absolute(URLReference(text)) }
  }

  /// - Parameters:
  ///   - path: an absolute URL, or a path that is appended to `base`; may have a query. A fragment isn't sent.
  ///   - baseItems: appended to the query that `path` has, if the URL has the origin of `base`.
  ///   - queryItems: appended to the query after `baseItems`.
  ///   - escaping: the characters of the items that stay raw.
  static func make(
    path: String, base: Base?, baseItems: [URLQueryItem] = [], queryItems: [URLQueryItem],
    escaping: QueryEncoder.Escaping = .strict
  ) throws(HTTPURL.Invalid) -> HTTPURL {
    if case .success(let base)? = base, baseItems.isEmpty, queryItems.isEmpty, let url = base.appending(plain: path) {
      return url
    }
    guard !path.utf8.contains(PathSegment.invalid) else {
      throw HTTPURL.Invalid(
        reason: "a path parameter is empty, \".\" or \"..\", or has such a segment")
    }
    let reference = try URLReference(path)
    // Transports resolve dots, so that a parameter could lead to another path.
    guard !DotSegments.contains(reference.beforeQuery) else {
      throw HTTPURL.Invalid(reason: "a path segment is \".\" or \"..\"")
    }
    if reference.isAbsolute {
      let url = try absolute(reference, base: try? base?.get())
      let items = ((has(url, originOf: base) ? baseItems : []) + queryItems).map(escaping.encoded)
      return items.isEmpty ? url : url.appending(path: "", items: items)
    }
    // `//host/path` names another host (RFC 3986, section 5.2.2), which must get no credentials of the base.
    guard reference.authority == nil else { throw HTTPURL.Invalid(reason: "it has a host but no scheme") }
    switch base {
    case .success(let base):
      let items = (baseItems + queryItems).map(escaping.encoded)
      return base.appending(path: reference.beforeQuery, query: reference.query, items: items)
    case .failure(let error): throw HTTPURL.Invalid(reason: "the base URL can't be used: \(error.reason)")
    case nil: throw HTTPURL.Invalid(reason: "it is relative, and the configuration has no base URL")
    }
  }

  /// Whether a URL has the origin of a base URL, to which the values of a configuration belong.
  package static func has(_ url: HTTPURL, originOf base: Base?) -> Bool {
    if case .success(let base) = base { base.hasSameOrigin(as: url) } else { false }
  }

  /// The URL of a path that must not lead away from its base: credentials and data are meant for the base alone.
  ///
  /// - Parameter name: the base in words, for an error.
  package static func url(of path: String, base: String, named name: String) throws(WebServiceError) -> HTTPURL {
    do throws(HTTPURL.Invalid) {
      guard try !URLReference(path).isAbsolute else {
        throw HTTPURL.Invalid(reason: "it is absolute, and is to be appended to \(name)")
      }
      return try make(path: path, base: Self.base(base), queryItems: [])
    } catch {
      throw .badURL(path, error.reason)
    }
  }

  private static func absolute(
    _ reference: URLReference, base: HTTPURL? = nil
  ) throws(HTTPURL.Invalid) -> HTTPURL {
    guard reference.authority?.utf8.contains(UInt8(ascii: "@")) != true else {
      throw HTTPURL.Invalid(reason: "user info in a URL isn't sent; use an authorization of type basic")
    }
    var url = try HTTPURL(reference, base: base)
    url.fragment = nil
    return url
  }
}

/// Encodes a parameter as one segment of a path, or as several.
enum PathSegment {
  /// Stands for a parameter that no segment can be made of, since an interpolation can't throw. `RequestURL` refuses a
  /// path that has this byte.
  static let invalid: UInt8 = 0

  /// The text with all but unreserved characters percent-encoded, or the byte `invalid`.
  ///
  /// `a/../b` is refused too, though a `/` that is percent-encoded separates nothing: some servers decode a path before
  /// they resolve its dots.
  static func encoded(_ text: String) -> String {
    let pieces = text.utf8.split(omittingEmptySubsequences: false) {
      // WHATWG URL treats a backslash as a slash.
      $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
    }
    let climbs = pieces.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    return text.isEmpty || climbs ? unencodable : text.percentEncoded(.everythingReserved)
  }

  /// Encodes each segment and keeps the slashes between segments, or returns the byte `invalid`. The path may end with one
  /// slash.
  static func encodedPath(_ text: String) -> String {
    let segments = text.split(separator: "/", omittingEmptySubsequences: false)
    let named = segments.count > 1 && segments.last == "" ? segments.dropLast() : segments[...]
    guard !named.contains("") else { return unencodable }
    let path = named.map { encoded(String($0)) }.joined(separator: "/")
    return named.count < segments.count ? path + "/" : path
  }

  private static var unencodable: String { String(decoding: [invalid], as: UTF8.self) }
}

extension DefaultStringInterpolation {
  /// Inserts a parameter into a path as one segment or a part of one: `"users/\(segment: name)/posts"`.
  ///
  /// The server receives the parameter unchanged. Everything but letters, digits, `-`, `.`, `_` and `~` is
  /// percent-encoded once, also a `/`, a `?` and a `%`. A parameter that could lead to another path fails the request
  /// with an error of the kind `.badURL`. Such parameters are empty, `.` or `..`, or have `.` or `..` between slashes.
  public mutating func appendInterpolation(segment value: some CustomStringConvertible) {
    appendLiteral(PathSegment.encoded(value.description))
  }

  /// Puts a parameter into a path as one or more segments, whose slashes separate them: `"files/\(segments: key)"`.
  ///
  /// Each segment is encoded and checked as `segment:` does. An empty segment ends the request with an error of kind
  /// `.badURL` too, but for one slash at the end.
  public mutating func appendInterpolation(segments value: some CustomStringConvertible) {
    appendLiteral(PathSegment.encodedPath(value.description))
  }
}
