import Foundation

/// What a cache says about one request before it is sent, and remembers until its answer is there.
package struct CachePlan: Sendable {
  /// What to do now.
  package enum Step: Sendable {
    /// This is the answer; nothing is sent. It may be a 504, where only a stored answer was wanted and none is there.
    case deliver(WebServiceResponse)
    /// This is the answer, and the request is to be sent besides, to nobody's completion: its outcome goes to the cache
    /// alone.
    case deliverAndSend(WebServiceResponse, TransportRequest)
    /// Send this, and hand the outcome to the cache.
    case send(TransportRequest)
  }

  /// What to do now.
  package var step: Step { memory.step }

  /// An object, since a plan is handed on with its request and comes back with the answer.
  let memory: Memory
}

extension CachePlan {
  /// What a cache remembers of a request.
  final class Memory: Sendable {
    let step: Step
    /// The request as it came, without the cache's own fields.
    let request: TransportRequest
    let key: CacheKey
    let purpose: Purpose
    /// When it was made, by the wall clock, and among all that the cache does.
    let time: Date
    let sequence: UInt64

    init(step: Step, request: TransportRequest, key: CacheKey, purpose: Purpose, time: Date, sequence: UInt64) {
      self.step = step
      self.request = request
      self.key = key
      self.purpose = purpose
      self.time = time
      self.sequence = sequence
    }
  }

  /// What the answer is for.
  struct Purpose: Sendable {
    /// What the cache asked the server to confirm.
    var candidate: CachedResponse?
    /// Whether a "not modified" is for the cache and not for the caller.
    var isConditional = false
    var usableOnErrorUntil: Date?
    var isStoring = false
    /// Whether anything may have been stored before the request was sent: what must not be stored replaces it.
    var isReplacing = true
    var isBackground = false
  }

  init(
    step: Step, request: TransportRequest, key: CacheKey, purpose: Purpose = Purpose(), time: Date, sequence: UInt64
  ) {
    memory = Memory(step: step, request: request, key: key, purpose: purpose, time: time, sequence: sequence)
  }

  var request: TransportRequest { memory.request }
  var key: CacheKey { memory.key }
  var candidate: CachedResponse? { memory.purpose.candidate }
  var isConditional: Bool { memory.purpose.isConditional }
  var usableOnErrorUntil: Date? { memory.purpose.usableOnErrorUntil }
  var isStoring: Bool { memory.purpose.isStoring }
  var isReplacing: Bool { memory.purpose.isReplacing }
  var isBackground: Bool { memory.purpose.isBackground }
  var time: Date { memory.time }
  var sequence: UInt64 { memory.sequence }
}

/// What a cache made of an answer.
package enum CacheOutcome: Sendable {
  /// The answer to go on with: the server's, or the stored one that the server confirmed or that stands in for it.
  case response(WebServiceResponse)
  /// The server confirmed what isn't stored: send the plan's request, which asks for the whole answer. It happens once
  /// at most.
  case sendAgain(CachePlan)
}
