import Foundation

extension CachedResponse {
  /// How old it is, in seconds.
  func age(at now: Date) -> TimeInterval { facts.age(at: now, responseTime: responseTime) }

  /// The answer as it is handed out, with its `Age` in whole seconds (RFC 9111, section 5.1).
  ///
  /// - Parameters:
  ///   - method: of the request.
  ///   - range: the part that the request asks for.
  ///   - isConfirmed: whether the server was asked: what it wants confirmed is else left out.
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

  /// The stored answer after the server confirmed it: the newer fields, but those that describe the content as it is
  /// stored (RFC 9111, sections 3.2 and 4.3.4).
  ///
  /// - Parameter request: the fields of the request that was answered: the newer `Vary` may name others.
  func freshened(
    by response: WebServiceResponse, to request: HTTPHeaders, salt: Data, requestTime: Date, responseTime: Date
  ) -> CachedResponse {
    var newer = response.headers.withoutConnectionFields
    for name in ["Content-Length", "Content-Encoding", "Content-Type", "Content-Range"] { newer.remove(name) }
    var updated = headers
    // What said how old the former answer was says nothing about this one.
    updated.remove("Age")
    updated.remove("Date")
    updated.merge(newer)
    let names = VaryingFields.names(in: updated, method: method) ?? []
    return CachedResponse(
      method: method, url: url, statusCode: statusCode, headers: updated, body: body, requestTime: requestTime,
      responseTime: responseTime, identity: identity,
      variant: VaryingFields.digest(of: request, names: names, salt: salt), isDecoded: isDecoded)
  }

  /// Whether it may stand in for a server that fails: an error that was stored helps nobody.
  var canStandIn: Bool { statusCode < 400 }

  /// Whether "not modified" speaks of this answer.
  func isConfirmed(by response: WebServiceResponse) -> Bool {
    guard let tag = response.headers["ETag"].flatMap(EntityTag.init) else { return true }
    guard let own = headers["ETag"].flatMap(EntityTag.init) else { return false }
    return tag.confirms(own)
  }

  /// Whether it may stay in the store as it is now.
  func isStorable(
    _ response: WebServiceResponse, to request: TransportRequest, rules: CacheRules
  ) -> Bool {
    // The body was complete when it was stored, whatever its length says since.
    var response = response
    response.headers.remove("Content-Length")
    return CacheStorability.canStore(response, as: self, to: request, rules: rules)
  }

  /// Whether a head is that of this answer, as far as its validators and its length tell.
  func hasSameContent(as head: CachedResponse) -> Bool {
    guard statusCode == head.statusCode else { return false }
    return ["ETag", "Last-Modified", "Content-Length"].allSatisfy { name in
      guard let newer = head.headers[name] else { return true }
      // An answer that was decompressed has no length any more.
      if name == "Content-Length", headers[name] == nil { return true }
      return newer == headers[name]
    }
  }
}

extension HTTPHeaders {
  private static let connectionFields = FieldNames([
    "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
  ])

  /// The fields without those that were for one connection only, and those that `Connection` names.
  var withoutConnectionFields: HTTPHeaders {
    let named = values(for: "Connection").flatMap { value in
      value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map(String.init)
    }
    var headers = self
    headers.remove(Self.connectionFields)
    if !named.isEmpty { headers.remove(FieldNames(named)) }
    return headers
  }
}
