extension RequestRun {
  /// The library and its version, for requests that set no `User-Agent` of their own.
  private static let userAgent = "FeatherRESTClient/\(Version.current)"

  /// The header fields of a described request, with those of the configuration: all for the origin of the base URL, and
  /// the harmless ones for others.
  func headers(
    for url: HTTPURL, body: RequestBody?, _ credentials: AttachedCredentials?
  ) throws(WebServiceError) -> HTTPHeaders {
    let own = data._headers
    var headers = engine.configuration.headers
    headers.merge(contextHeaders)
    let hasItems = !engine.configuration.queryItems.isEmpty
    if hasItems || !headers.isEmpty, !RequestURL.has(url, originOf: engine.base) {
      let count = headers.count
      headers = headers.withoutCredentials(engine.configuration.redaction)
      // Without a base URL no request would get the values, and nothing would say so.
      guard engine.base != nil || headers.count == count && !hasItems else {
        throw .invalid(
          "the configuration has header fields or query items, but no base URL that they are for; set its baseURL")
      }
    }
    // Room for the five fields below too.
    headers.reserveCapacity(headers.count + own.count + 5)
    headers.merge(own)
    if let contentType = body?.contentType, headers["Content-Type"] == nil {
      headers.add(name: "Content-Type", value: contentType)
    }
    if body?.compress != nil {
      // The codings in the order in which they were applied (RFC 9110, section 8.4).
      let applied = headers.values(for: "Content-Encoding") + ["gzip"]
      headers["Content-Encoding"] = applied.joined(separator: ", ")
    }
    if headers["Accept"] == nil { headers.add(name: "Accept", value: accept) }
    // Some transports send CR and LF in a name as they are, and drop a field whose value has them.
    if let field = headers.firstInvalidField {
      // A value that was written into the name, as in `Authorization: Bearer …`, may be a secret.
      let start = Substring(field.name.utf8.prefix { [$0].isHTTPToken })
      throw .invalid(
        field.name.utf8.isHTTPToken
          ? "the value of the header \(field.name) holds a control character"
          : "the name of the header contains a character that isn't allowed, behind \"\(start)\"")
    }
    // The last fields need no check: one is the library's own, and credentials are checked when they are made.
    if headers["User-Agent"] == nil { headers.add(name: "User-Agent", value: Self.userAgent) }
    if let credentials { headers.attach(credentials.fields) }
    return headers
  }
}
