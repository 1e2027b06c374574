import Foundation

/// Says what to deliver and what to send for one request, as a cache has decided. Carry out `step`, then pass the
/// outcome of the transfer to the cache together with the plan.
///
/// An object, so that the closures of a transfer capture one reference.
package final class CachePlan: Sendable {
  /// The next step.
  package enum Step: Sendable {
    /// Deliver the response, and send nothing. The response is a 504 if the request allows only a stored response and
    /// there is none.
    case deliver(WebServiceResponse)
    /// Deliver the response. If `beginRefresh(of:)` allows it, send the request too, and pass its outcome to the cache
    /// only.
    case deliverAndSend(WebServiceResponse, TransportRequest)
    /// Send the request, and hand the outcome to the cache.
    case send(TransportRequest)
  }

  /// Says what to do after the server's response, unless that response is delivered unchanged.
  package enum Outcome: Sendable {
    /// Deliver the stored response: the server confirmed it, or it replaces an error.
    case response(WebServiceResponse)
    /// Send the plan's request for the whole response: the server confirmed a response that isn't stored any more.
    /// Happens once at most, since that request has no conditions.
    case sendAgain(CachePlan)
  }

  package let step: Step
  let lookup: CacheLookup
  /// The response that the server was asked to confirm, or that may replace an error.
  let candidate: CachedResponse?
  /// The date until which the candidate may replace an error; `nil` if the candidate never may.
  let usableOnErrorUntil: Date?
  /// Whether the response may be stored.
  let isStoring: Bool
  /// Whether a response may have been stored before the request was sent. A newer response that isn't stored removes
  /// the stored one.
  let isReplacing: Bool

  init(
    _ step: Step, of lookup: CacheLookup, candidate: CachedResponse? = nil, usableOnErrorUntil: Date? = nil,
    isStoring: Bool = false, isReplacing: Bool = true
  ) {
    self.step = step
    self.lookup = lookup
    self.candidate = candidate
    self.usableOnErrorUntil = usableOnErrorUntil
    self.isStoring = isStoring
    self.isReplacing = isReplacing
  }

  /// The caller's request, without the fields that the cache adds.
  var request: TransportRequest { lookup.request }
  var key: CacheKey { lookup.key }

  /// The plan that requests the whole response, after the server has confirmed a response that isn't stored any more.
  func withoutConditions(at time: Date) -> CachePlan {
    var lookup = lookup
    lookup.time = time
    return CachePlan(.send(request), of: lookup, isStoring: true)
  }
}
