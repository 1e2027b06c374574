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
    /// The file that Foundation sends; `nil` for a body in memory.
    var file: LoadedFile?
    var isSuspended = false
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

    /// Whether Foundation was told to send. From then on the server may have the request.
    var wasLaunched: Bool { task != nil || phase == .draining }

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
      .failure(wasLaunched ? .sent(kind, message, response: response) : TransportError(kind, waitingFor: .connecting))
    }
  }

  /// For completions that must not run on a caller's or a timer's thread.
  private static let hops = DispatchQueue(label: "FoundationSession.hops")
  /// The number of bytes waiting for the receiver at which the task is suspended.
  private static let pendingLimit = 2 * 1024 * 1024

  private let request: TransportRequest
  private let delegate: FoundationDelegate
  /// Loads a body that isn't in memory; `nil` for any other.
  private let loader: BodyLoader?
  /// Guards everything that changes. `end` takes the whole state out, so that exactly one caller completes the
  /// transfer.
  private let state: Locked<State>
  /// Passes the response to a receiver on its own queue; `nil` for a response in memory.
  private let gate: ReceiverGate?

  init(_ request: TransportRequest, session: FoundationSession, completion: @escaping HeldTask.Completion) {
    self.request = request
    delegate = session.delegate
    loader = request.body.data == nil ? BodyLoader(sendsFiles: true) : nil
    let (state, calls) = (Locked(State(completion: completion, session: session)), session.delegate.calls)
    self.state = state
    // The closure captures the state and not the transfer, which retains the gate.
    gate = request.receiver.map { receiver in
      ReceiverGate(receiver, on: DispatchQueue(label: "FoundationSession.receiver")) { isBusy in
        state.withLock { state in
          state.setHeld(isBusy)
          guard !isBusy, state.isSuspended, let task = state.task else { return }
          state.isSuspended = false
          // With the lock held, as in `received(_:)`: the task gets the calls in the order of the decisions.
          calls.async { task.resume() }
        }
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
      guard let session = delegate.begin(self) else { throw .sessionIsInvalidated }
      start(request, on: session)
    } catch { end(hops: true) { _ in .failure(error) } }
  }

  /// Ends the request with `.cancelled`, also one that was never started. Does nothing once the request has ended.
  func cancel() { end(hops: true) { $0.failure(.cancelled, "cancelled") } }

  /// Starts the timeouts, and launches the transfer once its body is in memory or a file.
  private func start(_ request: TransportRequest, on urlSession: URLSession) {
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
    guard let loader else { return launch(.success(request), on: urlSession) }
    loader.load(request) { [self] loaded in
      whileRunning { $0.setHeld(false) }
      launch(loaded, on: urlSession)
    }
  }

  /// Makes Foundation's task and resumes the task, unless the transfer has ended meanwhile.
  private func launch(_ loaded: Result<TransportRequest, TransportError>, on urlSession: URLSession) {
    do throws(TransportError) {
      let loaded = try loaded.get()
      var request = try URLRequest(loaded)
      // The transfer keeps the timeouts. Foundation counts the time of a slow receiver, and on Linux whole seconds.
      request.timeoutInterval = TransportRequest.Timeouts.longest
      delegate.calls.async { [self, request] in
        // A session is invalidated on this queue, and only after the end of its transfers.
        guard whileRunning({ _ in }) != nil else { return }
        let file = loaded.body.loadedFile
        let task = delegate.makeTask(request, file, for: self, on: urlSession)
        let isRunning: Void? = whileRunning { state in
          state.progress.expectedToSend = file?.length ?? Int64(request.httpBody?.count ?? 0)
          (state.task, state.file) = (task, file)
        }
        // The transfer may have ended while the task was made. Foundation never releases a task that was neither
        // resumed nor cancelled.
        if isRunning != nil { task.resume() } else { task.cancel() }
      }
    } catch { end(hops: true) { _ in .failure(error) } }
  }

  /// Reads or changes the state of a running transfer; `nil` in any other phase.
  @discardableResult
  func whileRunning<Output>(_ change: (inout State) -> Output) -> Output? {
    state.withLock { $0.phase == .running ? change(&$0) : nil }
  }

  // MARK: Foundation's events, which the session's serial queue delivers one after the other

  /// Receives a head. Interim heads (1xx) come before the final one, and Foundation may repeat a head for trailers.
  func received(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else { return }
    guard !(100..<200).contains(response.statusCode) || response.statusCode == 101 else { return }
    let head = WebServiceResponse(response, method: request.method, url: request.url)
    guard head.headers.count <= WebServiceResponse.fieldLimit
    else { return fail(.tooLarge, WebServiceResponse.tooManyFields) }
    let isFirst = whileRunning { state in
      state.lastActivity = MonotonicTime.seconds
      guard state.head == nil else { return false }
      state.head = head
      state.firstByte = state.lastActivity
      let length = response.expectedContentLength
      state.progress.expectedToReceive = head.headers["Content-Length"] != nil && length >= 0 ? length : nil
      return true
    }
    guard isFirst == true else { return }
    if let length = response.value(forHTTPHeaderField: "Content-Length"), length.announcedLength == nil {
      return fail(.badFraming, "the response's length is invalid, or there are several")
    }
    if response.statusCode == 101 {
      return fail(.badFraming, "the server switched protocols (101) without a request to do so")
    }
    gate?.begin(head)
    guard request.followsRedirects, head.headers.redirectLocation(status: head.statusCode) != nil else { return }
    // The body of a redirect that is followed delays the next request by a moment at most.
    guard head.headers["Content-Length"].flatMap({ Int($0) }) ?? 0 <= RedirectBody.limit
    else { return end(hops: false) { $0.success } }
    whileRunning { $0.redirectDeadline = $0.lastActivity + RedirectBody.longestWait }
    watchTimeouts()
  }

  func received(_ data: Data) {
    let limit = gate == nil ? max(0, request.responseLimit) : nil
    let change = whileRunning { state in
      state.lastActivity = MonotonicTime.seconds
      // Bytes above the limit aren't stored. The failure has the body up to the limit.
      state.progress.received += Int64(data.count)
      let room = limit.map { $0 - state.body.count } ?? data.count
      if limit != nil { state.body.append(data.prefix(room)) }
      return (state.progress, isTooLarge: data.count > room, isRedirect: state.redirectDeadline.isFinite)
    }
    guard let (progress, isTooLarge, isRedirect) = change else { return }
    if isRedirect, progress.received > RedirectBody.limit { return end(hops: false) { $0.success } }
    if isTooLarge, let limit { return end(hops: false) { .failure(.tooLarge(limit: limit, response: $0.response)) } }
    request.onProgress?(progress)
    // On Linux a suspended task would start over, and deliver its bytes twice.
    guard let gate, gate.add(data) > Self.pendingLimit, Platform.foundation == .apple else { return }
    // The server then waits for a slow receiver. A receiver that holds no piece would never resume the task.
    whileRunning { state in
      guard state.isHeld, !state.isSuspended, let task = state.task else { return }
      state.isSuspended = true
      delegate.calls.async { task.suspend() }
    }
  }

  func sent(_ count: Int64) {
    let progress = whileRunning { state in
      state.lastActivity = MonotonicTime.seconds
      state.progress.sent = count
      return state.progress
    }
    if let progress { request.onProgress?(progress) }
  }

  /// Ends the transfer after Foundation has, and after the receiver has read the rest.
  func completed(with error: (any Error)?, response: URLResponse?) {
    // For some redirects Foundation reports the head only here.
    if error == nil, let response { received(response) }
    let sentFile: LoadedFile?? = whileRunning { state in
      state.phase = .draining
      state.task = nil
      return state.file
    }
    guard let sentFile else { return }
    // A file that was cut during the upload is the cause of Foundation's error.
    let error = sentFile?.failure ?? error
    let end: @Sendable () -> Void = {
      self.end(hops: false) { state in
        error.map { .failure(TransportError(sessionError: $0, response: state.response)) } ?? state.success
      }
    }
    if gate?.isIdle(orCall: end) ?? true { end() }
  }

  // MARK: The end

  /// Ends the transfer if a timeout has passed, or sets a timer for the next one.
  private func watchTimeouts() {
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
      return exchange(&state, with: State(phase: .ended))
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

  private func fail(_ kind: TransportError.Kind, _ message: String) { end(hops: false) { $0.failure(kind, message) } }

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
