import Foundation

/// Sends a request once the limiter has a permit for its host, and releases the permit when the transfer ends.
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
    // The renewal of a token passes: the requests that wait for the token may hold all permits.
    guard !request.options.bypassesLimits else { return next.transferTask(with: request, completion: completion) }
    let host = request.host
    // Most requests find a free permit and need no task of their own.
    if limiter.acquireIfFree(host: host, now: service.clock.now) {
      return next.transferTask(with: request) { [self] result in
        // The pause is set before the permit is released. Otherwise the next request would be sent too early.
        pauseIfAsked(result, host: host)
        limiter.release(host)
        completion(result)
      }
    }
    return HeldTask(completion) { [self] task in
      let priority = request.options.priority ?? service.configuration.priority
      let ticket = limiter.acquire(host: host, priority: priority) { [self] in
        // A cancelled request isn't sent, but it ends here too.
        task.send(request, to: next) { [self] result in
          pauseIfAsked(result, host: host)
          limiter.release(host)
          task.finish(result)
        }
      }
      if task.wait(for: ticket) { request.context.observer?.transferDid(.waiting(.limit)) }
    }
  }

  /// Sends the host nothing for as long as its response asks for.
  private func pauseIfAsked(_ result: Result<WebServiceResponse, TransportError>, host: String) {
    // A response of an inner cache asked for its pause when it came from the server.
    guard case .success(let response) = result, response.source == .network,
      response.statusCode == 429 || response.statusCode == 503,
      let seconds = response.headers.retryAfter(now: service.configuration.wallClock())
    else { return }
    limiter.pause(host, for: seconds)
  }
}

extension RequestLimiter.Ticket: TransferWait {
  func endWait() -> UnsentReason? {
    cancel()
    return .turn(host: host, limit: limiter.permitsPerHost)
  }
}
