import Foundation

/// Says whether a stored response is used for a request, and whether the server is asked (RFC 9111, section 4).
/// `CacheLookup` decides, and makes a `CachePlan` of the decision.
enum CacheDecision: Sendable {
  /// No stored response helps.
  case miss
  /// Use the response.
  case fresh(CachedResponse)
  /// Use the response, and ask the server for a newer one.
  case staleWhileRevalidate(CachedResponse)
  /// Ask the server with the response's conditions, if it has any. Use the response if the server fails before the
  /// date.
  case revalidate(CachedResponse, usableOnErrorUntil: Date?)
  /// Send nothing: a 504.
  case onlyIfCachedMiss
}

/// Decides how a cache serves one request. `decision` selects the stored response, and `plan` makes the request to
/// send. Has no side effects.
struct CacheLookup: Sendable {
  let request: TransportRequest
  let key: CacheKey
  let policy: CachePolicy
  /// Whether the request has failed before. A stored error would only repeat that failure.
  var isRetry = false
  /// The wall clock when the request asks the cache.
  var time: Date
  /// The sequence of the cache's journal at that time.
  let sequence: UInt64
  /// The requested range; `nil` without one, or for a range that only the server can judge.
  let range: CacheRange?
  /// The request's own directives.
  private let control: CacheControl

  init(
    _ request: TransportRequest, identity: CacheIdentity?, policy: CachePolicy, time: Date, sequence: UInt64 = 0
  ) {
    self.request = request
    key = CacheKey(request.urlForm, identity: identity)
    self.policy = policy
    self.time = time
    self.sequence = sequence
    range = CacheRange(request)
    control = CacheControl(request.headers)
  }

  /// Whether nothing may be sent.
  private var isOnlyIfCached: Bool { policy == .onlyIfCached || control.contains("only-if-cached") }

  /// Whether the cache may respond to the request, or store the server's response.
  var isCacheable: Bool {
    guard request.method == .get || request.method == .head, case .none = request.body,
      request.receiver == nil, policy != .noStore, !control.contains("no-store"),
      // A signature differs each time. Each stored response would have a key of its own, and none would be used.
      !request.context.isSigned,
      // A later session may read an app's option, which is no part of the key.
      request.options.mayShareResponse()
    else { return false }
    return !request.headers.fields.contains { isOwnCondition($0.name) }
  }

  /// The caller's conditions and ranges. Only the server can judge them, except a range that `range` holds.
  private static let ownConditions =
    rangeFields + ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"]
  private static let rangeFields = ["Range", "If-Range"]

  private func isOwnCondition(_ name: String) -> Bool {
    // A quick way out for most fields, because every field of every request comes here.
    switch name.utf8.first {
    case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "R"), UInt8(ascii: "r"):
      guard Self.ownConditions.contains(where: { $0.equalsIgnoringASCIICase(name) }) else { return false }
      return range == nil || !Self.rangeFields.contains { $0.equalsIgnoringASCIICase(name) }
    default: return false
    }
  }
}

// MARK: Deciding

extension CacheLookup {
  /// Decides whether a stored response is used, and whether the server is asked.
  ///
  /// - Parameters:
  ///   - stored: the responses that are stored under the key.
  ///   - salt: the salt of the store. Most requests find nothing stored, and need none.
  func decision(
    _ stored: [CachedResponse], rules: ResponseCache.Rules, salt: @autoclosure () -> Data
  ) -> CacheDecision {
    let ignoresStored = policy == .reload || policy == .noStore || control.contains("no-store")
    guard !ignoresStored, let candidate = newest(of: stored, salt) else {
      return isOnlyIfCached ? .onlyIfCachedMiss : .miss
    }
    let freshness = Freshness(candidate, rules, time)
    if allowsUnconfirmed(freshness) { return .fresh(candidate) }
    if isOnlyIfCached { return .onlyIfCachedMiss }
    if allowsStaleWhileRevalidate(freshness) { return .staleWhileRevalidate(candidate) }
    let until = candidate.canStandIn ? usableOnErrorUntil(freshness, rules) : nil
    // A response that can be neither confirmed nor used after an error is of no help.
    if candidate.facts.conditions.isEmpty, until == nil { return .miss }
    return .revalidate(candidate, usableOnErrorUntil: until)
  }

  /// The newest response that the request matches.
  private func newest(of stored: [CachedResponse], _ salt: () -> Data) -> CachedResponse? {
    let matching = stored.filter { response in
      // Stores keep identities apart by their keys. This is the second fence between two users.
      guard response.identity == key.identity, response.method == request.method || response.method == .get,
        let names = response.facts.varyingNames, fits(response), !isRetry || response.canStandIn
      else { return false }
      return response.variant == CachedResponse.variant(of: request.headers, names: names, salt: salt())
    }
    // The newest response is used (RFC 9111, section 4).
    return matching.max { $0.facts.date < $1.facts.date }
  }

  /// Whether the response has the part that the request asks for, within the request's limit.
  private func fits(_ response: CachedResponse) -> Bool {
    guard request.receiver == nil else { return false }
    let limit = request.responseLimit
    return switch CacheRange.share(range, of: response) {
    case nil: false
    case .whole: request.method == .head || response.body.count <= limit
    case .part(let offsets): offsets.count <= limit
    }
  }

  /// The age of a stored response, and how long it is fresh.
  private struct Freshness {
    let facts: CacheFacts
    let age: TimeInterval
    let lifetime: TimeInterval

    init(_ response: CachedResponse, _ rules: ResponseCache.Rules, _ now: Date) {
      facts = response.facts
      age = response.age(at: now)
      lifetime = response.facts.lifetime(heuristicLimit: rules.heuristicLimit)
    }

    var isFresh: Bool { lifetime > age }
    var staleness: TimeInterval { max(0, age - lifetime) }
    /// Whether the server allows the response to be used stale. An infinite age means that the clock was turned back.
    var mayBeStale: Bool { !facts.isNoCache && !facts.mustRevalidate && age.isFinite }
  }

  private var isNoCache: Bool {
    // `Pragma` counts only without `Cache-Control` (RFC 9111, section 5.4).
    if control.directives.isEmpty { return request.headers["Pragma"]?.lowercased().contains("no-cache") ?? false }
    return control.contains("no-cache")
  }

  private func seconds(_ name: String) -> TimeInterval? { control.seconds(of: name).map(TimeInterval.init) }

  /// Whether the response is used without asking the server (RFC 9111, sections 4 and 5.2.1).
  private func allowsUnconfirmed(_ freshness: Freshness) -> Bool {
    guard !isNoCache, !freshness.facts.isNoCache else { return false }
    // Immutable content can't have changed while it is fresh, so that a reload needs no confirmation (RFC 8246).
    guard policy != .revalidate || (freshness.facts.isImmutable && freshness.isFresh) else { return false }
    if let maxAge = control.maxAge, freshness.age > TimeInterval(maxAge) { return false }
    let minFresh = seconds("min-fresh")
    if freshness.isFresh { return minFresh.map { freshness.lifetime - freshness.age >= $0 } ?? true }
    guard minFresh == nil, !freshness.facts.mustRevalidate, let maxStale = control.maxStale, freshness.age.isFinite
    else { return false }
    return freshness.staleness <= TimeInterval(maxStale)
  }

  private func allowsStaleWhileRevalidate(_ freshness: Freshness) -> Bool {
    // A request with an age limit of its own gets nothing staler than it allows.
    guard policy == .useCache, !isNoCache, control.maxAge == nil, seconds("min-fresh") == nil, control.maxStale == nil,
      freshness.mayBeStale
    else { return false }
    let limit = freshness.facts.staleWhileRevalidate
    return !freshness.isFresh && limit > 0 && freshness.staleness <= limit
  }

  /// The date until which the response may replace an error of the server; `nil` if it may never replace one.
  private func usableOnErrorUntil(_ freshness: Freshness, _ rules: ResponseCache.Rules) -> Date? {
    // `no-cache` and `must-revalidate` forbid a stale response even if the server can't be reached (RFC 9111, section
    // 4.2.4).
    guard policy == .useCache, !isNoCache, freshness.mayBeStale else { return nil }
    let declared = [freshness.facts.staleIfError, seconds("stale-if-error")].compactMap { $0 }.max()
    let limit = declared ?? rules.staleIfError
    // A response that is fresh, but not fresh enough for this request, may stand in too.
    let remaining = freshness.lifetime + limit - freshness.age
    return limit > 0 && remaining > 0 ? time.addingTimeInterval(remaining) : nil
  }
}

// MARK: Planning

extension CacheLookup {
  /// The plan for a request that isn't cacheable: sends the request, or delivers a 504 if nothing may be sent.
  func planForPassing() -> CachePlan {
    CachePlan(isOnlyIfCached ? .deliver(gatewayTimeout) : .send(outgoing()), of: self)
  }

  /// Makes the plan that carries out a decision.
  ///
  /// - Parameters:
  ///   - isVacant: whether nothing is stored under the key.
  func plan(for decision: CacheDecision, isVacant: Bool) -> CachePlan {
    switch decision {
    case .miss:
      return CachePlan(.send(outgoing()), of: self, isStoring: true, isReplacing: !isVacant)
    case .fresh(let response):
      return CachePlan(.deliver(delivery(of: response)), of: self)
    case .onlyIfCachedMiss:
      return CachePlan(.deliver(gatewayTimeout), of: self)
    case .staleWhileRevalidate(let response):
      var refresh = outgoing(response.facts.conditions)
      // The cache has more use for the whole response.
      if range != nil { refresh.headers.remove(FieldNames(Self.rangeFields)) }
      // The caller has its response, so its progress is complete. Assigning `nil` without the check would copy the
      // request.
      if refresh.onProgress != nil { refresh.onProgress = nil }
      return CachePlan(
        .deliverAndSend(delivery(of: response), refresh), of: self, candidate: response, isStoring: true)
    case .revalidate(let response, let until):
      return CachePlan(
        .send(outgoing(response.facts.conditions)), of: self, candidate: response, usableOnErrorUntil: until,
        isStoring: true)
    }
  }

  /// The request to send, with the conditions, and with the policy in a form that caches on the way understand.
  private func outgoing(_ conditions: HTTPHeaders = HTTPHeaders()) -> TransportRequest {
    var outgoing = request
    if !conditions.isEmpty { outgoing.headers.merge(conditions) }
    let directive: String? =
      switch policy {
      case .useCache, .onlyIfCached: nil
      case .reload: "no-cache"
      case .revalidate: "max-age=0"
      case .noStore: "no-store"
      }
    // A request that changes something is never served from a cache. The caller's own field stays.
    if let directive, request.method.isSafe, request.headers["Cache-Control"] == nil {
      outgoing.headers["Cache-Control"] = directive
    }
    return outgoing
  }

  private func delivery(of response: CachedResponse) -> WebServiceResponse {
    response.webServiceResponse(to: request.method, range: range, at: time, isConfirmed: false)
  }

  private var gatewayTimeout: WebServiceResponse { WebServiceResponse(statusCode: 504, url: request.url) }
}
