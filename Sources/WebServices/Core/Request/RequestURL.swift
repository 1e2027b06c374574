package import Foundation

/// Makes the URL of a request from the path that its data gives and from the service's base URL.
package enum RequestURL {
  /// A service's base URL, parsed once. An invalid one fails each request with its reason.
  package typealias Base = Result<HTTPURL, HTTPURL.Invalid>

  package static func base(_ url: URL?) -> Base? { url.map { base($0.absoluteString) } }

  package static func base(_ text: String) -> Base {
    Result { () throws(HTTPURL.Invalid) in try absolute(URLReference(text)) }
  }

  /// - Parameters:
  ///   - path: an absolute URL, or a path that is appended to `base`; may have a query. A fragment isn't sent.
  ///   - baseItems: appended to the query that `path` has, if the URL has the origin of `base`. A server's link has
  ///     repeated the items of its request, so an absolute URL gets no item whose name it has.
  ///   - queryItems: appended to the query after `baseItems`.
  ///   - escaping: the characters of the items that stay raw.
  ///   - last: the origin of the last absolute URL; `nil` where none is kept.
  static func make(
    path: String, base: Base?, baseItems: [URLQueryItem] = [], queryItems: [URLQueryItem],
    escaping: QueryEncoder.Escaping = .strict, last: Locked<URLOrigin?>? = nil
  ) throws(HTTPURL.Invalid) -> HTTPURL {
    if baseItems.isEmpty, let url = (try? base?.get())?.appending(plain: path) ?? HTTPURL(plain: path, last: last) {
      return queryItems.isEmpty ? url : url.appending(path: "", items: queryItems.map(escaping.encoded))
    }
    guard !path.utf8.contains(PathSegment.invalid) else {
      throw HTTPURL.Invalid(reason: "a path parameter is empty, \".\" or \"..\", or has such a segment")
    }
    let reference = try URLReference(path)
    // Transports resolve dots, so that a parameter could lead to another path.
    guard !DotSegments.contains(reference.beforeQuery) else {
      throw HTTPURL.Invalid(reason: "a path segment is \".\" or \"..\"")
    }
    if reference.isAbsolute {
      let url = try absolute(reference, base: try? base?.get())
      let isOfBase = has(url, originOf: base)
      let missing = baseItems.filter { item in isOfBase && !reference.queryItems.contains { $0.name == item.name } }
      let items = (missing + queryItems).map(escaping.encoded)
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
  package static func url(of path: String, base: Base?, named name: String) throws(HTTPURL.Invalid) -> HTTPURL {
    // Made first: its error names a path parameter that is refused.
    let url = try make(path: path, base: base, queryItems: [])
    guard try !URLReference(path).isAbsolute else {
      throw HTTPURL.Invalid(reason: "it is absolute, and is to be appended to \(name)")
    }
    return url
  }

  private static func absolute(_ reference: URLReference, base: HTTPURL? = nil) throws(HTTPURL.Invalid) -> HTTPURL {
    guard reference.authority?.utf8.contains(UInt8(ascii: "@")) != true else {
      throw HTTPURL.Invalid(reason: "user info in a URL isn't sent; use an authorization of type basic")
    }
    var reference = reference
    reference.fragment = nil
    return try HTTPURL(reference, base: base)
  }
}
