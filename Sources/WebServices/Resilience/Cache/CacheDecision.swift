import Foundation

/// What a stored answer is good for, for one request at one moment (RFC 9111, section 4). Pure: it looks at nothing but
/// its arguments.
enum CacheDecision: Sendable {
  /// Nothing stored helps.
  case miss
  /// Use it.
  case fresh(CachedResponse)
  /// Use it, and ask the server meanwhile.
  case staleWhileRevalidate(CachedResponse, conditions: HTTPHeaders)
  /// Ask the server; where it fails before the moment that is given, use it all the same. Without conditions the whole
  /// answer is asked for.
  case revalidate(CachedResponse, conditions: HTTPHeaders, usableOnErrorUntil: Date?)
  /// Nothing may be used, and nothing may be sent: a 504.
  case onlyIfCachedMiss

  /// What is asked of the cache.
  struct Question {
    var method: HTTPMethod
    var headers: HTTPHeaders
    var identity: CacheIdentity?
    var policy: CachePolicy
    var rules: CacheRules
    var salt: Data
  }

  /// What follows where nothing is stored, as for most requests.
  static func withoutStored(isOnlyIfCached: Bool) -> CacheDecision {
    isOnlyIfCached ? .onlyIfCachedMiss : .miss
  }

  static func decide(_ question: Question, stored: [CachedResponse], now: Date) -> CacheDecision {
    let wishes = Wishes(question)
    guard !wishes.ignoresStored, let candidate = select(question, from: stored) else {
      return withoutStored(isOnlyIfCached: wishes.isOnlyIfCached)
    }
    let state = State(candidate, question.rules, now)
    if wishes.allowsUnconfirmed(state) { return .fresh(candidate) }
    if wishes.isOnlyIfCached { return .onlyIfCachedMiss }
    let conditions = candidate.facts.conditions
    if wishes.allowsStaleWhileRevalidate(state) {
      return .staleWhileRevalidate(candidate, conditions: conditions)
    }
    let until = candidate.canStandIn ? wishes.usableOnErrorUntil(state, now) : nil
    if conditions.isEmpty, until == nil { return .miss }
    return .revalidate(candidate, conditions: conditions, usableOnErrorUntil: until)
  }

  /// The newest of those that the request fits.
  private static func select(_ question: Question, from stored: [CachedResponse]) -> CachedResponse? {
    let matching = stored.filter { response in
      // Stores keep identities apart by their keys; that none gets another's answer doesn't hang on that alone.
      guard response.identity == question.identity, response.method == question.method || response.method == .get,
        let names = response.facts.varyingNames
      else { return false }
      return response.variant == VaryingFields.digest(of: question.headers, names: names, salt: question.salt)
    }
    return matching.max { $0.facts.date < $1.facts.date }
  }

  /// How a stored answer stands now.
  private struct State {
    let facts: CacheFacts
    let age: TimeInterval
    let lifetime: TimeInterval
    let rules: CacheRules

    init(_ response: CachedResponse, _ rules: CacheRules, _ now: Date) {
      facts = response.facts
      age = response.age(at: now)
      lifetime = response.facts.lifetime(heuristicLimit: rules.heuristicLimit)
      self.rules = rules
    }

    var isFresh: Bool { lifetime > age }
    var staleness: TimeInterval { max(0, age - lifetime) }
  }

  /// What the request's policy and its `Cache-Control` field say together.
  private struct Wishes {
    let policy: CachePolicy
    let isNoCache: Bool
    let isOnlyIfCached: Bool
    let ignoresStored: Bool
    let maxAge: TimeInterval?
    let minFresh: TimeInterval?
    let maxStale: TimeInterval?
    let staleIfError: TimeInterval?

    init(_ question: Question) {
      let control = CacheControl(question.headers)
      policy = question.policy
      let isPragmaNoCache =
        control.directives.isEmpty && (question.headers["Pragma"]?.lowercased().contains("no-cache") ?? false)
      isNoCache = control.contains("no-cache") || isPragmaNoCache
      isOnlyIfCached = policy == .onlyIfCached || control.contains("only-if-cached")
      ignoresStored = policy == .reload || policy == .noStore || control.contains("no-store")
      maxAge = control.maxAge.map(TimeInterval.init)
      minFresh = control.seconds(of: "min-fresh").map(TimeInterval.init)
      maxStale = control.maxStale.map(TimeInterval.init)
      staleIfError = control.seconds(of: "stale-if-error").map(TimeInterval.init)
    }

    /// RFC 9111, section 4, and the request's directives of section 5.2.1.
    func allowsUnconfirmed(_ state: State) -> Bool {
      guard !isNoCache, !state.facts.isNoCache else { return false }
      guard policy != .revalidate || (state.facts.isImmutable && state.isFresh) else { return false }
      if let maxAge, state.age > maxAge { return false }
      if state.isFresh { return minFresh.map { state.lifetime - state.age >= $0 } ?? true }
      guard minFresh == nil, !state.facts.mustRevalidate, let maxStale, state.age.isFinite else { return false }
      return state.staleness <= maxStale
    }

    func allowsStaleWhileRevalidate(_ state: State) -> Bool {
      guard policy == .useCache, !isNoCache, maxAge == nil, minFresh == nil, maxStale == nil, mayBeStale(state) else {
        return false
      }
      let limit = state.facts.staleWhileRevalidate
      return !state.isFresh && limit > 0 && state.staleness <= limit
    }

    /// Until when the answer may stand in for a server that fails.
    func usableOnErrorUntil(_ state: State, _ now: Date) -> Date? {
      guard policy == .useCache, !isNoCache, mayBeStale(state) else { return nil }
      let said = [state.facts.staleIfError, staleIfError].compactMap { $0 }.max()
      let limit = said ?? state.rules.staleIfError
      // Also one that is fresh, but not for this request.
      let remaining = state.lifetime + limit - state.age
      return limit > 0 && remaining > 0 ? now.addingTimeInterval(remaining) : nil
    }

    private func mayBeStale(_ state: State) -> Bool {
      !state.facts.isNoCache && !state.facts.mustRevalidate && state.age.isFinite
    }
  }
}
