import Foundation

extension CachedResponse {
  /// The most seconds that the wall clock may be set back. After a larger step the age is unknown.
  private static let clockTolerance: TimeInterval = 60

  /// The age of the response in seconds. The age is infinite, and the response stale, if the clock was set back to long
  /// before the response was received.
  func age(at now: Date) -> TimeInterval {
    let resident = now.timeIntervalSince(responseTime)
    guard resident >= -Self.clockTolerance else { return .infinity }
    return facts.initialAge + max(0, resident)
  }

  /// The response for delivery, with its `Age` in whole seconds (RFC 9111, section 5.1).
  ///
  /// - Parameters:
  ///   - method: the method of the request.
  ///   - range: the requested part.
  ///   - isConfirmed: whether the server has just confirmed the response. Otherwise the fields that `no-cache` names
  ///     are left out.
  func webServiceResponse(
    to method: HTTPMethod, range: CacheRange? = nil, at now: Date, isConfirmed: Bool
  ) -> WebServiceResponse {
    var (statusCode, headers, body) = (statusCode, headers, body)
    if case .part(let offsets) = CacheRange.share(range, of: self) {
      statusCode = 206
      (headers, body) = part(offsets)
    }
    if !isConfirmed, !facts.noCacheFields.isEmpty { headers.remove(FieldNames(facts.noCacheFields)) }
    let age = max(0, min(age(at: now), TimeInterval(CacheControl.secondsLimit)))
    headers["Age"] = String(Int(age))
    return WebServiceResponse(
      statusCode: statusCode, headers: headers, url: url, body: method == .head ? Data() : body)
  }

  /// Returns a copy with the header fields of a 304 response. Fields that describe the stored content stay (RFC 9111,
  /// sections 3.2 and 4.3.4).
  ///
  /// - Parameters:
  ///   - response: the header fields of the 304 response.
  ///   - request: the header fields of the request. The new `Vary` may name other fields than before.
  func freshened(
    by response: HTTPHeaders, to request: HTTPHeaders, salt: Data, requestTime: Date, responseTime: Date
  ) -> CachedResponse {
    var newer = response.withoutConnectionFields
    for name in ["Content-Length", "Content-Encoding", "Content-Type", "Content-Range"] { newer.remove(name) }
    var updated = headers
    // The former response's age and date don't apply to the copy.
    updated.remove("Age")
    updated.remove("Date")
    updated.merge(newer)
    return CachedResponse(
      method: method, url: url, statusCode: statusCode, headers: updated, body: body, requestTime: requestTime,
      responseTime: responseTime, identity: identity,
      variant: Self.variant(of: request, to: method, updated, salt: salt), isDecoded: isDecoded)
  }

  /// Whether the response may be delivered when the server fails. A stored error may not.
  var canStandIn: Bool { statusCode < 400 }

  /// Whether a 304 confirms this response. A 304 without a tag confirms the response whose validators were sent (RFC
  /// 9111, section 4.3.4).
  func isConfirmed(by response: WebServiceResponse) -> Bool {
    guard let tag = EntityTag(response.headers) else { return true }
    return EntityTag(headers).map(tag.confirms) ?? false
  }

  /// Whether the response to a HEAD request describes this response's content: no status, validator or length differs.
  func hasSameContent(as head: CachedResponse) -> Bool {
    guard statusCode == head.statusCode else { return false }
    return ["ETag", "Last-Modified", "Content-Length"].allSatisfy { name in
      guard let newer = head.headers[name] else { return true }
      // Decompression has removed the stored response's length, so lengths can't be compared.
      if name == "Content-Length", headers[name] == nil { return true }
      return newer == headers[name]
    }
  }
}

// MARK: Storing (RFC 9111, section 3, by the rules of a private cache)

extension CachedResponse {
  // The cache checks the status of every response, and a `switch` is faster than a set.

  /// Whether a response with this status may count as fresh without an expiry (RFC 9110, section 15.1).
  static func isHeuristic(_ statusCode: Int) -> Bool {
    switch statusCode {
    case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
    default: false
    }
  }

  /// Whether the cache knows the meaning of the status.
  static func isUnderstood(_ statusCode: Int) -> Bool {
    switch statusCode {
    case 302, 303, 307: true
    default: isHeuristic(statusCode)
    }
  }

  /// Whether a response with this status may be stored: the status is final and describes the resource. Other statuses
  /// describe only one request: its credentials (401, 407), its conditions (412, 416, 417), its connection or its time
  /// (408, 421, 425). RFC 6585 forbids to store 428, 429, 431 and 511.
  fileprivate static func isStorable(_ statusCode: Int) -> Bool {
    switch statusCode {
    case 304, 401, 407, 408, 412, 416, 417, 421, 425, 428, 429, 431, 511: false
    default: (200...599).contains(statusCode)
    }
  }

  /// Whether the response may be stored, and a later request could use it.
  func mayBeStored(for request: TransportRequest, _ rules: ResponseCache.Rules) -> Bool {
    guard method == .get || method == .head, Self.isStorable(statusCode), facts.varyingNames != nil,
      !CacheControl(request.headers).contains("no-store"), method == .head || isComplete, !facts.isNoStore
    else { return false }
    // A part needs a `Content-Range`. Decoded bytes have other offsets than the server's.
    if statusCode == 206, contentRange == nil || isDecoded || CacheRange(request) == nil { return false }
    // An expiry, `public` or `private` allows any status. `must-understand` allows only statuses that the cache knows
    // (RFC 9111, section 3).
    guard Self.isHeuristic(statusCode) || facts.isDeclaredCacheable,
      Self.isUnderstood(statusCode) || !facts.mustBeUnderstood
    else { return false }
    return isUseful(rules)
  }

  /// Whether the body has the length in `Content-Length`. An app's own session may deliver a truncated response as a
  /// success.
  private var isComplete: Bool {
    guard let length = headers["Content-Length"], headers["Content-Encoding"] == nil else { return true }
    return Int(length) == body.count
  }

  /// Whether the response can be reused or confirmed. Any other response would only take space.
  private func isUseful(_ rules: ResponseCache.Rules) -> Bool {
    if !facts.conditions.isEmpty { return true }
    // A `no-cache` response needs a confirmation before each use, but has no validator to ask for one.
    guard !facts.isNoCache else { return false }
    let lifetime = facts.lifetime(heuristicLimit: rules.heuristicLimit)
    if facts.mustRevalidate { return lifetime > 0 }
    if lifetime > 0 || facts.staleWhileRevalidate > 0 { return true }
    return canStandIn && (facts.staleIfError ?? rules.staleIfError) > 0
  }
}

extension WebServiceResponse {
  /// Whether the response may be stored, by its status and `Cache-Control` alone. This check saves most other responses
  /// the work of a `CachedResponse`.
  var mayBeStored: Bool {
    guard CachedResponse.isStorable(statusCode) else { return false }
    var lines = 0
    var isPlain = false
    let fields = headers.fields
    // An element would be a copy of both strings; an index copies nothing.
    for index in fields.indices where fields[index].name.equalsIgnoringASCIICase("Cache-Control") {
      lines += 1
      isPlain = fields[index].value == "no-store"
    }
    // Most servers forbid storing with `no-store` alone, which needs no parser.
    if lines == 0 || (lines == 1 && isPlain) { return lines == 0 }
    return !CacheControl(headers).isNoStore
  }
}

extension HTTPHeaders {
  private static let connectionFields = FieldNames([
    "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
  ])

  /// Returns a copy without the fields that apply only to one connection, and without the fields that `Connection`
  /// names.
  var withoutConnectionFields: HTTPHeaders {
    let named = values(for: "Connection").flatMap(\.fieldNames)
    var headers = self
    headers.remove(Self.connectionFields)
    if !named.isEmpty { headers.remove(FieldNames(named)) }
    return headers
  }
}
