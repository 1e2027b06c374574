import Foundation

/// What an answer says about its own use, read once when it is stored rather than at every look.
struct CacheFacts: Hashable, Sendable {
  /// When the server made the answer; when it came, where it doesn't say.
  let date: Date
  /// How old it was when it came, in seconds (RFC 9111, section 4.2.3).
  let initialAge: TimeInterval
  /// How long the server says that it is fresh, in seconds.
  let explicitLifetime: TimeInterval?
  /// How long it may be taken for fresh where the server doesn't say: a tenth of the time that it had been unchanged
  /// (RFC 9111, section 4.2.2).
  let heuristicLifetime: TimeInterval?
  /// Whether it must not be stored.
  let isNoStore: Bool
  /// Whether it may be stored whatever its status: it says how long it is fresh, or for whom it may be stored.
  let isDeclaredCacheable: Bool
  /// Whether it may be stored only by who knows its status.
  let mustBeUnderstood: Bool
  /// Whether no two versions of the content share its date (RFC 9110, section 8.8.2.2).
  let isLastModifiedStrong: Bool
  /// Whether every use has to be confirmed by the server.
  let isNoCache: Bool
  /// The fields whose use has to be confirmed.
  let noCacheFields: [String]
  /// Whether it can't be used stale, whatever happens.
  let mustRevalidate: Bool
  /// Whether it won't change while it is fresh (RFC 8246).
  let isImmutable: Bool
  /// How many seconds after it became stale it may be used while the server is asked (RFC 5861, section 3).
  let staleWhileRevalidate: TimeInterval
  /// How many seconds after it became stale it may be used where the server fails (RFC 5861, section 4); `nil` where
  /// nothing is said.
  let staleIfError: TimeInterval?
  /// The fields by which the server can tell whether it is still right: `If-None-Match`, `If-Modified-Since`.
  let conditions: HTTPHeaders
  /// `nil` where the answer fits no other request.
  let varyingNames: [String]?

  /// The most field names of a `no-cache` directive that are kept. With more of them, every use has to be confirmed.
  static let noCacheFieldLimit = 64

  init(
    method: HTTPMethod = .get, statusCode: Int, headers: HTTPHeaders, requestTime: Date, responseTime: Date
  ) {
    let control = CacheControl(headers)
    let sent = headers["Date"].flatMap { HTTPDate.date(from: $0, now: responseTime) }
    let date = sent ?? responseTime
    let lastModified = headers["Last-Modified"].flatMap { HTTPDate.date(from: $0, now: responseTime) }
    self.date = date
    initialAge = Self.initialAge(headers, date: date, requestTime: requestTime, responseTime: responseTime)
    explicitLifetime = Self.explicitLifetime(control, headers, date: date, now: responseTime)
    let isHeuristic = CacheStorability.isHeuristic(statusCode) || control.contains("public")
    heuristicLifetime = isHeuristic ? lastModified.map { max(0, date.timeIntervalSince($0) / 10) } : nil
    isNoStore = control.isNoStore
    isDeclaredCacheable = explicitLifetime != nil || control.contains("public") || control.contains("private")
    mustBeUnderstood = control.contains("must-understand")
    isLastModifiedStrong = lastModified.flatMap { changed in sent.map { $0.timeIntervalSince(changed) >= 1 } } ?? false
    let noCacheFields = control.noCacheFields
    let hasTooMany = noCacheFields.count > Self.noCacheFieldLimit
    isNoCache = control.isNoCache || hasTooMany
    self.noCacheFields = hasTooMany ? [] : noCacheFields
    mustRevalidate = control.contains("must-revalidate")
    isImmutable = control.contains("immutable")
    staleWhileRevalidate = TimeInterval(control.seconds(of: "stale-while-revalidate") ?? 0)
    staleIfError = control.seconds(of: "stale-if-error").map(TimeInterval.init)
    conditions = Self.conditions(headers, hasLastModified: lastModified != nil)
    varyingNames = VaryingFields.names(in: headers, method: method)
  }

  /// A wall clock that went back further than this says nothing about an age any more.
  private static let clockTolerance: TimeInterval = 60

  /// How old the answer is, in seconds; infinite where the clock was turned back behind the answer's coming.
  func age(at now: Date, responseTime: Date) -> TimeInterval {
    let resident = now.timeIntervalSince(responseTime)
    guard resident >= -Self.clockTolerance else { return .infinity }
    return initialAge + max(0, resident)
  }

  /// How long the answer is fresh, in seconds from when it was made.
  func lifetime(heuristicLimit: TimeInterval) -> TimeInterval {
    explicitLifetime ?? heuristicLifetime.map { min($0, heuristicLimit) } ?? 0
  }

  private static func initialAge(
    _ headers: HTTPHeaders, date: Date, requestTime: Date, responseTime: Date
  ) -> TimeInterval {
    let apparent = max(0, responseTime.timeIntervalSince(date))
    let announced = headers["Age"].map { $0.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces) }
    let delay = max(0, responseTime.timeIntervalSince(requestTime))
    return max(apparent, TimeInterval(announced.flatMap(CacheControl.seconds) ?? 0) + delay)
  }

  private static func explicitLifetime(
    _ control: CacheControl, _ headers: HTTPHeaders, date: Date, now: Date
  ) -> TimeInterval? {
    if let maxAge = control.maxAge { return TimeInterval(maxAge) }
    guard let expires = headers["Expires"] else { return nil }
    // What is no date is past (RFC 9111, section 5.3).
    guard let end = HTTPDate.date(from: expires, now: now) else { return 0 }
    return max(0, end.timeIntervalSince(date))
  }

  private static func conditions(_ headers: HTTPHeaders, hasLastModified: Bool) -> HTTPHeaders {
    var conditions = HTTPHeaders()
    if let tag = headers["ETag"], EntityTag(tag) != nil { conditions.add(name: "If-None-Match", value: tag) }
    if hasLastModified, let date = headers["Last-Modified"] {
      conditions.add(name: "If-Modified-Since", value: date)
    }
    return conditions
  }
}
