import Foundation

/// The facts about a response that decide its reuse: how long it is fresh, how it is confirmed, and which requests it
/// fits. Parsed once, when the response is received or read from the store.
struct CacheFacts: Sendable {
  /// The response's own directives.
  let control: CacheControl
  /// When the server made the response. Without a `Date` field it is the time when the response was received.
  let date: Date
  /// The age of the response when it was received, in seconds (RFC 9111, section 4.2.3).
  let initialAge: TimeInterval
  /// How long the response is fresh by its own fields, in seconds; `nil` if no field says so.
  let explicitLifetime: TimeInterval?
  /// How long the response counts as fresh without such a field: a tenth of the time that it had been unchanged (RFC
  /// 9111, section 4.2.2).
  private let heuristicLifetime: TimeInterval
  /// The fields for a request that asks the server to confirm the response: `If-None-Match`, `If-Modified-Since`.
  let conditions: HTTPHeaders
  /// The names in `Vary`, see `CachedResponse.varyingNames`; `nil` when the response matches no other request.
  let varyingNames: [String]?

  init(_ response: WebServiceResponse, requestTime: Date, responseTime: Date) {
    let headers = response.headers
    control = CacheControl(headers)
    func time(_ name: String) -> Date? { headers[name].flatMap { HTTPDate.date(from: $0, now: responseTime) } }
    let lastModified = time("Last-Modified")
    let date = time("Date") ?? responseTime
    self.date = date
    // The larger of two estimates: by the clocks, and by the caches on the way plus the time of the transfer.
    let apparent = responseTime.timeIntervalSince(date)
    // The first member counts if several caches have added one (RFC 9111, section 5.1).
    let announced = headers["Age"].map { $0.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces) }
    let delay = max(0, responseTime.timeIntervalSince(requestTime))
    // The clocks come last, because `max` ignores a second number that is NaN.
    initialAge = max(TimeInterval(announced.flatMap(CacheControl.seconds) ?? 0) + delay, apparent)
    // `max-age` overrides `Expires` (RFC 9111, section 5.3). `s-maxage` is for shared caches only (section 5.2.2.10).
    // Text that isn't a date counts as past (RFC 9111, section 5.3).
    let expires = headers["Expires"].map { _ in time("Expires").map { max(0, $0.timeIntervalSince(date)) } ?? 0 }
    explicitLifetime = control.maxAge ?? expires
    // Other statuses count as fresh without an expiry only if the server marks them as `public` (RFC 9111, section
    // 4.2.2).
    let isHeuristic = Self.isHeuristic(response.statusCode) || control.contains("public")
    heuristicLifetime = isHeuristic ? lastModified.map { max(0, date.timeIntervalSince($0) / 10) } ?? 0 : 0
    // Both validators are sent, because an old cache on the way may know only the date (RFC 9111, section 4.3.1).
    var conditions = HTTPHeaders()
    if let tag = headers.entityTag { conditions.add(name: "If-None-Match", value: tag) }
    if lastModified != nil { conditions["If-Modified-Since"] = headers["Last-Modified"] }
    self.conditions = conditions
    varyingNames = CachedResponse.varyingNames(in: headers)
  }

  /// Whether the response must never be used stale (RFC 9111, section 5.2.2.2).
  var mustRevalidate: Bool { control.contains("must-revalidate") }
  /// How many seconds after its lifetime the response may be used while the server is asked (RFC 5861, section 3).
  var staleWhileRevalidate: TimeInterval { control.time("stale-while-revalidate") ?? 0 }
  /// How many seconds after its lifetime the response may be used when the server fails (RFC 5861, section 4).
  var staleIfError: TimeInterval? { control.time("stale-if-error") }

  /// How long the response is fresh, in seconds from when it was made.
  func lifetime(_ rules: ResponseCache.Rules) -> TimeInterval {
    explicitLifetime ?? min(heuristicLifetime, rules.heuristicLimit)
  }

  /// Whether a response with this status may count as fresh without an expiry (RFC 9110, section 15.1). The RFC allows
  /// some errors too. But nobody expects a 404 for a day after the resource was made.
  static func isHeuristic(_ statusCode: Int) -> Bool { [200, 203, 204, 300, 301, 308].contains(statusCode) }

  /// Whether the cache knows the meaning of the status.
  static func isUnderstood(_ statusCode: Int) -> Bool {
    isHeuristic(statusCode) || [302, 303, 307, 404, 405, 410, 414, 501].contains(statusCode)
  }
}

extension String {
  /// Whether the text is an entity tag (RFC 9110, section 8.8.3). A malformed tag is never sent back to the server.
  var isEntityTag: Bool {
    let opaque = utf8.dropFirst(isWeakTag ? 2 : 0)
    return opaque.count >= 2 && opaque.first == UInt8(ascii: "\"") && opaque.last == UInt8(ascii: "\"")
      && opaque.dropFirst().dropLast().allSatisfy { $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F }
  }

  /// Whether the tag allows differences that don't change the meaning of the content.
  var isWeakTag: Bool { hasPrefix("W/") }
}

extension HTTPHeaders {
  /// The value of `ETag`, if it is an entity tag.
  var entityTag: String? { self["ETag"].flatMap { $0.isEntityTag ? $0 : nil } }
}
