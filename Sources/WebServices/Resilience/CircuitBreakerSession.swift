import Foundation

/// Asks the host's circuit before a transfer, and tells the circuit how the transfer ended.
final class CircuitBreakerSession: WrappingSession {
  /// The most hosts that are watched. An app may talk to any number of hosts.
  static let hostLimit = 1000

  let next: any URLSessionProtocol
  private let policy: CircuitBreakerPolicy
  fileprivate let service: LayerContext
  /// Guards the circuits of all hosts. Clock and random source are called without the lock, because an app may supply
  /// them.
  private let circuits = Locked([String: CircuitBreaker]())

  init(_ policy: CircuitBreakerPolicy, next: any URLSessionProtocol, service: LayerContext) {
    self.policy = policy
    self.next = next
    self.service = service
  }

  func transferTask(
    with request: TransportRequest, completion: @escaping HeldTask.Completion
  ) -> any URLSessionTaskProtocol {
    guard !request.options.bypassesLimits else { return next.transferTask(with: request, completion: completion) }
    let host = request.host
    var context = request.context
    guard let permit = admit(host) else {
      let refusal = refusal(of: host)
      return HeldTask(completion) { [observer = context.observer] task in
        observer?.transferDid(.waiting(.breaker))
        task.finish(.failure(refusal))
      }
    }
    let transfer = AdmittedTransfer(permit, host: host, request: request, session: self)
    context.observer = transfer
    var request = request
    request.context = context
    return next.transferTask(with: request) { result in
      // Records a transfer that an inner layer ended unsent. Does nothing after `transferDidEnd`.
      transfer.end(result)
      completion(result)
    }
  }

  // MARK: Circuits

  /// How many hosts are watched.
  var hostCount: Int { circuits.withLock { $0.count } }

  /// The circuit of a host; `nil` for an unknown host, whose circuit is closed.
  func circuit(of host: String) -> CircuitBreaker? { circuits.withLock { $0[host] } }

  /// The permit for a request to the host; `nil` while its circuit is open.
  func admit(_ host: String) -> Int? {
    // Most circuits are closed and need no clock.
    if let permit = circuits.withLock({ $0[host].flatMap { $0.openUntil == nil ? $0.period : nil } }) { return permit }
    let now = service.clock.now
    return circuits.withLock { circuits in
      if circuits.count >= Self.hostLimit, circuits[host] == nil {
        // Forgets the closed circuits and their results; all circuits if none is closed.
        circuits = circuits.filter { $0.value.openUntil != nil }
        if circuits.count >= Self.hostLimit { circuits = [:] }
      }
      return circuits[host, default: CircuitBreaker(policy)].admit(now: now)
    }
  }

  /// The error of a request that isn't sent because the circuit of its host is open.
  fileprivate func refusal(of host: String) -> TransportError {
    let now = service.clock.now
    return .circuitOpen(host, retryAfter: max(0, (circuit(of: host)?.openUntil ?? now) - now))
  }

  /// Records the end of an admitted request. Call this once for each permit, even if the request was never sent
  /// (`nil`).
  func record(_ isWorking: Bool?, host: String, permit: Int) {
    let now = service.clock.now
    let chance = isWorking == false ? service.random.unit : 0
    circuits.withLock { $0[host]?.record(isWorking, permit: permit, now: now, chance: chance) }
  }
}

/// A transfer that a circuit has admitted. If the transfer waits in a later layer, the circuit is asked again before
/// the request is sent, because it may have opened meanwhile.
private final class AdmittedTransfer: WatchingObserver {
  private let host: String
  private let request: TransportRequest
  let observer: (any TransferObserver)?
  private let session: CircuitBreakerSession
  /// The permit, whether the request was sent, and whether the result was recorded: a permit must be recorded once. The
  /// observer's calls come from any thread.
  private let state: Locked<(permit: Int, isSent: Bool, isOver: Bool)>

  init(_ permit: Int, host: String, request: TransportRequest, session: CircuitBreakerSession) {
    state = Locked((permit, false, false))
    self.host = host
    self.request = request
    observer = request.context.observer
    self.session = session
  }

  func refusal() -> TransportError? {
    if let refusal = observer?.refusal() { return refusal }
    guard let circuit = session.circuit(of: host), circuit.openUntil != nil,
      circuit.period != state.withLock({ $0.permit })
    else { return nil }
    // Once the open time is over, a request that waited since may be the one that probes.
    if let permit = session.admit(host) {
      state.withLock { $0.permit = permit }
      return nil
    }
    observer?.transferDid(.waiting(.breaker))
    return session.refusal(of: host)
  }

  func transferIsSent() {
    state.withLock { $0.isSent = true }
    observer?.transferIsSent()
  }

  func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) {
    end(result)
    observer?.transferDidEnd(result)
  }

  /// Tells the circuit how the transfer has ended, once.
  func end(_ result: Result<WebServiceResponse, TransportError>) {
    let former = state.withLock { state in
      defer { state.isOver = true }
      return state
    }
    guard !former.isOver else { return }
    session.record(isWorking(by: result, isSent: former.isSent), host: host, permit: former.permit)
  }

  private func isWorking(by result: Result<WebServiceResponse, TransportError>, isSent: Bool) -> Bool? {
    switch result {
    // A response from a cache doesn't show whether the host works.
    case .success(let response) where response.source == .earlierTransfer:
      return nil
    case .failure(let error) where error.kind == .cancelled:
      // The engine enforces timeout and deadline by cancelling. The host can't be blamed for a request in a queue.
      return isSent && request.context.hasTimedOut ? false : nil
    // A kept connection may close at any time. The engine repeats the request once, and then its end counts.
    case .failure(let error) where error.isStaleConnection && !request.needsNewConnection:
      return nil
    case .success, .failure:
      return result.showsWorkingHost
    }
  }
}

extension TransportError {
  fileprivate static func circuitOpen(_ host: String, retryAfter: TimeInterval) -> TransportError {
    TransportError(
      .refusedBySession, message: "\(host) keeps failing, so no request is sent to it", mayHaveReachedServer: false,
      underlying: CircuitBreakerPolicy.OpenError(host: host, retryAfter: retryAfter))
  }
}
