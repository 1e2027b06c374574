import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One transfer of a `FoundationSession`. Call `resume()`, `cancel()` and `withdraw()` from any thread, any number of
/// times.
final class FoundationTransfer: WithdrawableTask, Sendable {
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
    var completion: HeldTask.Completion?
    /// A transfer retains its session until it ends.
    var session: FoundationSession?
    var urlSession: URLSession?
    var task: URLSessionDataTask?
    var isSuspended = false
    /// Whether Foundation was told to send. From then on the server may have the request.
    var wasLaunched = false
    var head: WebServiceResponse?
    var body = Data()
    var progress = TransportRequest.Progress(sent: 0, expectedToSend: 0, received: 0, expectedToReceive: nil)
    var firstByte: TimeInterval?
    var metrics: WebServiceResponse.Metrics?

    var timeouts = TransportRequest.Timeouts()
    var start = MonotonicTime.seconds
    var lastActivity = MonotonicTime.seconds
    /// Whether the receiver or the body's source holds the transfer up, which isn't idle then.
    var isHeld = false
    /// When the wait for the body of a followed redirect ends; infinite for other responses.
    var redirectDeadline = TimeInterval.infinity
    var timer: (any WebServiceTimer)?

    /// Notes whether the receiver of the response or the source of the body holds the transfer up.
    mutating func setHeld(_ isHeld: Bool) {
      self.isHeld = isHeld
      lastActivity = MonotonicTime.seconds
    }

    /// When the next timeout passes, and its kind; no kind for the end of the wait for a redirect's body.
    var nextTimeout: (time: TimeInterval, kind: TransportError.Timeout?) {
      // Foundation doesn't say when a connection is made, so `connect` adds to `idle` until the first sign of a
      // response.
      let connect = head == nil && progress.sent == 0 ? timeouts.connect ?? 0 : 0
      let idle = timeouts.idle.map { lastActivity + $0 + connect } ?? .infinity
      return redirectDeadline <= idle ? (redirectDeadline, nil) : (idle, .idle)
    }

    /// The part of the response that has arrived; `nil` before its head.
    var response: WebServiceResponse? {
      guard var response = head else { return nil }
      response.body = body
      var metrics = metrics ?? .init(firstByte: firstByte.map { $0 - start }, total: MonotonicTime.seconds - start)
      metrics.bytesSent = progress.sent
      metrics.bytesReceived = progress.received
      response.metrics = metrics
      return response
    }

    /// The result of a transfer whose response is complete.
    var success: Result<WebServiceResponse, TransportError> {
      response.map { .success($0) } ?? .failure(.sent(.notHTTPResponse, "no HTTP response came"))
    }

    /// The failure of the transfer. Before the launch it names the reason for the wait instead of the message.
    func failure(_ kind: TransportError.Kind, _ message: String) -> Result<WebServiceResponse, TransportError> {
      .failure(
        wasLaunched ? .sent(kind, message, response: response) : TransportError(kind, waitingFor: .connecting))
    }
  }

  /// For completions that must not run on a caller's or a timer's thread.
  private static let hops = DispatchQueue(label: "FoundationSession.hops")

  let request: TransportRequest
  private let delegate: FoundationDelegate
  /// Reads a body that isn't in memory; `nil` for any other.
  private let loader: BodyLoader?
  /// Guards everything that changes. `end` takes the whole state out, so that exactly one caller completes the
  /// transfer.
  let state: Locked<State>
  /// Passes the response to a receiver on its own queue; `nil` for a response in memory.
  let gate: ReceiverGate?

  init(_ request: TransportRequest, session: FoundationSession, completion: @escaping HeldTask.Completion) {
    self.request = request
    delegate = session.delegate
    loader = request.body.data == nil ? BodyLoader() : nil
    let state = Locked(State(completion: completion, session: session))
    self.state = state
    // The closure captures the state and not the transfer, which retains the gate.
    gate = request.receiver.map { receiver in
      ReceiverGate(receiver, on: DispatchQueue(label: "FoundationSession.receiver")) { isBusy in
        let suspended = state.withLock { state -> URLSessionDataTask? in
          state.setHeld(isBusy)
          guard !isBusy, state.isSuspended else { return nil }
          state.isSuspended = false
          return state.task
        }
        suspended?.resume()
      }
    }
  }

  /// Starts the request; later calls do nothing.
  func resume() {
    let isFirst = state.withLock { state in
      guard state.phase == .prepared else { return false }
      state.phase = .running
      return true
    }
    guard isFirst else { return }
    do throws(TransportError) {
      let request = try delegate.settings.prepared(request)
      guard let session = delegate.begin(self) else { throw .unsent(.invalidated, "the session has been invalidated") }
      try start(request, on: session)
    } catch { end(hops: true) { _ in .failure(error) } }
  }

  /// Ends the request with `.cancelled`, also one that was never started. Does nothing once the request has ended.
  func cancel() { end(hops: true) { $0.failure(.cancelled, "cancelled") } }

  /// Starts the timeouts, and launches the transfer once its whole body is in memory.
  private func start(_ request: TransportRequest, on urlSession: URLSession) throws(TransportError) {
    let isRunning: Void? = whileRunning { state in
      state.urlSession = urlSession
      state.timeouts = request.timeouts
      state.start = MonotonicTime.seconds
      // An app's slow body isn't an idle connection.
      state.setHeld(loader != nil)
    }
    // `cancel()` may have ended the transfer before the delegate registered it.
    guard isRunning != nil else { return delegate.end(self, nil, on: urlSession) }
    watchTimeouts()
    guard let loader else { return launch(try URLRequest(request), on: urlSession) }
    loader.load(request) { [self] loaded in
      do throws(TransportError) {
        let request = try URLRequest(try loaded.get())
        whileRunning { $0.setHeld(false) }
        launch(request, on: urlSession)
      } catch { end(hops: false) { _ in .failure(error) } }
    }
  }

  /// Makes Foundation's task and resumes the task, unless the transfer has ended meanwhile.
  private func launch(_ request: URLRequest, on urlSession: URLSession) {
    var request = request
    // The transfer keeps the timeouts. Foundation counts the time of a slow receiver, and on Linux whole seconds.
    request.timeoutInterval = TransportRequest.Timeouts.longest
    delegate.calls.async { [self, request] in
      // A session is invalidated on this queue, and only after the end of its transfers.
      guard whileRunning({ _ in }) != nil else { return }
      let task = delegate.makeTask(request, for: self, on: urlSession)
      let isRunning: Void? = whileRunning { state in
        state.progress.expectedToSend = Int64(request.httpBody?.count ?? 0)
        state.task = task
        state.wasLaunched = true
      }
      // The transfer may have ended while the task was made. Foundation never releases a task that was neither resumed
      // nor cancelled.
      if isRunning != nil { task.resume() } else { task.cancel() }
    }
  }

  /// Reads or changes the state of a running transfer; `nil` in any other phase.
  @discardableResult
  func whileRunning<Output>(_ change: (inout State) -> Output) -> Output? {
    state.withLock { $0.phase == .running ? change(&$0) : nil }
  }

  // MARK: The end

  /// Ends the transfer if a timeout has passed, or sets a timer for the next one.
  func watchTimeouts() {
    let now = MonotonicTime.seconds
    let isOver = state.withLock { state in
      guard state.phase != .ended else { return false }
      if state.isHeld { state.lastActivity = now }
      let next = state.nextTimeout.time
      guard next > now else { return true }
      state.timer?.cancel()
      state.timer =
        next.isFinite ? SystemClock.shared.schedule(after: next - now) { [weak self] in self?.watchTimeouts() } : nil
      return false
    }
    guard isOver else { return }
    end(hops: true, where: { $0.nextTimeout.time <= now }) { state in
      state.nextTimeout.kind.map { state.failure(.timedOut($0), "a timeout has passed") } ?? state.success
    }
    // Sets a timer if a byte has come meanwhile.
    watchTimeouts()
  }

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
    guard let taken else { return }
    let result = result(taken)
    taken.timer?.cancel()
    loader?.endWait()
    delegate.end(self, taken.task, on: taken.urlSession)
    let complete: @Sendable () -> Void = { [completion = taken.completion] in completion?(result) }
    // The completion comes after the pieces that the receiver was given.
    if let gate { return gate.close(then: complete) }
    if hops { Self.hops.async(execute: complete) } else { complete() }
  }

  func fail(_ kind: TransportError.Kind, _ message: String) { end(hops: false) { $0.failure(kind, message) } }

  /// Ends the transfer if Foundation wasn't told to send it.
  ///
  /// - Returns: the transfer's reason to wait.
  func withdraw() -> UnsentReason? {
    var wait: UnsentReason?
    end(hops: true, where: { !$0.wasLaunched }) { state in
      wait = .connecting
      return state.failure(.cancelled, "cancelled")
    }
    return wait
  }
}
