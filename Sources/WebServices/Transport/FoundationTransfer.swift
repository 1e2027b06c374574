import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One transfer of a `FoundationSession`. Call `resume()`, `cancel()` and `withdraw()` from any thread, any number of
/// times.
final class FoundationTransfer: URLSessionTaskProtocol, Sendable {
  typealias Completion = @Sendable (Result<WebServiceResponse, TransportError>) -> Void

  /// A phase never goes back to an earlier one. Each phase can go to `ended`, when the transfer fails or is cancelled.
  enum Phase {
    /// `resume()` leads to `running`.
    case prepared
    /// `completed(with:response:)` leads to `draining`.
    case running
    /// Foundation has finished, and the receiver is still reading the response. Its last read leads to `ended`.
    case draining
    case ended
  }

  struct State: Sendable {
    var phase = Phase.prepared
    var completion: Completion?
    /// A transfer retains its session until it ends.
    var session: FoundationSession?
    var task: URLSessionDataTask?
    var isSuspended = false
    /// Whether Foundation was told to send. From then on the server may have the request.
    var wasLaunched = false
    /// The reason why the transfer waits before it is launched.
    var wait = UnsentReason.connecting
    var head: WebServiceResponse?
    var body = Data()
    var progress = TransportRequest.Progress(sent: 0, expectedToSend: 0, received: 0, expectedToReceive: nil)
    var firstByte: TimeInterval?
    /// Ends the wait for the body of a redirect that is followed; `nil` for other responses.
    var redirectTimer: (any WebServiceTimer)?
    var metrics: WebServiceResponse.Metrics?
  }

  let request: TransportRequest
  /// Guards everything that changes. `end` takes the whole state out, so that exactly one caller completes the
  /// transfer.
  let state: Locked<State>
  let timers: FoundationTimers
  /// Passes the response to a receiver on its own queue; `nil` for a response in memory.
  let gate: ReceiverGate?
  private let plan: Result<FoundationRequestPlan, TransportError>

  init(
    _ request: TransportRequest, plan: Result<FoundationRequestPlan, TransportError>, session: FoundationSession,
    completion: @escaping Completion
  ) {
    self.request = request
    self.plan = plan
    let state = Locked(State(completion: completion, session: session))
    let timers = FoundationTimers((try? plan.get())?.timeouts ?? TransportRequest.Timeouts())
    self.state = state
    self.timers = timers
    // The closure captures the values and not the transfer, which retains the gate.
    gate = request.receiver.map { receiver in
      ReceiverGate(receiver, on: DispatchQueue(label: "FoundationSession.receiver")) { isBusy in
        timers.setHeld(isBusy)
        if !isBusy { FoundationTransfer.unsuspend(state) }
      }
    }
  }

  /// Starts the request; later calls do nothing.
  func resume() {
    let session = state.withLock { state -> FoundationSession? in
      guard state.phase == .prepared else { return nil }
      state.phase = .running
      return state.session
    }
    guard let session else { return }
    guard session.register(self) else {
      return end(hops: true) { _ in .failure(.unsent(.invalidated, "the session has been invalidated")) }
    }
    switch plan {
    case .failure(let error): end(hops: true) { _ in .failure(error) }
    case .success(let plan): start(plan, on: session)
    }
    // `cancel()` may have ended the transfer before the session registered it.
    if state.withLock({ $0.phase == .ended }) { session.unregister(self) }
  }

  /// Ends the request with `.cancelled`, also one that was never started. Does nothing once the request has ended.
  func cancel() {
    end(hops: true) { $0.failure(.cancelled, "cancelled") }
  }

  /// Starts the timeouts, and launches the transfer once its whole body is in memory.
  private func start(_ plan: FoundationRequestPlan, on session: FoundationSession) {
    timers.begin { [weak self] timeout in
      self?.end(hops: true) { $0.failure(.timedOut(timeout), "a timeout has passed") }
    }
    switch request.body {
    case .none: return launch(plan, body: nil, on: session)
    case .data(let data): return launch(plan, body: data, on: session)
    case .file, .stream: break
    }
    // A queue of its own, because reading may block.
    DispatchQueue(label: "FoundationSession.body").async {
      do throws(TransportError) {
        // An app's slow body isn't an idle connection.
        self.timers.setHeld(true)
        let body = try self.request.body.loaded { self.whileRunning { _ in } != nil }
        self.timers.setHeld(false)
        self.launch(plan, body: body, on: session)
      } catch {
        self.end(hops: false) { _ in .failure(error) }
      }
    }
  }

  /// Waits for a `URLSession`, and then sends the request with it.
  private func launch(_ plan: FoundationRequestPlan, body: Data?, on session: FoundationSession) {
    var request = plan.request
    request.httpBody = body
    let connections = session.connections
    state.withLock { state in
      state.progress.expectedToSend = Int64(body?.count ?? 0)
      if let host = plan.ownHost { state.wait = .connection(origin: host, limit: connections.limitPerHost) }
    }
    connections.open(ownFor: plan.ownHost) { [request] urlSession in
      connections.calls.async { self.launch(request, on: urlSession) }
    }
  }

  /// Makes Foundation's task and resumes the task, unless the transfer has ended meanwhile.
  private func launch(_ request: URLRequest, on urlSession: DelegatedURLSession?) {
    guard whileRunning({ _ in }) != nil else {
      urlSession?.retireAfterOnlyTask()
      return
    }
    guard let task = urlSession?.makeTask(with: request, for: self) else {
      return end(hops: false) { $0.failure(.cancelled, "the session has been invalidated") }
    }
    let isRunning: Void? = whileRunning { state in
      state.task = task
      state.wasLaunched = true
    }
    // The transfer may have ended while the task was made. Foundation never releases a task that was neither resumed
    // nor cancelled.
    if isRunning != nil { task.resume() } else { task.cancel() }
  }

  /// Reads or changes the state of a running transfer; `nil` in any other phase.
  @discardableResult
  func whileRunning<Output>(_ change: (inout State) -> Output) -> Output? {
    state.withLock { $0.phase == .running ? change(&$0) : nil }
  }

  // MARK: The end

  /// Ends the transfer, unless it has ended: cancels the task and calls the completion.
  ///
  /// - Parameters:
  ///   - hops: whether the thread is a caller's or a timer's, which must not run the completion.
  ///   - isDue: whether the transfer is to end in its current state.
  ///   - result: makes the result from the last state.
  func end(
    hops: Bool, where isDue: (State) -> Bool = { _ in true },
    _ result: (State) -> Result<WebServiceResponse, TransportError>
  ) {
    let taken = state.withLock { state -> State? in
      guard state.phase != .ended, isDue(state) else { return nil }
      // The new state releases the completion and the session, so that no cycle stays.
      defer { state = State(phase: .ended) }
      return state
    }
    // From here on nothing is locked: releasing the session or the completion may call back.
    guard var taken else { return }
    if taken.metrics == nil { taken.metrics = timers.metrics(firstByte: taken.firstByte) }
    let result = result(taken)
    timers.stop()
    taken.redirectTimer?.cancel()
    let connections = taken.session?.connections
    if let task = taken.task { connections?.calls.async { task.cancel() } }
    taken.session?.unregister(self)
    let completion = taken.completion
    if let gate {
      // The completion comes after the pieces that the receiver was given.
      gate.close { completion?(result) }
    } else if hops, let connections {
      connections.hops.async { completion?(result) }
    } else {
      completion?(result)
    }
  }

  func fail(_ kind: TransportError.Kind, _ message: String) {
    end(hops: false) { $0.failure(kind, message) }
  }
}

extension FoundationTransfer: WithdrawableTask {
  /// Ends the transfer if Foundation wasn't told to send it.
  ///
  /// - Returns: the transfer's reason to wait.
  func withdraw() -> UnsentReason? {
    var wait: UnsentReason?
    end(hops: true, where: { !$0.wasLaunched }) { state in
      wait = state.wait
      return state.failure(.cancelled, "cancelled")
    }
    return wait
  }
}

extension FoundationTransfer.State {
  /// The part of the response that has arrived; `nil` before its head.
  var response: WebServiceResponse? {
    guard var response = head else { return nil }
    response.body = body
    var metrics = metrics ?? WebServiceResponse.Metrics(total: 0)
    metrics.bytesSent = progress.sent
    metrics.bytesReceived = progress.received
    response.metrics = metrics
    return response
  }

  /// The failure of the transfer. Before the launch it names the reason for the wait instead of the message.
  func failure(
    _ kind: TransportError.Kind, _ message: String
  ) -> Result<WebServiceResponse, TransportError> {
    guard wasLaunched else { return .failure(TransportError(kind, waitingFor: wait)) }
    return .failure(TransportError(kind, message: message, mayHaveReachedServer: true, response: response))
  }
}
