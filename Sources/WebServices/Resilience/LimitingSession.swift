import Foundation

/// Sends each host no more at once, and no more a second, than the limits say, and nothing while the server takes
/// nothing. Requests that wait go by priority.
public struct LimitingLayer: SessionLayer {
  let limits: RequestLimits

  /// Makes a session in which requests wait for a place.
  public func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
    limits.isLimiting ? LimitingSession(limits, next: next, service: service) : next
  }
}

extension SessionLayer where Self == LimitingLayer {
  /// Holds requests back until their host may be sent another one.
  public static func limits(_ limits: RequestLimits) -> LimitingLayer { LimitingLayer(limits: limits) }
}

final class LimitingSession: WrappingSession {
  let next: any URLSessionProtocol
  let limiter: RequestLimiter
  private let service: LayerContext

  init(_ limits: RequestLimits, next: any URLSessionProtocol, service: LayerContext) {
    self.next = next
    self.service = service
    limiter = RequestLimiter(limits, clock: service.clock)
  }

  func transferTask(
    with request: TransportRequest, completion: @escaping HeldTask.Completion
  ) -> any URLSessionTaskProtocol {
    guard !request.options.bypassesLimits else { return next.transferTask(with: request, completion: completion) }
    let host = request.host
    if let place = limiter.acquireAtOnce(host: host, now: service.clock.now) {
      return next.transferTask(with: request) { [self] result in
        note(result, host: host)
        limiter.release(place)
        completion(result)
      }
    }
    return HeldTask(completion) { [self] task in
      let priority = request.options.priority ?? service.configuration.priority
      let ticket = limiter.acquire(host: host, priority: priority) { [self] ticket in
        task.send(request, to: next) { [self] result in
          note(result, host: host)
          ticket.release()
          task.finish(result)
        }
      }
      if task.wait(for: ticket) { request.context.observer?.transferDid(.waiting(.limit)) }
    }
  }

  /// Applies the limits that the server announces.
  private func note(_ result: Result<WebServiceResponse, TransportError>, host: String) {
    guard case .success(let response) = result, response.source == .network else { return }
    if let limit = ServerRateLimit(response.headers, now: Date()) {
      limiter.note(limit, host: host)
    }
    if response.statusCode == 429 || response.statusCode == 503,
      let seconds = RetryAfter.delay(in: response.headers, now: Date())
    {
      limiter.pause(host, for: seconds)
    }
  }
}

extension RequestLimiter.Ticket: TransferWait {
  func leave() -> TransportWait? {
    release()
    return .turn(host: host, limit: limiter.placesPerHost)
  }
}
