public import Foundation

/// A private cache (RFC 9111) for the responses to GET and HEAD. A fresh response is reused without a request. A stale
/// response is confirmed by the server, which costs little.
///
/// ```swift
/// let cache = ResponseCache(store: MemoryResponseStore(limit: 16 * 1024 * 1024))
/// ```
/// Services may share a cache. All calls are safe from any thread, and the store works on the caller's thread. A store
/// on disk blocks while it reads a file, so don't call the cache on a transport's thread.
///
/// A response that goes to a file or to a receiver isn't cached. A request with a body, a signature (``RequestSigner``),
/// several ranges or its own conditions passes through. One range is served from a stored response.
///
/// The article <doc:KeepingWorking> has samples.
public final class ResponseCache: Sendable {
  /// The app's settings for responses without an expiry or a stale time of their own.
  public struct Rules: Hashable, Sendable {
    /// The longest time, in seconds, that a response with a `Last-Modified` but without an expiry counts as fresh. Such
    /// a response is fresh for a tenth of the time since its last change, up to this limit (RFC 9111, section 4.2.2).
    /// With 0 the server is asked every time.
    public var heuristicLimit: TimeInterval
    /// The seconds for which a stale response without `stale-if-error` may still be used when the server fails or can't
    /// be reached. A response with `no-cache` or `must-revalidate` never is.
    public var staleIfError: TimeInterval

    /// Creates rules. A negative number counts as 0.
    ///
    /// - Parameters:
    ///   - heuristicLimit: the longest time, in seconds, that a response without an expiry counts as fresh; a day by
    ///     default.
    ///   - staleIfError: how long, in seconds, a stale response is used after an error; by default it isn't.
    public init(heuristicLimit: TimeInterval = 24 * 60 * 60, staleIfError: TimeInterval = 0) {
      self.heuristicLimit = heuristicLimit.isNaN ? 0 : max(0, heuristicLimit)
      self.staleIfError = staleIfError.isNaN ? 0 : max(0, staleIfError)
    }
  }

  /// The counts of a cache since it was created.
  public struct Statistics: Hashable, Sendable {
    /// Stored responses that were fresh, or as stale as the request allowed.
    public internal(set) var hits = 0
    /// Stale responses that were delivered while the server was asked.
    public internal(set) var staleHits = 0
    /// Requests that may use a stored response, but the cache has no usable one.
    public internal(set) var misses = 0
    /// Stored responses that the server confirmed.
    public internal(set) var revalidations = 0
    /// Stored responses that stood in for a server that failed.
    public internal(set) var staleOnError = 0
    /// Responses that were stored, confirmed ones included.
    public internal(set) var stores = 0
    /// URLs whose responses became obsolete by a request that changes something.
    public internal(set) var invalidations = 0
  }

  package let store: any ResponseStore
  package let rules: Rules
  private let now: @Sendable () -> Date
  /// Guards statistics, journal and refreshes. The store is called without the lock, because a store may block.
  private let state = Locked(State())

  private struct State {
    var statistics = Statistics()
    var journal = CacheJournal()
    /// The keys that are being refreshed in the background.
    var refreshes: Set<CacheKey> = []
  }

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - store: the store for the responses.
  ///   - rules: the settings for responses without their own.
  ///   - now: the wall clock. Responses outlive the process and carry servers' dates, so no other clock works.
  public init(
    store: any ResponseStore = MemoryResponseStore(), rules: Rules = Rules(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.rules = rules
    self.now = now
  }

  /// The counts so far.
  public var statistics: Statistics { state.withLock { $0.statistics } }

  /// Removes every response, and stores no response of a transfer in progress.
  public func removeAll() {
    // First the journal, so that a transfer that ends between the two steps stores nothing.
    state.withLock { $0.journal.noteRemovalOfAll() }
    store.removeAll()
  }

  // MARK: Requests

  /// The identity from the fields in the request's header that may carry credentials; `nil` without such a field. A
  /// `Host` field is one of them, so that virtual hosts are kept apart too.
  ///
  /// - Parameters:
  ///   - request: the request with its credentials.
  ///   - credentialNames: harmless fields that carry credentials in this request.
  ///   - fields: tells which fields may carry credentials.
  func identity(
    of request: TransportRequest, credentialNames: [String] = [],
    fields: CredentialFields = CredentialFields(redaction: .standard)
  ) -> CacheIdentity? {
    let carriers = request.headers.fields.filter { fields.contain($0.name, or: credentialNames) }
    guard !carriers.isEmpty else { return nil }
    let named = carriers.map { "\($0.name.lowercased()):\($0.value)" }
    return CacheIdentity(credentials: named.sorted(), salt: store.salt)
  }

  /// The plan for a request that is ready to be sent, credentials included.
  ///
  /// - Parameter isRetry: whether the request failed before. A stored error would only repeat that.
  package func plan(
    for request: TransportRequest, identity: CacheIdentity?, policy: CachePolicy = .useCache, isRetry: Bool = false
  ) -> CachePlan {
    // Read before the store: a change during the look-up then makes this request's response outdated.
    let sequence = state.withLock { $0.journal.sequence }
    var lookup = CacheLookup(
      request, identity: identity, policy: policy, time: now(), sequence: sequence)
    lookup.isRetry = isRetry
    guard lookup.isCacheable else { return lookup.planForPassing() }
    let stored = policy == .reload ? [] : store.lookup(lookup.key)
    let decision = lookup.decision(stored, rules: rules, salt: store.salt)
    state.withLock { $0.statistics.count(decision, policy: policy) }
    // A reload hasn't looked into the store, so a response may be there.
    return lookup.plan(for: decision, isVacant: stored.isEmpty && policy != .reload)
  }

  /// Whether the plan's request may refresh the cache in the background; `false` if another one already does. Call
  /// `endRefresh(of:)` after the outcome.
  package func beginRefresh(of plan: CachePlan) -> Bool {
    state.withLock { $0.refreshes.insert(plan.key).inserted }
  }

  package func endRefresh(of plan: CachePlan) {
    state.withLock { _ = $0.refreshes.remove(plan.key) }
  }

  // MARK: Responses

  /// Handles a server's response: stores it, refreshes a stored response, or removes obsolete ones.
  ///
  /// - Parameters:
  ///   - response: the final response to the plan's request.
  ///   - plan: the plan of this transfer. A redirect requests another URL and needs its own plan. A retry may reuse the
  ///     plan.
  /// - Returns: `nil` to deliver the response unchanged.
  package func outcome(of response: WebServiceResponse, plan: CachePlan) -> CachePlan.Outcome? {
    invalidate(after: response, to: plan.request)
    if response.statusCode == 304, let candidate = plan.candidate, !candidate.facts.conditions.isEmpty {
      return confirm(candidate, by: response, plan: plan)
    }
    // Statuses of a server that fails (RFC 5861, section 4).
    if plan.usableOnErrorUntil != nil, [500, 502, 503, 504].contains(response.statusCode),
      let standIn = handleError(plan: plan)
    {
      return .response(standIn)
    }
    guard plan.isStoring else { return nil }
    let mayBeStored = response.mayBeStored
    // A response that isn't stored changes nothing if none was stored before. A session that followed a redirect on its
    // own has the response of another URL.
    guard mayBeStored || plan.isReplacing, response.urlForm.normalizedText == plan.key.url else { return nil }
    if mayBeStored { keep(response, plan: plan) } else { removeOlder(than: response, plan: plan) }
    return nil
  }

  /// Handles a transfer that failed without a response.
  ///
  /// - Returns: the stored response that may replace the error; `nil` without one, or when it is too stale or the URL
  ///   has changed.
  package func handleError(plan: CachePlan) -> WebServiceResponse? {
    let now = now()
    guard let candidate = plan.candidate, let until = plan.usableOnErrorUntil, now < until, isCurrent(plan)
    else { return nil }
    state.withLock { $0.statistics.staleOnError += 1 }
    return candidate.webServiceResponse(
      to: plan.request.method, range: plan.lookup.range, at: now, isConfirmed: false)
  }

  /// Handles a 304: freshens the stored response and delivers it (RFC 9111, section 4.3.4).
  private func confirm(
    _ candidate: CachedResponse, by response: WebServiceResponse, plan: CachePlan
  ) -> CachePlan.Outcome {
    guard candidate.isConfirmed(by: response) else { return .sendAgain(plan.withoutConditions(at: now())) }
    let fresh = candidate.freshened(
      by: response.headers, to: plan.request.headers, salt: store.salt, requestTime: plan.lookup.time,
      responseTime: now())
    state.withLock { $0.statistics.revalidations += 1 }
    if fresh.mayBeStored(for: plan.request, rules) { put(fresh, plan: plan) } else { store.remove(plan.key) }
    return .response(
      fresh.webServiceResponse(to: plan.request.method, range: plan.lookup.range, at: now(), isConfirmed: true))
  }

  /// Stores a response. A head freshens the stored response that it belongs to.
  private func keep(_ response: WebServiceResponse, plan: CachePlan) {
    let cached = CachedResponse(
      response, to: plan.request, identity: plan.key.identity, requestTime: plan.lookup.time, responseTime: now(),
      salt: store.salt)
    if !cached.mayBeStored(for: plan.request, rules) {
      removeOlder(than: response, plan: plan)
    } else if cached.method == .head {
      reconcile(cached, plan: plan)
    } else if cached.contentRange == nil || mayReplaceStored(cached, plan: plan) {
      put(cached, plan: plan)
    }
  }

  /// Removes the stored response after a newer one was received that isn't stored.
  private func removeOlder(than response: WebServiceResponse, plan: CachePlan) {
    // A part that isn't stored may be of the same content.
    guard plan.request.method == .get, CachedResponse.isUnderstood(response.statusCode), response.statusCode != 206
    else { return }
    store.remove(plan.key)
  }

  /// Freshens the stored response with the fields of a response to HEAD. A head of other content shows that the stored
  /// response is outdated (RFC 9111, section 4.3.5).
  private func reconcile(_ head: CachedResponse, plan: CachePlan) {
    guard let whole = stored(like: head, plan: plan), whole.contentRange == nil else { return put(head, plan: plan) }
    guard whole.hasSameContent(as: head) else {
      store.remove(plan.key)
      return put(head, plan: plan)
    }
    put(
      whole.freshened(
        by: head.headers, to: plan.request.headers, salt: store.salt, requestTime: head.requestTime,
        responseTime: head.responseTime), plan: plan)
  }

  /// Whether a part may replace the stored response. Whole content stays, unless the part shows that the content has
  /// changed.
  private func mayReplaceStored(_ part: CachedResponse, plan: CachePlan) -> Bool {
    guard let whole = stored(like: part, plan: plan), whole.contentRange == nil, whole.statusCode == 200
    else { return true }
    // Content that was decoded had another entity tag during the transfer.
    return !whole.isDecoded && part.showsChange(of: whole)
  }

  /// The stored response to GET that the new response belongs to, if there is one.
  private func stored(like response: CachedResponse, plan: CachePlan) -> CachedResponse? {
    store.lookup(plan.key).first { stored in
      stored.method == .get && stored.variant == response.variant && stored.identity == response.identity
    }
  }

  /// Stores a response unless its URL has changed since the request was sent.
  private func put(_ response: CachedResponse, plan: CachePlan) {
    guard isCurrent(plan) else { return }
    state.withLock { $0.statistics.stores += 1 }
    store.store(response, for: plan.key)
    // The URL may have changed while the response was stored.
    if !isCurrent(plan) { store.remove(plan.key) }
  }

  /// Whether nothing changed since the request was sent. A response from before a change may be outdated.
  private func isCurrent(_ plan: CachePlan) -> Bool {
    state.withLock { $0.journal.isCurrent(plan.key.url, since: plan.lookup.sequence) }
  }

  /// Removes the responses that became obsolete because a request changed a resource (RFC 9111, section 4.4). They are
  /// those of its URL, and of the URLs of the same origin in `Location` and `Content-Location`.
  private func invalidate(after response: WebServiceResponse, to request: TransportRequest) {
    guard !request.method.isSafe, (200...399).contains(response.statusCode), let target = request.target else { return }
    let named = ["Location", "Content-Location"].compactMap { name in
      response.headers[name].flatMap { try? target.resolving($0) }
    }
    // The change is noted first. A transfer that ends between the two steps then stores nothing outdated.
    for url in [target] + named.filter({ $0.hasSameOrigin(as: target) }) {
      state.withLock { state in
        state.journal.noteChange(of: url.text)
        state.statistics.invalidations += 1
      }
      store.removeAll(ofURL: url.text)
    }
  }
}

extension ResponseCache.Statistics {
  fileprivate mutating func count(_ decision: CacheDecision, policy: CachePolicy) {
    switch decision {
    case .fresh: hits += 1
    case .staleWhileRevalidate: staleHits += 1
    case .miss where policy == .reload: break
    case .miss, .onlyIfCachedMiss: misses += 1
    // Counted when the server confirms the response.
    case .revalidate: break
    }
  }
}
