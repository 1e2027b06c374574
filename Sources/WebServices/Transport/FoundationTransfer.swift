import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One transfer of a `FoundationSession`, from its start to its end. Its methods can be called from any thread, any number
/// of times.
final class FoundationTransfer: URLSessionTaskProtocol, Sendable {
  typealias Completion = @Sendable (Result<WebServiceResponse, TransportError>) -> Void

  enum Phase {
    case prepared
    case running
    /// Foundation is done; the response is still on its way to its receiver.
    case draining
    case ended
  }

  struct State: Sendable {
    var phase = Phase.prepared
    var completion: Completion?
    /// A transfer that hasn't ended keeps its session.
    var session: FoundationSession?
    var timers: FoundationTimers?
    var sink: FoundationSink?
    var task: URLSessionDataTask?
    var isSuspended = false
    /// Whether Foundation was told to send.
    var wasLaunched = false
    /// The reason why the transfer waits until then.
    var wait = TransportWait.connecting
    var head: WebServiceResponse?
    var body = Data()
    var progress = TransportProgress(sent: 0, expectedToSend: 0, received: 0, expectedToReceive: nil)
    var firstByte: TimeInterval?
    /// Ends the wait for the body of a redirect that is followed; `nil` for other responses.
    var redirectTimer: (any WebServiceTimer)?
    var metrics: TransportMetrics?
  }

  let request: TransportRequest
  let state: Locked<State>
  private let plan: Result<FoundationRequestPlan, TransportError>

  init(
    _ request: TransportRequest, plan: Result<FoundationRequestPlan, TransportError>, session: FoundationSession,
    completion: @escaping Completion
  ) {
    self.request = request
    self.plan = plan
    state = Locked(State(completion: completion, session: session))
  }

  /// Starts the request; later calls do nothing.
  func resume() {
    let session = state.withLock { state -> FoundationSession? in
      guard state.phase == .prepared else { return nil }
      state.phase = .running
      return state.session
    }
    guard let session else { return }
    guard session.admit(self) else {
      let error = TransportError(
        .invalidated, message: "the session has been invalidated", mayHaveReachedServer: false)
      return end(hops: true) { _ in .failure(error) }
    }
    switch plan {
    case .failure(let error): end(hops: true) { _ in .failure(error) }
    case .success(let plan): start(plan, on: session)
    }
    // It may have been ended before it was admitted.
    if state.withLock({ $0.phase == .ended }) { session.forget(self) }
  }

  /// Ends the request with `.cancelled`, also one that was never started. Does nothing once the request has ended.
  func cancel() {
    end(hops: true) { $0.failure(.cancelled, "cancelled") }
  }

  private func start(_ plan: FoundationRequestPlan, on session: FoundationSession) {
    let timers = FoundationTimers(plan.timeouts) { [weak self] timeout in
      self?.end(hops: true) { $0.failure(.timedOut(timeout), "a timeout ran out") }
    }
    var sink: FoundationSink?
    if case .receiver(let receiver) = request.destination {
      sink = FoundationSink(receiver) { [weak self] in self?.sinkIsBusy($0) }
    }
    let isRunning = whileRunning { [sink] state in
      state.timers = timers
      state.sink = sink
    }
    guard isRunning else { return }
    timers.begin()
    switch request.body {
    case .none: return launch(plan, body: nil, on: session)
    case .data(let data): return launch(plan, body: data, on: session)
    case .file, .stream: break
    }
    // A queue of its own: reading may block.
    DispatchQueue(label: "FoundationSession.body").async {
      do throws(TransportError) {
        timers.hold(true)
        let body = try self.request.body.loaded { self.whileRunning { _ in } }
        timers.hold(false)
        self.launch(plan, body: body, on: session)
      } catch {
        self.end(hops: false) { _ in .failure(error) }
      }
    }
  }

  private func launch(_ plan: FoundationRequestPlan, body: Data?, on session: FoundationSession) {
    var request = plan.request
    request.httpBody = body
    state.withLock { $0.progress.expectedToSend = Int64(body?.count ?? 0) }
    let connections = session.connections
    if let host = plan.ownHost {
      state.withLock { $0.wait = .connection(origin: host, limit: connections.limitPerHost) }
    }
    connections.open(ownFor: plan.ownHost) { [request] lane in
      connections.calls.async { self.launch(request, on: lane) }
    }
  }

  private func launch(_ request: URLRequest, on lane: FoundationLane?) {
    guard whileRunning({ _ in }) else {
      lane?.leave()
      return
    }
    guard let task = lane?.makeTask(with: request, for: self) else {
      return end(hops: false) { $0.failure(.cancelled, "the session has been invalidated") }
    }
    let isRunning = whileRunning { state in
      state.task = task
      state.wasLaunched = true
    }
    // A task that was never resumed has to be cancelled, or Foundation keeps it.
    if isRunning { task.resume() } else { task.cancel() }
  }

  /// Changes the state where the transfer is under way; whether it is.
  func whileRunning(_ change: (inout State) -> Void) -> Bool {
    state.withLock { state in
      guard state.phase == .running else { return false }
      change(&state)
      return true
    }
  }
}
