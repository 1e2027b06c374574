public import WebServicesTransport

/// Wraps a session to change how requests reach the network. A layer can share, delay, sign or count requests, or
/// respond to them itself.
///
/// The first layer in a configuration's ``WebServiceConfiguration/layers`` sees a request first and its response last.
/// The library's own layers are ``cache(_:)``, ``coalescing``, ``circuitBreaker(_:)`` and ``limits(_:)``. Your own
/// layer makes a ``WrappingSession``; <doc:AddingLayers> has three samples.
public protocol SessionLayer: Sendable {
  /// Makes the session that requests are sent to instead of `next`. A service calls this once.
  ///
  /// - Parameters:
  ///   - next: the session that the layer passes requests on to.
  ///   - service: values of the service that the session works for.
  func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol
}

/// A layer that may respond without a network, such as a cache. Without a network, a safe request still reaches the
/// layers of a service that has such a layer.
package protocol OfflineLayer: SessionLayer {}

/// A layer that attaches credentials of its own. Every request of a service with such a layer belongs to the user who
/// is signed in, also a request that needs no token.
package protocol CredentialLayer: SessionLayer {
  /// Forgets the credentials: the user has signed out, or the service is shut down. The engine holds a lock during the
  /// call, so the method must call nothing outside the layer.
  func forgetUser()
}

/// The values of a service that its layers work with.
public struct LayerContext: Sendable {
  /// Measures time.
  public var clock: any WebServiceClock { configuration.clock }
  /// Draws random numbers.
  public var random: RandomSource { configuration.random }
  /// Hides secrets in descriptions.
  public var redaction: Redaction { configuration.redaction }

  package let configuration: WebServiceConfiguration
  package let reachability: ReachabilityProbe
  package let background: BackgroundTransfers

  /// Creates the context of a service; for tests of a layer.
  ///
  /// - Parameters:
  ///   - configuration: the settings that the layer reads, such as clock, random source and redaction.
  ///   - reachability: tells the layer whether there is a network. The default asks the system.
  public init(
    configuration: WebServiceConfiguration = WebServiceConfiguration(),
    reachability: any ReachabilityCheckable = NetworkReachability.shared
  ) {
    self.init(
      configuration: configuration, reachability: ReachabilityProbe(reachability), background: BackgroundTransfers())
  }

  init(configuration: WebServiceConfiguration, reachability: ReachabilityProbe, background: BackgroundTransfers) {
    self.configuration = configuration
    self.reachability = reachability
    self.background = background
  }
}

extension [any SessionLayer] {
  /// Composes the layers around a session. Without a layer it returns the session itself, so that requests pass through
  /// no extra object.
  func wrap(_ session: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
    // The last layer wraps first, so that the first layer is the outermost session.
    isEmpty ? session : reversed().reduce(OutboundSession(next: session)) { $1.wrap($0, for: service) }
  }
}

/// The innermost session of a service with layers. It tells the engine that a request is sent, and makes sure that
/// every session runs a completion only once.
private final class OutboundSession: WrappingSession {
  let next: any URLSessionProtocol

  init(next: any URLSessionProtocol) {
    self.next = next
  }

  func transferTask(
    with request: TransportRequest, completion: @escaping HeldTask.Completion
  ) -> any URLSessionTaskProtocol {
    OutboundTask(request, to: next, completion: completion)
  }
}

/// A transfer of the innermost session. The completion runs once, even if the session and a cancel end the transfer at
/// the same time. No closure and no foreign method runs with the lock held.
private struct OutboundTask: WithdrawableTask {
  private struct State: Sendable {
    let request: TransportRequest
    let next: any URLSessionProtocol
    let observer: (any TransferObserver)?
    /// `nil` once it is about to run. A struct, because Swift allocates a thunk each time an `Optional` closure crosses
    /// a generic boundary.
    var completion: HeldTask.Handler?
    /// The task of the next session, once the request goes out.
    var task: (any URLSessionTaskProtocol)?
  }

  /// Guards the completion and the task of the next session.
  private let state: Locked<State>

  init(_ request: TransportRequest, to next: any URLSessionProtocol, completion: @escaping HeldTask.Completion) {
    state = Locked(
      State(
        request: request, next: next, observer: request.context.observer,
        completion: HeldTask.Handler(run: completion)))
  }

  func resume() {
    let (request, next, observer, isWanted) = state.withLock {
      ($0.request, $0.next, $0.observer, $0.completion != nil)
    }
    guard isWanted else { return }
    if let refusal = observer?.refusal() { return _ = end(.failure(refusal)) }
    let task = next.transferTask(with: request) { _ = end($0) }
    let goesOut = state.withLock { state in
      guard state.completion != nil else { return false }
      state.task = task
      return true
    }
    // The caller cancelled while the session made the task, or the session has completed the transfer already.
    guard goesOut else { return task.cancel() }
    // Before `resume`, after which the response may come at any moment on another thread.
    observer?.transferIsSent()
    observer?.transferDid(.sent)
    task.resume()
  }

  func cancel() { end(.failure(.cancelledInQueue), onlyUnsent: true)?.cancel() }

  func withdraw() -> UnsentReason? { state.withLock { $0.task }?.withdrawIfUnsent() }

  /// - Parameter onlyUnsent: whether a request that was sent continues. One locked step decides, so that no
  ///   request is sent after its caller got the error of an unsent request.
  /// - Returns: the task of the next session. Release it after unlocking.
  private func end(
    _ result: Result<WebServiceResponse, TransportError>, onlyUnsent: Bool = false
  ) -> (any URLSessionTaskProtocol)? {
    let (observer, completion, task) = state.withLock { state in
      let task = onlyUnsent ? state.task : state.task.take()
      return (state.observer, onlyUnsent && task != nil ? nil : state.completion.take(), task)
    }
    guard let completion else { return task }
    observer?.transferDidEnd(result)
    completion.run(result)
    return task
  }
}
