import Foundation

/// Says whether a stored response is used for a request, and whether the server is asked (RFC 9111, section 4).
struct CacheDecision: Sendable {
  /// The stored response to deliver, to confirm, or to use if the server fails; `nil` if none helps.
  var candidate: CachedResponse?
  /// Whether the caller gets the candidate at once, or a 504 if there is none.
  var isDelivered = false
  /// Whether the server is asked, with the candidate's conditions if it has any.
  var isSent = true
  /// Whether the server's response may be stored.
  var isStored = true
  /// Until when the candidate may be used if the server fails; `nil` if it may not.
  var usableOnErrorUntil: Date?

  /// The request doesn't concern the cache.
  static let pass = CacheDecision(isStored: false)
  /// No stored response helps.
  static let miss = CacheDecision()
  /// Send nothing: a 504.
  static let onlyIfCachedMiss = CacheDecision(isDelivered: true, isSent: false)
}

/// Says what to deliver and what to send for one request, as a cache has decided. Deliver `delivered`, send `sent`, and
/// pass the outcome of the transfer to the cache together with the plan. At least one of the two isn't `nil`.
///
/// An object, so that the closures of a transfer capture one reference.
package final class CachePlan: Sendable {
  let lookup: CacheLookup
  let decision: CacheDecision
  /// Whether a response may have been stored before the request was sent. A newer response that isn't stored removes
  /// the stored one.
  let isReplacing: Bool

  init(_ decision: CacheDecision, of lookup: CacheLookup, isReplacing: Bool = true) {
    self.decision = decision
    self.lookup = lookup
    self.isReplacing = isReplacing
  }

  /// The caller's request, without the fields that the cache adds.
  var request: TransportRequest { lookup.request }
  var key: CacheKey { lookup.key }

  /// Whether no stored response is involved, and the server's response is delivered in any case.
  var isPassing: Bool { decision.candidate == nil && !decision.isDelivered }

  /// The response to deliver at once; `nil` if the server has to be asked. The response is a 504 if the request allows
  /// only a stored response and there is none.
  package var delivered: WebServiceResponse? {
    guard decision.isDelivered else { return nil }
    if let stored = decision.candidate { return lookup.delivery(of: stored, at: lookup.time, isConfirmed: false) }
    var response = WebServiceResponse(statusCode: 504, url: request.url)
    response.source = .earlierTransfer
    return response
  }

  /// The request to send, with the conditions, and with the policy in a form that caches on the way understand; `nil` to
  /// send nothing. If `delivered` isn't `nil`, the request refreshes the cache.
  package var sent: TransportRequest? {
    guard decision.isSent else { return nil }
    var outgoing = request
    if let conditions = decision.candidate?.facts.conditions, !conditions.isEmpty { outgoing.headers.merge(conditions) }
    // A request that changes something is never served from a cache. The caller's own field stays.
    if let directive, request.method.isSafe, request.headers["Cache-Control"] == nil {
      outgoing.headers["Cache-Control"] = directive
    }
    if decision.isDelivered {
      // The cache has more use for the whole response.
      if lookup.range != nil { outgoing.headers.remove(["Range", "If-Range"]) }
      // The caller has its response, so its progress is complete. Assigning `nil` without the check would copy the
      // request.
      if outgoing.onProgress != nil { outgoing.onProgress = nil }
    }
    return outgoing
  }

  private var directive: String? {
    switch lookup.policy {
    case .useCache, .onlyIfCached: nil
    case .reload: "no-cache"
    case .revalidate: "max-age=0"
    case .noStore: "no-store"
    }
  }
}
