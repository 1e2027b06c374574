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
  let next: any URLSessionProtocol
  let breakers: CircuitBreakers
  private let service: LayerContext

  init(_ policy: CircuitBreakerPolicy, next: any URLSessionProtocol, service: LayerContext) {
    self.next = next
    self.service = service
    breakers = CircuitBreakers(policy, clock: service.clock, random: service.random)
  }

  func transferTask(
    with request: TransportRequest, completion: @escaping HeldTask.Completion
  ) -> any URLSessionTaskProtocol {
    guard !request.options.bypassesLimits else { return next.transferTask(with: request, completion: completion) }
    let host = request.host
    var context = request.context
    let observer = context.observer
    do throws(CircuitOpenError) {
      let permit = try breakers.admit(host: host)
      let transfer = AdmittedTransfer(
        permit, host: host, timeout: request.callersTimeout, isRepeated: request.needsNewConnection,
        observer: observer, breakers: breakers, clock: service.clock)
      context.observer = transfer
      var request = request
      request.context = context
      return next.transferTask(with: request) { result in
        // Records a transfer that an inner layer ended unsent. Does nothing after `transferDidEnd`.
        transfer.end(result)
        completion(result)
      }
    } catch {
      return HeldTask(completion) { task in
        observer?.transferDid(.waiting(.breaker))
        task.finish(.failure(TransportError(error)))
      }
    }
  }
}

/// A transfer that a circuit has admitted. If the transfer waits in a later layer, the circuit is asked again before
/// the request is sent, because it may have opened meanwhile.
private final class AdmittedTransfer: TransferObserver {
  /// The observer's calls come from any thread, so a lock guards this state.
  private struct State {
    var permit: CircuitBreaker.Permit
    /// The time when the request was sent; `nil` until then.
    var sentTime: TimeInterval?
    /// Whether the result was recorded. A permit must be recorded once.
    var isOver = false
  }

  private let host: String
  /// The time in seconds after which a cancelled transfer counts as a timeout of its host.
  private let timeout: TimeInterval?
  /// Whether the engine repeats the request because a kept connection was closed.
  private let isRepeated: Bool
  private let observer: (any TransferObserver)?
  private let breakers: CircuitBreakers
  private let clock: any WebServiceClock
  private let state: Locked<State>

  init(
    _ permit: CircuitBreaker.Permit, host: String, timeout: TimeInterval?, isRepeated: Bool,
    observer: (any TransferObserver)?, breakers: CircuitBreakers, clock: any WebServiceClock
  ) {
    self.host = host
    self.timeout = timeout
    self.isRepeated = isRepeated
    self.observer = observer
    self.breakers = breakers
    self.clock = clock
    state = Locked(State(permit: permit))
  }

  func refusal() -> TransportError? {
    if let refusal = observer?.refusal() { return refusal }
    do throws(CircuitOpenError) {
      let permit = try breakers.admit(host: host, former: state.withLock { $0.permit })
      let isOver = state.withLock { state in
        if !state.isOver { state.permit = permit }
        return state.isOver
      }
      // The transfer ended while the circuit was asked. A probe's permit has to go back, or the circuit would wait for
      // its result.
      if isOver { breakers.record(.none, host: host, permit: permit) }
      return nil
    } catch {
      observer?.transferDid(.waiting(.breaker))
      return TransportError(error)
    }
  }

  func transferIsSent() {
    let now = clock.now
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
    breakers.record(verdict(on: result, sentTime: former.sentTime), host: host, permit: former.permit)
  }

  private func verdict(
    on result: Result<WebServiceResponse, TransportError>, sentTime: TimeInterval?
  ) -> CircuitBreaker.Verdict {
    switch result {
    case .success(let response):
      // A response from a cache doesn't show whether the host works.
      return response.source == .cache ? .none : CircuitBreaker.Verdict(statusCode: response.statusCode)
    case .failure(let error) where error.kind == .cancelled:
      // The engine enforces the caller's timeout by cancelling. A cancelled transfer that took so long counts as a
      // failure of the host.
      guard let sentTime, let timeout else { return .none }
      return clock.now - sentTime >= timeout ? .failure : .none
    // A kept connection may close at any time. The engine repeats the request once, and then its end counts.
    case .failure(let error) where error.isStaleConnection && !isRepeated:
      return .none
    case .failure(let error):
      return CircuitBreaker.Verdict(error)
    }
  }
}

extension TransportError {
  fileprivate init(_ error: CircuitOpenError) {
    self.init(
      .circuitOpen, message: "\(error.host) keeps failing, so no request is sent to it", mayHaveReachedServer: false,
      underlying: error)
  }
}
