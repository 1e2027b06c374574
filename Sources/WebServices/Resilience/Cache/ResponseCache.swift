public import Foundation

/// A private cache (RFC 9111) for the answers to GET and HEAD: what was asked before and is still right is not asked
/// again, and what may be right is asked for in a way that costs little.
///
/// ```swift
/// let cache = ResponseCache(store: MemoryResponseStore(limit: 16 * 1024 * 1024))
/// ```
/// It may be shared between services. All calls are safe from any thread and do what the store does on the caller's:
/// with a store on disk they block for as long as a file takes, so none may come from a transport's thread.
///
/// What goes to a file or to a receiver in pieces isn't cached, and neither is a request with a body, several ranges or
/// conditions of its own: it passes through. One range is given from a stored response, and parts of the same content are
/// put together.
public final class ResponseCache: Sendable {
  /// Where the answers are.
  package let store: any ResponseStore
  /// What holds for answers that say nothing themselves.
  package let rules: CacheRules
  private let now: @Sendable () -> Date
  private let state = Locked(State())

  private struct State {
    var statistics = CacheStatistics()
    var journal = CacheJournal()
  }

  /// Creates a cache.
  ///
  /// - Parameters:
  ///   - store: where the answers are kept.
  ///   - rules: what holds for answers that say nothing themselves.
  ///   - now: the wall clock: answers outlive the process and are dated by servers, so no other will do.
  public init(
    store: any ResponseStore = MemoryResponseStore(), rules: CacheRules = CacheRules(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.rules = rules
    self.now = now
  }

  /// What the cache has done so far.
  public var statistics: CacheStatistics { state.withLock { $0.statistics } }

  /// Forgets every answer, those included that are on their way.
  public func removeAll() {
    state.withLock { $0.journal.noteRemovalOfAll() }
    store.removeAll()
  }

  /// Whose answer a request will get, by the credentials in its header; `nil` where there are none. An app that knows its
  /// accounts by name passes a `CacheIdentity(account:)` to `plan` instead: it outlives a token.
  ///
  /// - Parameters:
  ///   - request: the request with its credentials.
  ///   - credentialNames: fields that carry credentials, besides `Authorization`, `Proxy-Authorization`, `Cookie` and
  ///     those that `redaction` hides.
  ///   - redaction: names more fields that carry credentials.
  package func identity(
    of request: TransportRequest, credentialNames: [String] = [], redaction: Redaction = .standard
  ) -> CacheIdentity? {
    identity(of: request, credentialNames: credentialNames, fields: CredentialFields(redaction: redaction))
  }

  func identity(
    of request: TransportRequest, credentialNames: [String], fields credentials: CredentialFields
  ) -> CacheIdentity? {
    let fields = request.headers.fields.filter { credentials.contain($0.name, or: credentialNames) }
    guard !fields.isEmpty else { return nil }
    let named = fields.map { "\($0.name.lowercased()):\($0.value)" }
    return CacheIdentity(credentials: named.sorted(), salt: store.salt)
  }

  /// Says what to do with a request that is ready to be sent, credentials included.
  package func plan(
    for request: TransportRequest, identity: CacheIdentity?, policy: CachePolicy = .useCache
  ) -> CachePlan {
    plan(for: request, identity: identity, policy: policy, isRetry: false)
  }

  /// - Parameter isRetry: whether the request failed before. A stored error would only repeat that.
  func plan(for request: TransportRequest, identity: CacheIdentity?, policy: CachePolicy, isRetry: Bool) -> CachePlan {
    let now = now()
    let key = CacheKey(request, identity: identity)
    let sequence = state.withLock { $0.journal.sequence }
    let planner = CachePlanner(request: request, key: key, policy: policy, time: now, sequence: sequence)
    guard planner.isCacheable else { return planner.planForPassing() }
    var stored = policy == .reload ? [] : store.lookup(key)
    let isVacant = stored.isEmpty && policy != .reload
    if !stored.isEmpty { stored.removeAll { !planner.fits($0) || (isRetry && !$0.canStandIn) } }
    let decision = decision(planner, identity: identity, stored: stored)
    let isRefreshing: Bool = state.withLock { state in
      state.statistics.count(decision, policy: policy)
      guard case .staleWhileRevalidate = decision else { return false }
      return state.journal.beginRefresh(of: key, at: now)
    }
    return planner.plan(for: decision, isRefreshing: isRefreshing, isVacant: isVacant)
  }

  private func decision(
    _ planner: CachePlanner, identity: CacheIdentity?, stored: [CachedResponse]
  ) -> CacheDecision {
    if stored.isEmpty { return CacheDecision.withoutStored(isOnlyIfCached: planner.isOnlyIfCached) }
    let question = CacheDecision.Question(
      method: planner.request.method, headers: planner.request.headers, identity: identity, policy: planner.policy,
      rules: rules, salt: store.salt)
    return CacheDecision.decide(question, stored: stored, now: planner.time)
  }

  /// Takes a server's answer: stores it, freshens what is stored, or forgets what is obsolete.
  ///
  /// - Parameters:
  ///   - response: the final answer to what the plan said to send.
  ///   - plan: the plan of this exchange. A redirect asks another URL and needs a plan of its own; a retry may have the
  ///     same one again.
  ///   - requestTime: when it was sent, by the wall clock; when the plan was made, where that isn't given.
  ///   - responseTime: when the answer came, by the wall clock; now, where that isn't given.
  package func handle(
    _ response: WebServiceResponse, plan: CachePlan, requestTime: Date? = nil, responseTime: Date? = nil
  ) -> CacheOutcome {
    outcome(of: response, plan: plan, requestTime: requestTime, responseTime: responseTime) ?? .response(response)
  }

  /// The same; `nil` where the answer stays what it is.
  func outcome(
    of response: WebServiceResponse, plan: CachePlan, requestTime: Date? = nil, responseTime: Date? = nil
  ) -> CacheOutcome? {
    finishRefresh(plan)
    invalidate(after: response, to: plan.request)
    if plan.isConditional, response.statusCode == 304, let candidate = plan.candidate {
      let times = (request: requestTime ?? plan.time, response: responseTime ?? now())
      return confirm(candidate, by: response, plan: plan, times: times)
    }
    if CachePlanner.isFailure(response.statusCode), let standIn = standIn(plan) {
      return .response(standIn)
    }
    guard plan.isStoring else { return nil }
    let mayStore = CacheStorability.mayStore(response)
    if mayStore || plan.isReplacing, isOfPlan(response, plan) {
      if mayStore {
        keep(response, plan: plan, times: (requestTime ?? plan.time, responseTime ?? now()))
      } else {
        forgetOlder(than: response, plan: plan)
      }
    }
    return nil
  }

  /// Takes the failure of an exchange that brought no answer.
  ///
  /// - Returns: the stored answer that stands in for it, where there is one that may.
  package func handleError(plan: CachePlan) -> WebServiceResponse? {
    finishRefresh(plan)
    return standIn(plan)
  }

  // MARK: Answers

  private func confirm(
    _ candidate: CachedResponse, by response: WebServiceResponse, plan: CachePlan,
    times: (request: Date, response: Date)
  ) -> CacheOutcome {
    guard candidate.isConfirmed(by: response) else {
      return .sendAgain(CachePlanner.planWithoutConditions(plan, time: now()))
    }
    let fresh = candidate.freshened(
      by: response, to: plan.request.headers, salt: store.salt, requestTime: times.request,
      responseTime: times.response)
    state.withLock { $0.statistics.revalidations += 1 }
    let answer = fresh.webServiceResponse(
      to: plan.request.method, range: CacheRange(plan.request), at: now(), isConfirmed: true)
    let whole = WebServiceResponse(
      statusCode: fresh.statusCode, headers: fresh.headers, url: fresh.url, body: fresh.body)
    if fresh.isStorable(whole, to: plan.request, rules: rules) {
      put(fresh, plan: plan)
    } else {
      store.remove(plan.key)
    }
    return .response(answer)
  }

  private func keep(_ response: WebServiceResponse, plan: CachePlan, times: (request: Date, response: Date)) {
    let cached = CachedResponse(
      response, to: plan.request, identity: plan.key.identity, requestTime: times.request,
      responseTime: times.response, salt: store.salt)
    if CacheStorability.canStore(response, as: cached, to: plan.request, rules: rules) {
      if cached.method == .head {
        reconcile(cached, plan: plan)
      } else {
        cached.contentRange == nil ? put(cached, plan: plan) : join(cached, plan: plan)
      }
    } else {
      forgetOlder(than: response, plan: plan)
    }
  }

  /// Whether it answers what was asked: a session that followed a redirect by itself answers another question.
  private func isOfPlan(_ response: WebServiceResponse, _ plan: CachePlan) -> Bool {
    response.urlForm.normalizedText == plan.key.url
  }

  /// What is stored is older than what isn't to be.
  private func forgetOlder(than response: WebServiceResponse, plan: CachePlan) {
    // A part that isn't stored may be of the same content.
    guard plan.request.method == .get, CacheStorability.isUnderstood(response.statusCode), response.statusCode != 206
    else { return }
    store.remove(plan.key)
  }

  /// A head that came alone freshens the whole answer where it is that one's, and else shows that it is outdated
  /// (RFC 9111, section 4.3.5).
  private func reconcile(_ head: CachedResponse, plan: CachePlan) {
    let stored = stored(like: head, plan: plan)
    guard let whole = stored, whole.contentRange == nil else { return put(head, plan: plan) }
    guard whole.hasSameContent(as: head) else {
      store.remove(plan.key)
      return put(head, plan: plan)
    }
    let response = WebServiceResponse(statusCode: head.statusCode, headers: head.headers, url: head.url)
    let fresh = whole.freshened(
      by: response, to: plan.request.headers, salt: store.salt, requestTime: head.requestTime,
      responseTime: head.responseTime)
    put(fresh, plan: plan)
  }

  /// A part that came is joined to the part that is stored, where both are of the same content, and else replaces it.
  /// Whole content stays, unless the part shows that the content has changed.
  private func join(_ part: CachedResponse, plan: CachePlan) {
    guard let stored = stored(like: part, plan: plan), stored.contentRange != nil || stored.statusCode == 200
    else { return put(part, plan: plan) }
    // Content that was decoded had another entity tag on its way.
    if stored.contentRange == nil, stored.isDecoded || !part.showsChange(of: stored) { return }
    put(part.joined(to: stored) ?? part, plan: plan)
  }

  /// What is stored for GET in the place of the response, or of its whole.
  private func stored(like response: CachedResponse, plan: CachePlan) -> CachedResponse? {
    store.lookup(plan.key).first { stored in
      stored.method == .get && stored.variant == response.variant && stored.identity == response.identity
    }
  }

  private func put(_ response: CachedResponse, plan: CachePlan) {
    // What was asked before something changed may tell how it was before.
    let isCurrent = state.withLock { state in
      guard state.journal.isCurrent(plan.key.url, since: plan.sequence) else { return false }
      state.statistics.stores += 1
      return true
    }
    guard isCurrent else { return }
    store.store(response, for: plan.key)
    // It may have changed between the two.
    if !state.withLock({ $0.journal.isCurrent(plan.key.url, since: plan.sequence) }) { store.remove(plan.key) }
  }

  private func standIn(_ plan: CachePlan) -> WebServiceResponse? {
    let now = now()
    guard let candidate = plan.candidate, let until = plan.usableOnErrorUntil, now < until,
      state.withLock({ $0.journal.isCurrent(plan.key.url, since: plan.sequence) })
    else { return nil }
    state.withLock { $0.statistics.staleOnError += 1 }
    return candidate.webServiceResponse(
      to: plan.request.method, range: CacheRange(plan.request), at: now, isConfirmed: false)
  }

  private func invalidate(after response: WebServiceResponse, to request: TransportRequest) {
    for url in CacheInvalidation.urls(for: response, to: request).map(\.text) {
      state.withLock { state in
        state.journal.noteChange(of: url)
        state.statistics.invalidations += 1
      }
      store.removeAll(ofURL: url)
    }
  }

  private func finishRefresh(_ plan: CachePlan) {
    guard plan.isBackground else { return }
    state.withLock { $0.journal.endRefresh(of: plan.key) }
  }
}
