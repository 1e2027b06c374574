import Foundation

/// Says what to deliver and what to send for one request, as `decide` has found out (RFC 9111, section 4). Deliver
/// `delivered`, send `sent`, and pass the outcome of the transfer to the cache together with the plan. At least one of
/// the two isn't `nil`.
package struct CachePlan: Sendable {
  /// The caller's request, without the fields that the cache adds.
  let request: TransportRequest
  let key: CacheKey
  let policy: ResponseCache.Policy
  /// The wall clock when the request asks the cache.
  let time: Date
  /// The number of the last change of the URL that the cache knew at that time; 0 without one.
  var lastChange: UInt64 = 0
  /// The request's own directives.
  let control: CacheControl
  /// Whether the cache may respond to the request, or store the server's response. Found out once, from many fields.
  var isCacheable = false
  /// Whether a response may have been stored before the request was sent. A newer response that isn't stored removes
  /// the stored one.
  var isReplacing = false
  /// The stored response to deliver, to confirm, or to use if the server fails; `nil` if none helps.
  var candidate: CachedResponse?
  /// Whether the caller gets the candidate at once, or a 504 if there is none.
  var isDelivered = false
  /// Whether the server is asked, with the candidate's conditions if it has any.
  var isSent = true
  /// Until when the candidate may be used if the server fails; `nil` if it may not.
  var usableOnErrorUntil: Date?

  init(_ request: TransportRequest, identity: String?, policy: ResponseCache.Policy, time: Date) {
    self.request = request
    key = CacheKey(url: request.urlForm.normalizedText, identity: identity)
    self.policy = policy
    self.time = time
    control = CacheControl(request.headers)
  }

  /// The response to deliver at once; `nil` if the server has to be asked. The response is a 504 if the request allows
  /// only a stored response and there is none.
  package var delivered: WebServiceResponse? {
    guard isDelivered else { return nil }
    if let candidate { return candidate.delivery(to: request, at: time, isConfirmed: false) }
    var response = WebServiceResponse(statusCode: 504, url: request.url)
    response.source = .earlierTransfer
    return response
  }

  /// The request to send, with the conditions, and with the policy in a form that caches on the way understand; `nil`
  /// to send nothing. If `delivered` isn't `nil`, the request refreshes the cache.
  package var sent: TransportRequest? {
    guard isSent else { return nil }
    var outgoing = request
    if lastChange > 0 { outgoing.context.lastChange &+= lastChange }
    if let conditions = candidate?.facts.conditions, !conditions.isEmpty { outgoing.headers.merge(conditions) }
    // A request that changes something is never served from a cache. The caller's own field stays.
    if let directive, request.method.isSafe, request.headers["Cache-Control"] == nil {
      outgoing.headers["Cache-Control"] = directive
    }
    if isDelivered {
      // The cache has more use for the whole response.
      outgoing.headers.remove(["Range", "If-Range"])
      // The caller has its response, so its progress is complete.
      outgoing.onProgress = nil
    }
    return outgoing
  }

  private var directive: String? {
    switch policy {
    case .useCache, .onlyIfCached: nil
    case .reload: "no-cache"
    case .revalidate: "max-age=0"
    case .noStore: "no-store"
    }
  }
}
