import Foundation

/// Makes a plan of a decision. Pure.
struct CachePlanner {
  let request: TransportRequest
  let key: CacheKey
  let policy: CachePolicy
  let time: Date
  let sequence: UInt64
  /// The part that the request asks for, if a cache can give it.
  let range: CacheRange?
  /// What the request itself says to caches.
  private let control: CacheControl

  init(request: TransportRequest, key: CacheKey, policy: CachePolicy, time: Date, sequence: UInt64) {
    self.request = request
    self.key = key
    self.policy = policy
    self.time = time
    self.sequence = sequence
    range = CacheRange(request)
    control = CacheControl(request.headers)
  }

  /// Whether a status tells of a server that fails (RFC 5861, section 4).
  static func isFailure(_ statusCode: Int) -> Bool {
    switch statusCode {
    case 500, 502, 503, 504: true
    default: false
    }
  }

  /// Fields with which a caller asks for something that the cache has no answer to.
  private static let ownConditions =
    rangeFields + ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"]
  private static let rangeFields = ["Range", "If-Range"]

  /// Whether nothing may be sent.
  var isOnlyIfCached: Bool { policy == .onlyIfCached || control.contains("only-if-cached") }

  /// Whether the cache has anything to do with the request before it is answered.
  var isCacheable: Bool {
    guard request.method == .get || request.method == .head, case .none = request.body,
      case .memory = request.destination, policy != .noStore, !control.contains("no-store")
    else { return false }
    return !request.headers.fields.contains { isOwnCondition($0.name) }
  }

  private func isOwnCondition(_ name: String) -> Bool {
    // Most fields begin with another letter, and this is asked of all.
    switch name.utf8.first {
    case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "R"), UInt8(ascii: "r"):
      guard Self.ownConditions.contains(where: { $0.equalsIgnoringASCIICase(name) }) else { return false }
      return range == nil || !Self.rangeFields.contains { $0.equalsIgnoringASCIICase(name) }
    default: return false
    }
  }

  /// Whether an answer is one that the request would take: a body above its limit is none, nor is a part of it that
  /// isn't the one asked for.
  func fits(_ response: CachedResponse) -> Bool {
    guard case .memory(let limit) = request.destination else { return false }
    return switch CacheRange.share(range, of: response) {
    case nil: false
    case .whole: request.method == .head || response.body.count <= limit
    case .part(let offsets): offsets.count <= limit
    }
  }

  /// For a request that is none of the cache's.
  func planForPassing() -> CachePlan {
    plan(isOnlyIfCached ? .deliver(gatewayTimeout) : .send(outgoing()))
  }

  /// - Parameters:
  ///   - isRefreshing: whether the server is to be asked while a stale answer is used; it isn't where somebody else asks
  ///     already.
  ///   - isVacant: whether nothing is stored under the key.
  func plan(for decision: CacheDecision, isRefreshing: Bool, isVacant: Bool) -> CachePlan {
    switch decision {
    case .miss:
      return plan(.send(outgoing())) { purpose in
        purpose.isStoring = true
        purpose.isReplacing = !isVacant
      }
    case .fresh(let response):
      return plan(.deliver(answer(response)))
    case .onlyIfCachedMiss:
      return plan(.deliver(gatewayTimeout))
    case .staleWhileRevalidate(let response, let conditions):
      guard isRefreshing else { return plan(.deliver(answer(response))) }
      var request = outgoing(conditions)
      // What comes is for the cache, which has more use for the whole.
      if range != nil { request.headers.remove(FieldNames(Self.rangeFields)) }
      // The caller has the answer: nothing more is told.
      if request.onProgress != nil { request.onProgress = nil }
      return plan(.deliverAndSend(answer(response), request)) { purpose in
        purpose.isBackground = true
        purpose.setCandidate(response, conditions)
      }
    case .revalidate(let response, let conditions, let until):
      return plan(.send(outgoing(conditions))) { purpose in
        purpose.usableOnErrorUntil = until
        purpose.setCandidate(response, conditions)
      }
    }
  }

  /// For the one case in which a server confirmed what isn't stored.
  static func planWithoutConditions(_ plan: CachePlan, time: Date) -> CachePlan {
    CachePlan(
      step: .send(plan.request), request: plan.request, key: plan.key,
      purpose: CachePlan.Purpose(isStoring: true), time: time, sequence: plan.sequence)
  }

  private func plan(_ step: CachePlan.Step, _ change: (inout CachePlan.Purpose) -> Void = { _ in }) -> CachePlan {
    var purpose = CachePlan.Purpose()
    change(&purpose)
    return CachePlan(step: step, request: request, key: key, purpose: purpose, time: time, sequence: sequence)
  }

  /// What is sent: the request, the conditions, and the policy in words that caches on the way understand.
  private func outgoing(_ conditions: HTTPHeaders = HTTPHeaders()) -> TransportRequest {
    var outgoing = request
    if !conditions.isEmpty { outgoing.headers.merge(conditions) }
    let wish: String? =
      switch policy {
      case .useCache, .onlyIfCached: nil
      case .reload: "no-cache"
      case .revalidate: "max-age=0"
      case .noStore: "no-store"
      }
    if let wish, request.method.isSafe, request.headers["Cache-Control"] == nil {
      outgoing.headers["Cache-Control"] = wish
    }
    return outgoing
  }

  private func answer(_ response: CachedResponse) -> WebServiceResponse {
    response.webServiceResponse(to: request.method, range: range, at: time, isConfirmed: false)
  }

  private var gatewayTimeout: WebServiceResponse {
    WebServiceResponse(statusCode: 504, url: request.url)
  }
}

extension CachePlan.Purpose {
  fileprivate mutating func setCandidate(_ response: CachedResponse, _ conditions: HTTPHeaders) {
    candidate = response
    isConditional = !conditions.isEmpty
    isStoring = true
  }
}

extension CacheStatistics {
  mutating func count(_ decision: CacheDecision, policy: CachePolicy) {
    switch decision {
    case .fresh: hits += 1
    case .staleWhileRevalidate: staleHits += 1
    case .miss where policy == .reload: break
    case .miss, .onlyIfCachedMiss: misses += 1
    // Counted when it is confirmed.
    case .revalidate: break
    }
  }
}
