import Foundation

/// The facts about a response that decide its reuse: how long it is fresh, how it is confirmed, and which requests it
/// fits. Parsed once, when the response is received or read from the store.
struct CacheFacts: Hashable, Sendable {
  /// When the server made the response. Without a `Date` field it is the time when the response was received.
  let date: Date
  /// The age of the response when it was received, in seconds (RFC 9111, section 4.2.3).
  let initialAge: TimeInterval
  /// How long the response is fresh by its own fields, in seconds; `nil` if no field says so.
  let explicitLifetime: TimeInterval?
  /// How long the response counts as fresh without such a field: a tenth of the time that it had been unchanged (RFC
  /// 9111, section 4.2.2).
  let heuristicLifetime: TimeInterval?
  let isNoStore: Bool
  /// Whether an expiry, `public` or `private` allows the response to be stored with any status.
  let isDeclaredCacheable: Bool
  /// Whether the response may be stored only by a cache that knows its status.
  let mustBeUnderstood: Bool
  /// Whether no two versions of the content share its date (RFC 9110, section 8.8.2.2).
  let isLastModifiedStrong: Bool
  /// Whether the server has to confirm every use.
  let isNoCache: Bool
  /// The fields whose use the server has to confirm.
  let noCacheFields: [String]
  /// Whether the response must never be used stale (RFC 9111, section 5.2.2.2).
  let mustRevalidate: Bool
  /// Whether the response won't change while it is fresh (RFC 8246).
  let isImmutable: Bool
  /// How many seconds after its lifetime the response may be used while the server is asked (RFC 5861, section 3).
  let staleWhileRevalidate: TimeInterval
  /// How many seconds after its lifetime the response may be used when the server fails (RFC 5861, section 4).
  let staleIfError: TimeInterval?
  /// The fields for a request that asks the server to confirm the response: `If-None-Match`, `If-Modified-Since`.
  let conditions: HTTPHeaders
  /// The names in `Vary`, see `CachedResponse.varyingNames`; `nil` when the response matches no other request.
  let varyingNames: [String]?

  /// The most field names of a `no-cache` directive that are kept, since every delivery looks them up. With more of
  /// them, every use has to be confirmed.
  static let noCacheFieldLimit = 64

  init(method: HTTPMethod, statusCode: Int, headers: HTTPHeaders, requestTime: Date, responseTime: Date) {
    let control = CacheControl(headers)
    let sent = headers["Date"].flatMap { HTTPDate.date(from: $0, now: responseTime) }
    let date = sent ?? responseTime
    let lastModified = headers["Last-Modified"].flatMap { HTTPDate.date(from: $0, now: responseTime) }
    self.date = date
    initialAge = Self.initialAge(headers, date: date, requestTime: requestTime, responseTime: responseTime)
    explicitLifetime = Self.explicitLifetime(control, headers, date: date, now: responseTime)
    // Other statuses count as fresh without an expiry only if the server marks them as `public` (RFC 9111, section
    // 4.2.2).
    let isHeuristic = CachedResponse.isHeuristic(statusCode) || control.contains("public")
    heuristicLifetime = isHeuristic ? lastModified.map { max(0, date.timeIntervalSince($0) / 10) } : nil
    isNoStore = control.isNoStore
    isDeclaredCacheable = explicitLifetime != nil || control.contains("public") || control.contains("private")
    mustBeUnderstood = control.contains("must-understand")
    // Dates in header fields have whole seconds: content that changed within the second of its date could change again
    // unseen.
    isLastModifiedStrong = lastModified.flatMap { changed in sent.map { $0.timeIntervalSince(changed) >= 1 } } ?? false
    let noCacheFields = control.noCacheFields
    let hasTooMany = noCacheFields.count > Self.noCacheFieldLimit
    isNoCache = control.isNoCache || hasTooMany
    self.noCacheFields = hasTooMany ? [] : noCacheFields
    mustRevalidate = control.contains("must-revalidate")
    isImmutable = control.contains("immutable")
    staleWhileRevalidate = TimeInterval(control.seconds(of: "stale-while-revalidate") ?? 0)
    staleIfError = control.seconds(of: "stale-if-error").map(TimeInterval.init)
    // Both validators are sent, because an old cache on the way may know only the date (RFC 9111, section 4.3.1).
    var conditions = HTTPHeaders()
    if let tag = EntityTag(headers) { conditions.add(name: "If-None-Match", value: tag.text) }
    if lastModified != nil { conditions["If-Modified-Since"] = headers["Last-Modified"] }
    self.conditions = conditions
    varyingNames = CachedResponse.varyingNames(in: headers, method: method)
  }

  /// How long the response is fresh, in seconds from when it was made.
  func lifetime(heuristicLimit: TimeInterval) -> TimeInterval {
    explicitLifetime ?? heuristicLifetime.map { min($0, heuristicLimit) } ?? 0
  }

  private static func initialAge(
    _ headers: HTTPHeaders, date: Date, requestTime: Date, responseTime: Date
  ) -> TimeInterval {
    // The larger of two estimates: by the clocks, and by the caches on the way plus the time of the transfer.
    let apparent = max(0, responseTime.timeIntervalSince(date))
    // The first member counts if several caches have added one (RFC 9111, section 5.1).
    let announced = headers["Age"].map { $0.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces) }
    let delay = max(0, responseTime.timeIntervalSince(requestTime))
    return max(apparent, TimeInterval(announced.flatMap(CacheControl.seconds) ?? 0) + delay)
  }

  private static func explicitLifetime(
    _ control: CacheControl, _ headers: HTTPHeaders, date: Date, now: Date
  ) -> TimeInterval? {
    // `max-age` overrides `Expires` (RFC 9111, section 5.3). `s-maxage` is for shared caches only (section 5.2.2.10).
    if let maxAge = control.maxAge { return TimeInterval(maxAge) }
    guard let expires = headers["Expires"] else { return nil }
    // Text that isn't a date counts as past (RFC 9111, section 5.3).
    guard let end = HTTPDate.date(from: expires, now: now) else { return 0 }
    return max(0, end.timeIntervalSince(date))
  }
}

/// A validator of a response's content (RFC 9110, section 8.8.3).
struct EntityTag: Hashable, Sendable {
  let isWeak: Bool
  /// The tag with its quotes.
  private let opaque: String

  /// Reads the value of an `ETag` field; `nil` when it isn't one.
  init?(_ text: String) {
    isWeak = text.hasPrefix("W/")
    opaque = isWeak ? String(text.dropFirst(2)) : text
    let bytes = opaque.utf8
    // The bytes of `etagc` (RFC 9110, section 8.8.3). A malformed tag is never sent back to the server.
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\""),
      bytes.dropFirst().dropLast().allSatisfy({ $0 == 0x21 || $0 >= 0x23 && $0 != 0x7F })
    else { return nil }
  }

  init?(_ headers: HTTPHeaders) {
    guard let text = headers["ETag"], let tag = EntityTag(text) else { return nil }
    self = tag
  }

  /// The value of the field.
  var text: String { isWeak ? "W/" + opaque : opaque }

  /// Whether "not modified" with this tag confirms a response with the stored tag. A strong tag confirms only the same
  /// strong tag (RFC 9111, section 4.3.4).
  func confirms(_ stored: EntityTag) -> Bool {
    opaque == stored.opaque && (isWeak || !stored.isWeak)
  }
}
