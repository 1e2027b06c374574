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

  /// The bytes of the response to deliver for a request, which may ask for a range; `nil` if the request has to be
  /// sent.
  func share(for request: TransportRequest) -> (offsets: Range<Int>, isPart: Bool)? {
    let whole = (0..<response.body.count, false)
    // A range counts only if the response would be 200 without it.
    guard let wanted = CacheRange(request), response.statusCode == 200 else { return whole }
    if let condition = wanted.condition {
      // Only the server judges a date (RFC 9110, section 13.1.5).
      guard condition.isEntityTag else { return nil }
      if condition.isWeakTag || condition != response.headers.entityTag { return whole }
    }
    // The server counts the offsets of the content before it was decoded.
    return response.isDecoded ? nil : wanted.offsets(in: Int64(response.body.count)).map { ($0, true) }
  }

  /// The response for delivery, with its `Age` in whole seconds (RFC 9111, section 5.1).
  ///
  /// - Parameters:
  ///   - request: the request, which may ask for a part.
  ///   - now: the wall clock's time.
  ///   - isConfirmed: whether the server has just confirmed the response. Otherwise the fields that `no-cache` names
  ///     are left out.
  func delivery(to request: TransportRequest, at now: Date, isConfirmed: Bool) -> WebServiceResponse {
    var delivered = response
    var headers = response.headers
    if let (offsets, isPart) = share(for: request), isPart {
      delivered.statusCode = 206
      delivered.body = Data(response.body.dropFirst(offsets.lowerBound).prefix(offsets.count))
      headers["Content-Range"] = "bytes \(offsets.lowerBound)-\(offsets.upperBound - 1)/\(response.body.count)"
      headers["Content-Length"] = "\(offsets.count)"
    }
    if !isConfirmed { headers.remove(facts.control.noCacheFields) }
    headers["Age"] = String(Int(min(age(at: now), TimeInterval(CacheControl.secondsLimit))))
    delivered.headers = headers
    if request.method == .head { delivered.body = Data() }
    return delivered
  }

  /// Returns a copy with the header fields and the metrics of a 304 response. Fields that describe the stored content
  /// stay (RFC 9111, sections 3.2 and 4.3.4).
  ///
  /// - Parameters:
  ///   - newer: the 304 response.
  ///   - request: the header fields of the request. The new `Vary` may name other fields than before.
  func freshened(by newer: WebServiceResponse, to request: HTTPHeaders, requestTime: Date, responseTime: Date) -> Self {
    var fields = newer.headers.withoutConnectionFields
    fields.remove(["Content-Length", "Content-Encoding", "Content-Type"])
    var updated = response
    updated.metrics = newer.metrics
    // The former response's age and date don't apply to the copy.
    updated.headers.remove(["Age", "Date"])
    updated.headers.merge(fields)
    return CachedResponse(updated, to: request, requestTime: requestTime, responseTime: responseTime)
  }

  /// Whether a 304 confirms this response. A 304 without a tag confirms the response whose validators were sent. A
  /// strong tag confirms only the same strong tag (RFC 9111, section 4.3.4).
  func isConfirmed(by response: WebServiceResponse) -> Bool {
    guard let tag = response.headers.entityTag else { return true }
    return self.response.headers.entityTag.map { tag == $0 || tag == "W/" + $0 } ?? false
  }

  /// Whether a newer response to HEAD or a newer part shows by its validators, or by the length, that this whole
  /// content has changed.
  func isOutdated(by newer: WebServiceResponse) -> Bool {
    let length = newer.statusCode == 200 ? newer.headers["Content-Length"]?.httpNumber : nil
    if let length, length != Int64(response.body.count) { return true }
    return ["ETag", "Last-Modified"].contains { name in
      guard let newer = newer.headers[name], let older = response.headers[name] else { return false }
      return newer != older
    }
  }

  // MARK: Storing (RFC 9111, section 3, by the rules of a private cache)

  /// Whether the response to a cacheable GET may be stored, and a later request could use it.
  func mayBeStored(_ rules: ResponseCache.Rules) -> Bool {
    let (status, control) = (response.statusCode, facts.control)
    // An app's own session may deliver a truncated response as a success.
    let length = response.headers["Content-Encoding"] == nil ? response.headers["Content-Length"] : nil
    if let length, Int(length) != response.body.count { return false }
    guard response.mayBeStored(control), facts.varyingNames != nil else { return false }
    // An expiry, `public` or `private` allows any status. `must-understand` allows only statuses that the cache knows
    // (RFC 9111, section 3).
    let isDeclared = facts.explicitLifetime != nil || control.contains("public") || control.contains("private")
    guard CacheFacts.isHeuristic(status) || isDeclared,
      CacheFacts.isUnderstood(status) || !control.contains("must-understand")
    else { return false }
    // The response has to be of use later: it can be confirmed, is fresh, or may be used stale. A `no-cache` response
    // needs a confirmation before each use, but may have no validator to ask for one.
    if !facts.conditions.isEmpty { return true }
    guard !facts.control.isNoCache else { return false }
    if facts.lifetime(rules) > 0 { return true }
    guard !facts.mustRevalidate else { return false }
    return facts.staleWhileRevalidate > 0 || canStandIn && (facts.staleIfError ?? rules.staleIfError) > 0
  }
}

extension WebServiceResponse {
  /// Whether the response may be stored, by its status and `Cache-Control` alone. The status is final and describes the
  /// resource. Other statuses describe only one request: its range or conditions (206, 412, 416, 417), its credentials
  /// (401, 407), its connection or its time (408, 421, 425). RFC 6585 forbids to store 428, 429, 431 and 511.
  func mayBeStored(_ control: @autoclosure () -> CacheControl) -> Bool {
    let transient = [206, 304, 401, 407, 408, 412, 416, 417, 421, 425, 428, 429, 431, 511]
    // Most servers forbid storing with `no-store` alone, which needs no parser.
    return (200...599).contains(statusCode) && !transient.contains(statusCode)
      && headers["Cache-Control"] != "no-store" && !control().isNoStore
  }
}

extension HTTPHeaders {
  private static let connectionFields = [
    "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
  ]

  /// Returns a copy without the fields that apply only to one connection, and without the fields that `Connection`
  /// names.
  var withoutConnectionFields: HTTPHeaders {
    var headers = self
    headers.remove(Self.connectionFields + values(for: "Connection").flatMap(\.fieldNames))
    return headers
  }
}

/// The range that a request asks for (RFC 9110, section 14.2).
struct CacheRange {
  private let range: HTTPHeaders.ByteRange
  /// The value of `If-Range`.
  fileprivate let condition: String?

  /// Reads the range of a GET; `nil` without a range, or with several of them, which only the server can judge.
  init?(_ request: TransportRequest) {
    guard request.method == .get, let value = request.headers["Range"], let range = HTTPHeaders.ByteRange(value),
      request.headers.values(for: "Range").count == 1
    else { return nil }
    self.range = range
    condition = request.headers["If-Range"]
  }

  /// The offsets in content of a length; `nil` when there are none (416, which is the server's to say).
  fileprivate func offsets(in total: Int64) -> Range<Int>? {
    let offsets =
      switch range {
      case .bytes(let bytes): bytes.lowerBound..<max(bytes.lowerBound, min(bytes.upperBound, total - 1) + 1)
      case .from(let first): first..<max(first, total)
      case .last(let count): max(0, total - count)..<total
      }
    return offsets.isEmpty ? nil : Int(offsets.lowerBound)..<Int(offsets.upperBound)
  }
}
