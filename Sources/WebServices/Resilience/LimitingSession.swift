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

  func transferTask(with request: TransportRequest, completion: @escaping Completion) -> any URLSessionTaskProtocol {
    // The renewal of a token passes: the requests that wait for the token may hold all permits.
    guard !request.options.bypassesLimits else { return next.transferTask(with: request, completion: completion) }
    let host = request.host
    // Most requests find a free permit and need no task of their own.
    if limiter.acquireIfFree(host: host, now: service.clock.now) {
      return next.transferTask(with: request) { [self] result in
        release(host, after: result)
        completion(result)
      }
    }
    return HeldTask(completion) { [self] task in
      let priority = request.options.priority ?? service.configuration.priority
      let ticket = limiter.acquire(host: host, priority: priority) { [self] in
        // A cancelled request isn't sent, but it ends here too.
        task.send(request, to: next) { [self] result in
          release(host, after: result)
          task.finish(result)
        }
      }
      let isWaiting = task.wait { [limiter] in
        limiter.cancel(ticket, host: host)
        return .turn(host: host, limit: limiter.limits.concurrentRequestsPerHost)
      }
      if isWaiting { request.context.observer?.transferDid(.waiting(.limit)) }
    }
  }

  /// Releases the permit, and sends the host nothing for as long as its response asks for.
  private func release(_ host: String, after result: Result<WebServiceResponse, TransportError>) {
    // A response of an inner cache asked for its pause when it came from the server.
    if let response = result.serverResponse, response.source == .network, [429, 503].contains(response.statusCode),
      let seconds = response.headers.retryAfter(now: service.configuration.wallClock())
    {
      // Before the release, because the next request would be sent too early.
      limiter.pause(host, for: seconds)
    }
    limiter.release(host)
  }
}
