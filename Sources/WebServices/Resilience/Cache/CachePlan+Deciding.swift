import Foundation

extension CachePlan {
  /// Whether nothing may be sent.
  private var isOnlyIfCached: Bool { policy == .onlyIfCached || control.contains("only-if-cached") }

  /// Finds out whether the plan is `isCacheable`.
  private var mayUseCache: Bool {
    guard request.method == .get || request.method == .head, case .none = request.body, request.receiver == nil,
      policy != .noStore, !control.contains("no-store"),
      // A signature differs each time. Each stored response would have a key of its own, and none would be used.
      !request.context.isSigned,
      // A later session may read an app's option, which is no part of the key.
      request.options.mayShareResponse()
    else { return false }
    // Only the server can judge the caller's own conditions and ranges, except a single range.
    let headers = request.headers
    return !Self.conditions.contains { headers[$0] != nil }
      && (headers["Range"] == nil ? headers["If-Range"] == nil : CacheRange(request) != nil)
  }

  private static let conditions = ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"]

  // MARK: Deciding

  /// Decides whether one of the stored responses is used, and whether the server is asked.
  ///
  /// - Parameter lookup: the responses that are stored under a key.
  mutating func decide(_ rules: ResponseCache.Rules, _ lookup: (CacheKey) -> [CachedResponse]) {
    isCacheable = mayUseCache
    // A reload doesn't look into the store, so a response may be there.
    let stored = isCacheable && policy != .reload ? lookup(key) : []
    isReplacing = !stored.isEmpty || policy == .reload
    (isDelivered, isSent) = (isOnlyIfCached, !isOnlyIfCached)
    // The newest response is used (RFC 9111, section 4). The method itself as an argument would copy the plan.
    guard let candidate = stored.filter({ isUsable($0) }).max(by: { $0.facts.date < $1.facts.date }) else { return }
    let (facts, age, lifetime) = (candidate.facts, candidate.age(at: time), candidate.facts.lifetime(rules))
    if allowsUnconfirmed(facts, age, lifetime) {
      (self.candidate, isDelivered, isSent) = (candidate, true, false)
      return
    }
    if isOnlyIfCached { return }
    // `no-cache` and `must-revalidate` forbid a stale response even if the server can't be reached (RFC 9111, section
    // 4.2.4).
    let mayBeStale = policy == .useCache && !isNoCache && !facts.control.isNoCache && !facts.mustRevalidate
    // A request with an age limit of its own gets nothing staler than it allows.
    let hasLimit = ["max-age", "min-fresh", "max-stale"].contains(where: control.contains)
    let graceTime = facts.staleWhileRevalidate
    if mayBeStale, !hasLimit, graceTime > 0, age - lifetime <= graceTime {
      (self.candidate, isDelivered) = (candidate, true)
      return
    }
    let limit = [facts.staleIfError, control.time("stale-if-error")].compactMap { $0 }.max() ?? rules.staleIfError
    // A response that is fresh, but not fresh enough for this request, may stand in too.
    let remaining = mayBeStale && candidate.canStandIn && limit > 0 ? lifetime + limit - age : 0
    if remaining > 0 { usableOnErrorUntil = time.addingTimeInterval(remaining) }
    // A response that can be neither confirmed nor used after an error is of no help.
    if !facts.conditions.isEmpty || remaining > 0 { self.candidate = candidate }
  }

  /// Whether the request has the same fields that `Vary` of the stored response names.
  func matches(_ response: CachedResponse) -> Bool {
    guard let names = response.facts.varyingNames else { return false }
    return response.variant == CachedResponse.variant(of: request.headers, names: names)
  }

  /// Whether the stored response matches, and has the part that the request asks for, within the request's limit.
  private func isUsable(_ response: CachedResponse) -> Bool {
    // A stored error would only repeat the failure of the attempt before.
    guard response.canStandIn || !request.context.isRetry, let share = response.share(for: request)
    else { return false }
    return (request.method == .head || share.offsets.count <= request.responseLimit) && matches(response)
  }

  private var isNoCache: Bool {
    // `Pragma` counts only without `Cache-Control` (RFC 9111, section 5.4).
    if control.directives.isEmpty { return request.headers["Pragma"]?.lowercased().contains("no-cache") ?? false }
    return control.contains("no-cache")
  }

  /// Whether the response is used without asking the server (RFC 9111, sections 4 and 5.2.1).
  private func allowsUnconfirmed(_ facts: CacheFacts, _ age: TimeInterval, _ lifetime: TimeInterval) -> Bool {
    guard !isNoCache, !facts.control.isNoCache else { return false }
    let isFresh = lifetime > age
    // Immutable content can't have changed while it is fresh, so that a reload needs no confirmation (RFC 8246).
    guard policy != .revalidate || isFresh && facts.control.contains("immutable") else { return false }
    if let maxAge = control.maxAge, age > maxAge { return false }
    let minFresh = control.time("min-fresh")
    if isFresh { return lifetime - age >= minFresh ?? 0 }
    guard minFresh == nil, !facts.mustRevalidate, let maxStale = control.maxStale else { return false }
    // An infinite age means that the clock was turned back. It exceeds every limit.
    return age - lifetime <= maxStale
  }
}
