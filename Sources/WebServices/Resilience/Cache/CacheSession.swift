import Dispatch

/// Asks the cache for the plan of a request, carries the plan out, and passes the outcome to the cache.
///
/// A store that may block is called on `queue` only. Any other store is called on the caller's or the transport's
/// thread. A request that was admitted without a network fails unless the cache has a response. The engine then waits
/// for a network, if the request's policy says so, and sends the request again.
final class CacheSession: WrappingSession {
  /// The queue for caches whose stores may block. Concurrent, so that a slow file doesn't hold up other requests.
  static let queue = DispatchQueue(label: "WebServices.Cache", qos: .userInitiated, attributes: .concurrent)

  let next: any URLSessionProtocol
  let cache: ResponseCache
  private let service: LayerContext
  /// The policy of requests that set none.
  private let policy: ResponseCache.Policy
  private let credentialFields: CredentialFields
  /// Kept, because each request asks for it, and making it may take time.
  private let scope: String?

  init(_ cache: ResponseCache, next: any URLSessionProtocol, service: LayerContext) {
    self.cache = cache
    self.next = next
    self.service = service
    policy = service.configuration.cachePolicy
    credentialFields = CredentialFields(redaction: service.redaction)
    scope = next.cacheScope
  }

  func transferTask(with request: TransportRequest, completion: @escaping Completion) -> any URLSessionTaskProtocol {
    guard !request.options.bypassesLimits else { return next.transferTask(with: request, completion: completion) }
    // The store isn't asked about a stream, so that a slow disk doesn't hold it up.
    guard cache.store.isImmediate || request.receiver != nil && request.method.isSafe else {
      return HeldTask(completion) { [self] task in
        Self.queue.enqueue { [self] in carryOut(makePlan(for: request), task) }
      }
    }
    let plan = makePlan(for: request)
    // No stored response is involved: the server's response passes, once the cache has looked at it.
    if plan.candidate == nil, !request.context.isOffline, let outgoing = plan.sent {
      return next.transferTask(with: outgoing) { [cache] result in
        _ = cache.outcome(of: result, plan: plan)
        completion(result)
      }
    }
    return HeldTask(completion) { [self] task in carryOut(plan, task) }
  }

  private func makePlan(for request: TransportRequest) -> CachePlan {
    let identity = CacheKey.identity(of: request, fields: credentialFields, scope: scope)
    return cache.plan(for: request, identity: identity, policy: request.options.cachePolicy ?? policy)
  }

  /// Runs on `queue` if the store may block.
  private func carryOut(_ plan: CachePlan, _ task: HeldTask) {
    let request = plan.request
    if let response = plan.delivered {
      // A 504 of the cache's own has no stored response.
      if let stored = plan.candidate {
        let isFresh = stored.facts.lifetime(cache.rules) > stored.age(at: plan.time)
        request.context.observer?.transferDid(.cached(isFresh ? .hit : .stale))
      }
      task.finish(.success(response))
    }
    guard let outgoing = plan.sent else { return }
    if plan.isDelivered { return refresh(plan, with: outgoing) }
    if plan.usableOnErrorUntil != nil {
      request.context.observer?.transferMayBeReplaced { [cache] in cache.handleError(plan: plan) }
    }
    if request.context.isOffline { return judge(.failure(.noNetwork), plan, task) }
    task.send(outgoing, to: next) { [self] result in
      cache.store.isImmediate ? judge(result, plan, task) : Self.queue.enqueue { [self] in judge(result, plan, task) }
    }
  }

  /// Requests a newer response in the background, for the next requests.
  private func refresh(_ plan: CachePlan, with request: TransportRequest) {
    // Outside of a service nobody could cancel the transfer.
    guard let engine = request.context.engine, !request.context.isOffline, cache.beginRefresh(of: plan) else { return }
    var request = request
    request.options.priority = .low
    // No caller's request waits for a transfer of low priority.
    request.options.coalesces = false
    let observer = SilentObserver(request.context.observer)
    request.context.observer = observer
    engine.startInBackground(for: request.context.identity) { [cache] result in
      Self.queue.enqueue {
        _ = cache.outcome(of: result, plan: plan)
        cache.endRefresh(of: plan)
      }
    } begin: { [next, service, request] task in
      // No caller limits the time of this transfer, in which a wait for a permit counts too.
      let seconds = request.options.timeout ?? service.configuration.timeout
      let timer = service.configuration.clock.schedule(after: seconds) {
        observer.isTimedOut.withLock { $0 = true }
        task.cancel()
      }
      task.send(request, to: next) { result in
        timer.cancel()
        task.finish(result)
      }
    }
  }

  // MARK: Results

  /// Runs on `queue` if the store may block.
  private func judge(_ result: Result<WebServiceResponse, TransportError>, _ plan: CachePlan, _ task: HeldTask) {
    guard let stored = cache.outcome(of: result, plan: plan) else { return task.finish(result) }
    let observer = plan.request.context.observer
    var use = RequestEvent.CacheUse.stale
    if case .success(let response) = result {
      if response.statusCode == 304 { use = .revalidated }
      // Monitors learn of the server's response, besides the delivered one.
      if response.source == .network {
        observer?.transferDid(
          .received(status: response.statusCode, bytes: Int64(response.body.count), metrics: response.metrics))
      }
    }
    observer?.transferDid(.cached(use))
    task.finish(.success(stored))
  }
}

/// The observer of a refresh in the background. It passes on no event: the caller has its response already.
private final class SilentObserver: WatchingObserver {
  let observer: (any TransferObserver)?
  /// Whether the refresh took too long.
  let isTimedOut = Locked(false)

  init(_ observer: (any TransferObserver)?) { self.observer = observer }

  var hasTimedOut: Bool { isTimedOut.withLock { $0 } }
  func transferIsSent() {}
  func transferDid(_ kind: RequestEvent.Kind) {}
}
