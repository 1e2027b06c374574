import Foundation

/// Asks the host's circuit before a transfer, and tells the circuit how the transfer ended.
final class CircuitBreakerSession: WrappingSession {
  /// The most hosts that are watched. An app may talk to any number of hosts.
  static let hostLimit = 1000

  let next: any URLSessionProtocol
  private let policy: CircuitBreakerPolicy
  private let service: LayerContext
  /// Guards the circuits of all hosts. Clock and random source are called without the lock, because an app may supply
  /// them.
  let circuits = Locked([String: CircuitBreaker]())

  init(_ policy: CircuitBreakerPolicy, next: any URLSessionProtocol, service: LayerContext) {
    self.policy = policy
    self.next = next
    self.service = service
  }

  func transferTask(with request: TransportRequest, completion: @escaping Completion) -> any URLSessionTaskProtocol {
    guard !request.options.bypassesLimits else { return next.transferTask(with: request, completion: completion) }
    let transfer = AdmittedTransfer(of: request, session: self)
    // Refused here too, so that the request waits for no permit of a later layer.
    if let refusal = refusal(of: transfer.host) {
      transfer.transferDid(.waiting(.breaker))
      return finishedTask(with: .failure(refusal), completion: completion)
    }
    var request = request
    request.context.observer = transfer
    return next.transferTask(with: request) { result in
      // Records a transfer that the request has left. Does nothing after `transferDidEnd`.
      transfer.end(result)
      completion(result)
    }
  }

  // MARK: Circuits

  /// The error of a request to the host while its circuit is open and needs no probe; `nil` at any other time.
  private func refusal(of host: String) -> TransportError? {
    // Most circuits are closed and need no clock.
    guard let end = circuits.withLock({ $0[host]?.openUntil }) else { return nil }
    let now = service.clock.now
    return now < end ? error(host, retryAfter: end - now) : nil
  }

  /// Admits a request that is about to be sent.
  ///
  /// - Returns: the permit, with which the end of the request has to be recorded; `nil` with the reason not to send it.
  func admit(_ host: String) -> (permit: Int?, refusal: TransportError?) {
    let now = service.clock.now
    let (permit, end): (Int?, TimeInterval?) = circuits.withLock { circuits in
      if circuits.count >= Self.hostLimit, circuits.index(forKey: host) == nil {
        // Forgets the closed circuits and their results; all circuits if none is closed.
        circuits = circuits.filter { $0.value.openUntil != nil }
        if circuits.count >= Self.hostLimit { circuits = [:] }
      }
      return circuits.update(host, default: CircuitBreaker(policy)) { circuit in
        let permit = circuit.admit(now: now)
        return (permit, permit == nil ? circuit.openUntil : nil)
      }
    }
    return (permit, end.map { error(host, retryAfter: $0 - now) })
  }

  private func error(_ host: String, retryAfter: TimeInterval) -> TransportError {
    let cause = CircuitBreakerPolicy.OpenError(host: host, retryAfter: retryAfter)
    return .unsent(.refusedBySession, "\(host) keeps failing, so no request is sent to it", cause: cause)
  }

  /// Records the end of an admitted request: whether it shows that the host works. Call this once for each permit.
  func record(_ isWorking: Bool?, host: String, permit: Int) {
    let now = service.clock.now
    let chance = isWorking == false ? service.random.unit : 0
    circuits.withLock { _ = $0.update(host) { $0.record(isWorking, permit: permit, now: now, chance: chance) } }
  }
}

/// A transfer that asks the circuit of its host when it is about to be sent, and records its end.
private final class AdmittedTransfer: WatchingObserver {
  let host: String
  let observer: (any TransferObserver)?
  private let request: TransportRequest
  private let session: CircuitBreakerSession
  /// The permit; `nil` before the request is sent, and once its end is recorded. Any thread may call the observer.
  private let permit = Locked<Int?>(nil)

  init(of request: TransportRequest, session: CircuitBreakerSession) {
    host = request.host
    observer = request.context.observer
    self.request = request
    self.session = session
  }

  func refusal() -> TransportError? {
    if let refusal = observer?.refusal() { return refusal }
    let (new, refusal) = session.admit(host)
    permit.withLock { $0 = new }
    if refusal != nil { observer?.transferDid(.waiting(.breaker)) }
    return refusal
  }

  func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) {
    end(result)
    observer?.transferDidEnd(result)
  }

  /// Tells the circuit how the transfer has ended, once. A request that wasn't sent shows nothing.
  func end(_ result: Result<WebServiceResponse, TransportError>) {
    if let permit = permit.withLock({ $0.take() }) { session.record(isWorking(by: result), host: host, permit: permit) }
  }

  private func isWorking(by result: Result<WebServiceResponse, TransportError>) -> Bool? {
    switch result {
    // The engine enforces timeout and deadline by cancelling.
    case .failure(let error) where error.kind == .cancelled: hasTimedOut ? false : nil
    // A kept connection may close at any time. The engine repeats the request once, and then its end counts.
    case .failure(let error) where error.isStaleConnection && !request.needsNewConnection: nil
    case .success, .failure: result.showsWorkingHost
    }
  }
}
