import Foundation

/// Makes a request for the transport from the caller's request data and the configuration, or fails with the reason.
/// The first station of a request calls it.
package enum RequestDescription {
  /// The library and its version, for requests that set no `User-Agent` of their own.
  private static let userAgent = "FeatherRESTClient/\(Version.current)"

  /// - Parameters:
  ///   - options: the request's own.
  ///   - accept: the media types that will be understood.
  ///   - engine: has the configuration, and its base URL taken apart. The configuration isn't passed, because passing
  ///     the value copies it.
  ///   - context: the fields of the configuration's `contextHeaders`.
  package static func transportRequest(
    for data: some WebServiceRequestData, options: RequestOptions, accept: String, engine: Engine,
    context: HTTPHeaders = HTTPHeaders()
  ) throws(WebServiceError) -> TransportRequest {
    let method = data._method
    // Some transports would send CR and LF in a method as they are.
    guard method.isValid else { throw .invalid("the method contains a character that isn't allowed") }
    var timeouts = options.timeouts
    // The engine's timer limits the whole transfer, so the transport keeps none.
    timeouts.whole = TransportRequest.Timeouts.longest
    for case let timeout? in [options.timeout ?? engine.configuration.timeout, timeouts.connect, timeouts.idle]
    where !(timeout > 0 && timeout <= TransportRequest.Timeouts.longest) {
      throw .invalid("the timeout of \(timeout) s is not between 0 and half a year")
    }
    let items = try encoding("query") { try data._query.map { try engine.configuration.queryEncoder.encode($0) } ?? [] }
    let url: HTTPURL
    do {
      url = try RequestURL.make(
        path: data.path, base: engine.base, baseItems: engine.configuration.queryItems,
        queryItems: data._queryItems + items, escaping: engine.configuration.queryEscaping)
    } catch { throw WebServiceError(.badURL, phase: .describe, message: error.reason) }
    if options.needsSecureURL, !url.origin.isSecure, !url.origin.isLoopback {
      throw WebServiceError(
        .badURL, phase: .describe, message: "http would send the secrets of the request in clear; use https")
    }
    let body = data._body
    let content = try encoding("body") { try body?.content(engine.configuration) ?? TransportBody.none }
    let headers = try headers(
      for: data, adding: baseHeaders(for: url, engine: engine, context: context), body: body, accept: accept)
    return TransportRequest(
      method: method, url: .parsed(url), headers: headers, body: content, timeouts: timeouts,
      responseLimit: engine.configuration.responseLimit, options: options,
      followsRedirects: (options.redirects ?? engine.configuration.redirects).isFollowing, isHeadChecked: true)
  }

  /// The configuration's header fields for a URL: all for the origin of the base URL, and the harmless ones for others.
  private static func baseHeaders(
    for url: HTTPURL, engine: Engine, context: HTTPHeaders
  ) throws(WebServiceError) -> HTTPHeaders {
    var all = engine.configuration.headers
    all.merge(context)
    if all.isEmpty && engine.configuration.queryItems.isEmpty || RequestURL.has(url, originOf: engine.base) {
      return all
    }
    let harmless = all.withoutCredentials(engine.configuration.redaction)
    // Without a base URL no request would get the values, and nothing would say so.
    guard engine.base != nil || harmless.count == all.count && engine.configuration.queryItems.isEmpty else {
      throw .invalid(
        "the configuration has header fields or query items, but no base URL that they are for; set its baseURL")
    }
    return harmless
  }

  private static func headers(
    for data: some WebServiceRequestData, adding baseHeaders: HTTPHeaders, body: RequestBody?, accept: String
  ) throws(WebServiceError) -> HTTPHeaders {
    var headers = baseHeaders
    headers.merge(data._headers)
    // Room for the four fields below.
    headers.reserveCapacity(headers.count + 4)
    if let contentType = body?.contentType, headers["Content-Type"] == nil {
      headers.add(name: "Content-Type", value: contentType)
    }
    if body?.isCompressed == true {
      // The codings in the order in which they were applied (RFC 9110, section 8.4).
      let applied = headers.values(for: "Content-Encoding") + ["gzip"]
      headers["Content-Encoding"] = applied.joined(separator: ", ")
    }
    if headers["Accept"] == nil { headers.add(name: "Accept", value: accept) }
    if headers["User-Agent"] == nil { headers.add(name: "User-Agent", value: userAgent) }
    // Some transports send CR and LF in a name as they are, and drop a field whose value has them.
    if let field = headers.firstInvalidField {
      throw .invalid(
        field.name.utf8.isHTTPToken
          ? "the value of the header \(field.name) holds a control character"
          : "the name of a header contains a character that isn't allowed")
    }
    return headers
  }

  private static func encoding<Value>(_ part: String, _ encode: () throws -> Value) throws(WebServiceError) -> Value {
    do { return try encode() } catch {
      // The descriptions of the library's own errors name the place and never the value. Other errors are only
      // underlying ones.
      let words =
        switch error {
        case let error as RequestBodyError: ": \(error.description)"
        case let error as BodyFailure: ": \(error.description)"
        case EncodingError.invalidValue(_, let context) where !context.codingPath.isEmpty:
          ", at \(context.codingPath.map(\.stringValue).joined(separator: "."))"
        default: ""
        }
      throw .invalid("the \(part) can't be encoded\(words)", underlying: error)
    }
  }
}

extension WebServiceError {
  /// The failure of a request that can't be sent as described.
  fileprivate static func invalid(_ message: String, underlying: (any Error)? = nil) -> WebServiceError {
    WebServiceError(.invalidRequest, phase: .describe, message: message, underlying: underlying)
  }
}
