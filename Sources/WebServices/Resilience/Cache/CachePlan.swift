import Foundation

/// Says whether a stored response is used for a request, and whether the server is asked (RFC 9111, section 4).
enum CacheDecision: Sendable {
  /// The request doesn't concern the cache.
  case pass
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
  var isPassing: Bool {
    switch decision {
    case .pass, .miss: true
    default: false
    }
  }

  /// Whether the server's response may be stored.
  var isStoring: Bool { if case .miss = decision { true } else { candidate != nil } }

  /// The response that the server is asked to confirm, or that may replace an error.
  var candidate: CachedResponse? {
    switch decision {
    case .staleWhileRevalidate(let response), .revalidate(let response, _): response
    default: nil
    }
  }

  /// The response to deliver at once; `nil` if the server has to be asked. The response is a 504 if the request allows
  /// only a stored response and there is none.
  package var delivered: WebServiceResponse? {
    switch decision {
    case .fresh(let response), .staleWhileRevalidate(let response):
      return lookup.delivery(of: response, at: lookup.time, isConfirmed: false)
    case .onlyIfCachedMiss:
      var response = WebServiceResponse(statusCode: 504, url: request.url)
      response.source = .earlierTransfer
      return response
    case .pass, .miss, .revalidate: return nil
    }
  }

  /// The request to send; `nil` to send nothing. If `delivered` isn't `nil`, the request refreshes the cache.
  package var sent: TransportRequest? {
    switch decision {
    case .pass, .miss: return outgoing()
    case .revalidate(let response, _): return outgoing(response.facts.conditions)
    case .staleWhileRevalidate(let response):
      var refresh = outgoing(response.facts.conditions)
      // The cache has more use for the whole response.
      if lookup.range != nil { refresh.headers.remove(FieldNames(["Range", "If-Range"])) }
      // The caller has its response, so its progress is complete. Assigning `nil` without the check would copy the
      // request.
      if refresh.onProgress != nil { refresh.onProgress = nil }
      return refresh
    case .fresh, .onlyIfCachedMiss: return nil
    }
  }

  /// The request with the conditions, and with the policy in a form that caches on the way understand.
  private func outgoing(_ conditions: HTTPHeaders = HTTPHeaders()) -> TransportRequest {
    var outgoing = request
    if !conditions.isEmpty { outgoing.headers.merge(conditions) }
    // A request that changes something is never served from a cache. The caller's own field stays.
    if let directive = lookup.policy.directive, request.method.isSafe, request.headers["Cache-Control"] == nil {
      outgoing.headers["Cache-Control"] = directive
    }
    return outgoing
  }
}

extension ResponseCache.Policy {
  fileprivate var directive: String? {
    switch self {
    case .useCache, .onlyIfCached: nil
    case .reload: "no-cache"
    case .revalidate: "max-age=0"
    case .noStore: "no-store"
    }
  }
}
