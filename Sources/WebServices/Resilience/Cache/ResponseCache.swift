public import Foundation

/// A private cache (RFC 9111) for the responses to GET. A fresh response is reused without a request. A stale response
/// is confirmed by the server, which costs little. A HEAD is served from the response to GET.
///
/// ```swift
/// let cache = ResponseCache(memoryLimit: 16 * 1024 * 1024)
/// ```
/// Services may share a cache. All calls are safe from any thread.
///
/// The time of day measures the age of a response. If the clock is set back to more than a minute before a response
/// came, the response counts as stale.
///
/// A response that goes to a file or to a receiver isn't cached. A request with a body, a signature
/// (``RequestSigner``), several ranges or its own conditions passes through. One range is served from a stored
/// response.
///
/// The article <doc:CachingResponses> has samples.
public final class ResponseCache: DescriptionOnly, Sendable {
  /// The app's settings for responses without an expiry or a stale time of their own.
  package struct Rules: Sendable {
    package var heuristicLimit: TimeInterval = 24 * 60 * 60
    package var staleIfError: TimeInterval = 0
  }

  package let store: any ResponseStore
  let rules: Rules
  private let now: @Sendable () -> Date
  /// Guards changes and refreshes. A store that may block is called without the lock. Any other store is called under
  /// the lock where it stores a response, so that no look-up finds a response from before a change.
  private let state = Locked(State())

  private struct State {
    /// The keys that are being refreshed in the background.
    var refreshes: Set<CacheKey> = []
    /// Counts changes of the server's resources.
    private var sequence: UInt64 = 0
    /// The number of the last change of each URL, and of all URLs under the key "". They tell which responses became
    /// outdated during their transfers.
    private var changes: [String: UInt64] = [:]

    /// Marks all earlier responses of this URL as outdated.
    mutating func noteChange(of url: String) {
      // One more change makes every transfer in progress outdated.
      if changes.count >= 256 { noteRemovalOfAll() } else { sequence += 1 }
      changes[url] = sequence
    }

    /// Marks the responses of all transfers in progress as outdated.
    mutating func noteRemovalOfAll() {
      sequence += 1
      changes = ["": sequence]
    }

    /// The number of the last change of the URL; 0 without one.
    func lastChange(of url: String) -> UInt64 { sequence == 0 ? 0 : max(changes[""] ?? 0, changes[url] ?? 0) }

    /// Whether the URL has not changed since the plan was made.
    func isCurrent(_ plan: CachePlan) -> Bool { plan.lastChange == lastChange(of: plan.key.url) }
  }

  /// Creates a cache in memory, which ends with the process.
  ///
  /// - Parameters:
  ///   - memoryLimit: the bytes that all responses may take. The responses of one URL may take an eighth of it.
  ///   - heuristicLimit: the longest time, in seconds, that a response with a `Last-Modified` but without an expiry
  ///     counts as fresh; a day by default. Such a response is fresh for a tenth of the time since its last change, up
  ///     to this limit (RFC 9111, section 4.2.2). An error never is. With 0 the server is asked every time.
  ///   - staleIfError: the seconds for which a stale response without `stale-if-error` may still be used when the
  ///     server fails, exceeds the timeout or can't be reached; 0 by default. After the deadline the request fails all
  ///     the same. A response with `no-cache` or `must-revalidate` never is.
  public convenience init(
    memoryLimit: Int = 16 * 1024 * 1024, heuristicLimit: TimeInterval = 24 * 60 * 60, staleIfError: TimeInterval = 0
  ) {
    self.init(
      MemoryResponseStore(limit: memoryLimit), Rules(heuristicLimit: heuristicLimit, staleIfError: staleIfError))
  }

  /// Creates a cache in files, which outlive the process. Several processes may use one directory. A change that one
  /// cache learns of removes the file for all. But another process may then store a response from before the change,
  /// which is used while it is fresh. So share one cache among the services of a process.
  ///
  /// Only the owner can read the files. They hold the URLs, and the responses with their bodies and `Set-Cookie`
  /// fields, but no field of a request. A damaged file counts as missing.
  ///
  /// - Parameters:
  ///   - directory: the place of the directory `responses`, which holds the files.
  ///   - limit: the bytes that all files may take. The responses of one URL may take an eighth of it. A file counts in
  ///     blocks of 4096 bytes. Several processes may exceed the limit by a sixteenth each.
  ///   - heuristicLimit: see ``init(memoryLimit:heuristicLimit:staleIfError:)``.
  ///   - staleIfError: see there too.
  /// - Throws: ``PrivateFileError``.
  public convenience init(
    directory: URL, limit: Int = 64 * 1024 * 1024, heuristicLimit: TimeInterval = 24 * 60 * 60,
    staleIfError: TimeInterval = 0
  ) throws(PrivateFileError) {
    self.init(
      try DiskResponseStore(directory: directory, limit: limit),
      Rules(heuristicLimit: heuristicLimit, staleIfError: staleIfError))
  }

  /// - Parameter now: the wall clock. Responses outlive the process and carry servers' dates, so no other clock works.
  package init(_ store: any ResponseStore, _ rules: Rules = Rules(), now: @escaping @Sendable () -> Date = { Date() }) {
    self.store = store
    self.rules = rules
    self.now = now
  }

  /// Removes every response, and stores no response of a transfer in progress.
  public func removeAll() {
    // Noted first, so that a transfer that ends between the two steps stores nothing.
    state.withLock { $0.noteRemovalOfAll() }
    store.removeAll()
  }

  // MARK: Requests

  /// The plan for a request that is ready to be sent, credentials included.
  package func plan(for request: TransportRequest, identity: String?, policy: Policy = .useCache) -> CachePlan {
    var plan = CachePlan(request, identity: identity, policy: policy, time: now())
    // Read before the store: a change during the look-up then makes this request's response outdated.
    plan.lastChange = state.withLock { [url = plan.key.url] in $0.lastChange(of: url) }
    // The method itself as an argument would allocate an object.
    plan.decide(rules) { store.lookup($0) }
    return plan
  }

  /// Whether the plan's request may refresh the cache in the background; `false` if another one already does. Call
  /// `endRefresh(of:)` after the outcome.
  package func beginRefresh(of plan: CachePlan) -> Bool { state.withLock { $0.refreshes.insert(plan.key).inserted } }

  package func endRefresh(of plan: CachePlan) { state.withLock { _ = $0.refreshes.remove(plan.key) } }

  // MARK: Responses

  /// Handles the end of a transfer: stores the response, refreshes a stored one, or removes obsolete ones.
  ///
  /// - Parameters:
  ///   - result: the final response to the plan's request, or the failure.
  ///   - plan: the plan of this transfer. A redirect requests another URL and needs its own plan. A retry may reuse the
  ///     plan.
  /// - Returns: the stored response to deliver, which the server confirmed or which replaces an error; `nil` to deliver
  ///   the server's.
  package func outcome(of result: TransferResult, plan: CachePlan) -> WebServiceResponse? {
    // The status of a response that breaks off says too that the request has changed something.
    if let head = result.serverResponse { invalidate(after: head, to: plan.request) }
    guard case .success(let response) = result else {
      // A cancelled caller wants no stale response in place of its error.
      if case .failure(let error) = result, error.kind == .cancelled { return nil }
      return handleError(plan: plan)
    }
    if response.statusCode == 304, let candidate = plan.candidate, !candidate.facts.conditions.isEmpty {
      return confirm(candidate, by: response, plan: plan)
    }
    // Statuses of a server that fails (RFC 5861, section 4).
    if [500, 502, 503, 504].contains(response.statusCode), let standIn = handleError(plan: plan) { return standIn }
    // A response that isn't stored changes nothing if none was stored before. A session that followed a redirect on its
    // own has the response of another URL.
    guard plan.isCacheable, plan.isReplacing || response.mayBeStored(CacheControl(response.headers)),
      response.urlForm.normalizedText == plan.key.url
    else { return nil }
    keep(response, plan: plan)
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
    return candidate.delivery(to: plan.request, at: now, isConfirmed: false)
  }

  /// Handles a 304: freshens the stored response and delivers it (RFC 9111, section 4.3.4).
  private func confirm(
    _ candidate: CachedResponse, by response: WebServiceResponse, plan: CachePlan
  ) -> WebServiceResponse {
    let now = now()
    var confirmed = candidate
    // A 304 with another tag says that nothing has changed, but its fields belong to another response.
    if candidate.isConfirmed(by: response) {
      confirmed = candidate.freshened(
        by: response, to: plan.request.headers, requestTime: plan.time, responseTime: now)
      if confirmed.mayBeStored(rules) { put(confirmed, response.source, plan) } else { store.remove(plan.key) }
    }
    return confirmed.delivery(to: plan.request, at: now, isConfirmed: true)
  }

  /// Stores a response, or removes the response that a newer one shows to be outdated.
  private func keep(_ response: WebServiceResponse, plan: CachePlan) {
    if response.statusCode == 206 || plan.request.method == .head {
      // Whole content stays, unless the new response shows that it has changed (RFC 9111, section 4.3.5). Content that
      // was decoded had another entity tag during the transfer.
      let stored = store.lookup(plan.key).first(where: plan.matches)
      if let stored, !stored.response.isDecoded, stored.isOutdated(by: response) { store.remove(plan.key) }
      return
    }
    let cached = CachedResponse(response, to: plan.request.headers, requestTime: plan.time, responseTime: now())
    if cached.mayBeStored(rules) { return put(cached, response.source, plan) }
    if CacheFacts.isUnderstood(response.statusCode) { store.remove(plan.key) }
  }

  /// Stores a response unless its URL has changed since the request was sent.
  private func put(_ response: CachedResponse, _ source: WebServiceResponse.Source, _ plan: CachePlan) {
    // A request that joined a transfer doesn't know when that was sent. The request that began it stores the response.
    guard source != .otherTransfer else { return }
    guard !store.isImmediate else {
      return state.withLock { if $0.isCurrent(plan) { store.store(response, for: plan.key) } }
    }
    guard isCurrent(plan) else { return }
    store.store(response, for: plan.key)
    // The URL may have changed while the response was stored.
    if !isCurrent(plan) { store.remove(plan.key) }
  }

  /// Whether nothing changed since the request was sent. A response from before a change may be outdated.
  private func isCurrent(_ plan: CachePlan) -> Bool { state.withLock { $0.isCurrent(plan) } }

  /// Removes the responses that became obsolete because a request changed a resource (RFC 9111, section 4.4). They are
  /// those of its URL, and of the URLs of the same origin in `Location` and `Content-Location`.
  private func invalidate(after response: WebServiceResponse, to request: TransportRequest) {
    guard !request.method.isSafe, (200...399).contains(response.statusCode), let target = request.target else { return }
    let named = ["Location", "Content-Location"].compactMap { name in
      response.headers[name].flatMap { try? target.resolving($0) }
    }
    // The change is noted first. A transfer that ends between the two steps then stores nothing outdated.
    for url in [target] + named.filter({ $0.hasSameOrigin(as: target) }) {
      state.withLock { $0.noteChange(of: url.text) }
      store.removeAll(ofURL: url.text)
    }
  }

  /// The type, without the responses.
  public var description: String { "ResponseCache" }
}
