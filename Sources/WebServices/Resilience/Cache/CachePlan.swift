import Foundation

/// What a cache says about one request before it is sent, and remembers until its answer is there.
public struct CachePlan: Sendable {
  /// What to do now.
  public enum Step: Sendable {
    /// This is the answer; nothing is sent. It may be a 504, where only a stored answer was wanted and none is there.
    case deliver(WebServiceResponse)
    /// This is the answer, and the request is to be sent besides, to nobody's completion: its outcome goes to the cache
    /// alone.
    case deliverAndSend(WebServiceResponse, TransportRequest)
    /// Send this, and hand the outcome to the cache.
    case send(TransportRequest)
  }

  /// What to do now.
  public let step: Step

  /// The request as it came, without the cache's own fields.
  let request: TransportRequest
  let key: CacheKey
  /// What the cache asked the server to confirm.
  var candidate: CachedResponse?
  /// Whether a "not modified" is for the cache and not for the caller.
  var isConditional = false
  var usableOnErrorUntil: Date?
  var isStoring = false
  var isBackground = false
  /// When it was made, by the wall clock, and among all that the cache does.
  let time: Date
  let sequence: UInt64
}

/// What a cache made of an answer.
public enum CacheOutcome: Sendable {
  /// The answer to go on with: the server's, or the stored one that the server confirmed or that stands in for it.
  case response(WebServiceResponse)
  /// The server confirmed what isn't stored: send the plan's request, which asks for the whole answer. It happens once
  /// at most.
  case sendAgain(CachePlan)
}
