import Foundation

/// Sends no requests for a while to a host that keeps failing. Such requests fail at once. Add the layer with
/// `.circuitBreaker(_:)`.
public struct CircuitBreakerLayer: SessionLayer {
  let policy: CircuitBreakerPolicy

  /// Makes a session that asks the circuit of a host first.
  public func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
    CircuitBreakerSession(policy, next: next, service: service)
  }
}

extension SessionLayer where Self == CircuitBreakerLayer {
  /// Fails requests at once while their host keeps failing.
  public static func circuitBreaker(_ policy: CircuitBreakerPolicy) -> CircuitBreakerLayer {
    CircuitBreakerLayer(policy: policy)
  }
}

/// Asks the host's circuit before a transfer, and tells the circuit how the transfer ended.
final class CircuitBreakerSession: WrappingSession {
  /// The most hosts that are watched. An app may talk to any number of hosts.
  static let hostLimit = 1000

  let next: any URLSessionProtocol
  private let policy: CircuitBreakerPolicy
  fileprivate let service: LayerContext
  /// Guards the circuits of all hosts. Clock and random source are called without the lock, because an app may supply
  /// them.
  private let circuits = Locked(HostRegistry<CircuitBreaker>())

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
    let observer = context.observer
    switch admit(host) {
    case .admitted(let permit):
      let transfer = AdmittedTransfer(
        permit, host: host, timeout: request.options.timeout ?? service.configuration.timeout,
        isRepeated: request.needsNewConnection,
        observer: observer, session: self)
      context.observer = transfer
      var request = request
      request.context = context
      return next.transferTask(with: request) { result in
        // Records a transfer that an inner layer ended unsent. Does nothing after `transferDidEnd`.
        transfer.end(result)
        completion(result)
      }
    case .refused(let seconds):
      return HeldTask(completion) { task in
        observer?.transferDid(.waiting(.breaker))
        task.finish(.failure(.circuitOpen(host, retryAfter: seconds)))
      }
    }
  }

  // MARK: Circuits

  /// How many hosts are watched.
  var hostCount: Int { circuits.withLock { $0.count } }

  /// The state of a host's circuit; closed for an unknown host.
  func state(of host: String) -> CircuitBreaker.State {
    circuits.withLock { $0[host]?.state ?? .closed }
  }

  /// Asks whether a request to the host may be sent.
  func admit(_ host: String) -> CircuitBreaker.Admission {
    // Most circuits are closed and need no clock.
    if let permit = circuits.withLock({ $0[host]?.permitWhileClosed }) { return .admitted(permit) }
    let now = service.clock.now
    return circuits.withLock { circuits in
      if circuits.count >= Self.hostLimit, !circuits.contains(host) { Self.makeRoom(in: &circuits) }
      return circuits.update(host, orInsert: CircuitBreaker(policy)) { $0.admit(now: now) }
    }
  }

  /// The seconds for which an admitted request that had to wait may not be sent; `nil` if it may.
  fileprivate func refusal(of permit: CircuitBreaker.Permit, host: String) -> TimeInterval? {
    let refusing = circuits.withLock { circuits in
      circuits[host].flatMap { $0.stillAdmits(permit) ? nil : $0.state }
    }
    guard case .open(let end) = refusing else { return nil }
    return max(0, end - service.clock.now)
  }

  /// Records the end of an admitted request. Call this once for each permit, even if the request was never sent
  /// (`.none`).
  func record(_ verdict: CircuitBreaker.Verdict, host: String, permit: CircuitBreaker.Permit) {
    let now = service.clock.now
    let chance = verdict == .failure ? service.random.unit : 0
    _ = circuits.withLock { circuits in
      circuits.update(host) { $0.record(verdict, permit: permit, now: now, chance: chance) }
    }
  }

  /// Forgets the closed circuits and their results; all circuits if none is closed.
  private static func makeRoom(in circuits: inout HostRegistry<CircuitBreaker>) {
    let count = circuits.count
    circuits.removeAll { $0.state == .closed }
    if circuits.count == count { circuits = HostRegistry() }
  }
}

/// A transfer that a circuit has admitted. If the transfer waits in a later layer, the circuit is asked again before
/// the request is sent, because it may have opened meanwhile.
private final class AdmittedTransfer: TransferObserver {
  /// The observer's calls come from any thread, so a lock guards this state.
  private struct State {
    /// The time when the request was sent; `nil` until then.
    var sentTime: TimeInterval?
    /// Whether the result was recorded. A permit must be recorded once.
    var isOver = false
  }

  private let permit: CircuitBreaker.Permit
  private let host: String
  /// The time in seconds after which a cancelled transfer counts as a timeout of its host.
  private let timeout: TimeInterval?
  /// Whether the engine repeats the request because a kept connection was closed.
  private let isRepeated: Bool
  private let observer: (any TransferObserver)?
  private let session: CircuitBreakerSession
  private let state = Locked(State())

  init(
    _ permit: CircuitBreaker.Permit, host: String, timeout: TimeInterval?, isRepeated: Bool,
    observer: (any TransferObserver)?, session: CircuitBreakerSession
  ) {
    self.permit = permit
    self.host = host
    self.timeout = timeout
    self.isRepeated = isRepeated
    self.observer = observer
    self.session = session
  }

  func refusal() -> TransportError? {
    if let refusal = observer?.refusal() { return refusal }
    guard let seconds = session.refusal(of: permit, host: host) else { return nil }
    observer?.transferDid(.waiting(.breaker))
    return .circuitOpen(host, retryAfter: seconds)
  }

  func transferIsSent() {
    let now = session.service.clock.now
    state.withLock { $0.sentTime = now }
    observer?.transferIsSent()
  }

  func transferDid(_ kind: RequestEvent.Kind) { observer?.transferDid(kind) }

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
    session.record(verdict(on: result, sentTime: former.sentTime), host: host, permit: permit)
  }

  private func verdict(
    on result: Result<WebServiceResponse, TransportError>, sentTime: TimeInterval?
  ) -> CircuitBreaker.Verdict {
    switch result {
    // A response from a cache doesn't show whether the host works.
    case .success(let response) where response.source == .cache:
      return .none
    case .failure(let error) where error.kind == .cancelled:
      // The engine enforces the caller's timeout by cancelling. A cancelled transfer that took so long counts as a
      // failure of the host.
      guard let sentTime, let timeout else { return .none }
      return session.service.clock.now - sentTime >= timeout ? .failure : .none
    // A kept connection may close at any time. The engine repeats the request once, and then its end counts.
    case .failure(let error) where error.isStaleConnection && !isRepeated:
      return .none
    case .success, .failure:
      return CircuitBreaker.Verdict(result)
    }
  }
}

extension TransportError {
  fileprivate static func circuitOpen(_ host: String, retryAfter: TimeInterval) -> TransportError {
    TransportError(
      .circuitOpen, message: "\(host) keeps failing, so no request is sent to it", mayHaveReachedServer: false,
      underlying: CircuitOpenError(host: host, retryAfter: retryAfter))
  }
}
