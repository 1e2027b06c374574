import Foundation

/// Takes one request through the seven stations. Create it, then call `start`.
///
/// Each station has a file with its name. Read `perform` first: it is the order of the stations.
package final class RequestRun: Sendable, CustomReflectable {
  typealias Event = RequestStateMachine.Event
  typealias Action = RequestStateMachine.Action

  /// Reads and delivers an outcome on the completion's queue. A struct, because Swift allocates a thunk each time an
  /// `Optional` closure crosses a generic boundary.
  struct Delivery: Sendable {
    let run: @Sendable (RequestRun, Result<WebServiceResponse, WebServiceError>) -> Void
  }

  /// Guards the machine and the resources of the request. No station and no code of an app runs with the lock held.
  let state: Locked<RequestRunState>
  /// The caller's value. `init` and the describe station read the value on the caller's thread. Later only errors and
  /// events read the path and the method, if the request was never described.
  let data: any WebServiceRequestData
  let options: RequestOptions
  let authorization: WebServiceAuthorizationType
  /// The value of `Accept`, unless the request or the configuration sets another.
  let accept: String
  /// The fields that the configuration's closure has made on the caller's thread.
  let contextHeaders: HTTPHeaders
  /// Takes the body of a good response; `nil` if the response is collected in memory.
  let sink: (any ResponseSink)?
  /// Passes progress to the caller's closure; `nil` without one.
  let relay: ProgressRelay?
  package let engine: Engine
  /// The number and the start of the request, for monitors.
  let requestID: UInt64
  let startTime: TimeInterval
  /// The time for the whole request, in seconds.
  let deadline: TimeInterval?
  /// The signed-in user that the request is sent for; `.none` without credentials.
  package let identity: Engine.Identity

  // Inlining this and `start` would keep their temporaries in the frame of each awaited request.
  /// Creates the request. It enters the engine with `start`.
  @inline(never)
  package init(_ data: any WebServiceRequestData, accept: String, sink: (any ResponseSink)? = nil, engine: Engine) {
    self.data = data
    self.accept = accept
    self.sink = sink
    self.engine = engine
    options = data._options
    relay = options.onProgress.map(ProgressRelay.init)
    contextHeaders = engine.configuration.contextHeaders?() ?? HTTPHeaders()
    authorization = data._authorization
    let isOfUser = authorization.needsToken || engine.hasCredentialLayer
    identity = options.work?.identity(in: engine, isOfUser: isOfUser) ?? (isOfUser ? engine.identity : .none)
    requestID = engine.monitors.isEmpty ? 0 : RequestEvent.makeRequestID()
    // NaN means no deadline, and a negative number means now.
    deadline = (options.deadline ?? engine.configuration.deadline).flatMap { $0.isNaN ? nil : max(0, $0) }
    // Only events and the deadline need the start. Any other request doesn't ask the clock.
    startTime = engine.monitors.isEmpty && deadline == nil ? 0 : engine.configuration.clock.now
    state = Locked(RequestRunState())
  }

  /// Describes the request, and takes it through the stations up to the first wait. A request whose service or identity
  /// has ended isn't sent.
  ///
  /// - Parameters:
  ///   - isCancelled: whether the request was cancelled before, and only its delivery runs.
  ///   - deliver: reads and delivers the outcome. Runs once.
  /// - Returns: the slot at the engine, until the request is delivered.
  @inline(never)
  @discardableResult
  package func start(
    isCancelled: Bool = false,
    _ deliver: @escaping @Sendable (RequestRun, Result<WebServiceResponse, WebServiceError>) -> Void
  ) -> Engine.Slot? {
    // Made before locking, because a clock may be an app's code. A clock can't schedule an infinite deadline.
    let deadlineTimer = deadline.map { seconds in
      engine.configuration.clock.schedule(after: min(seconds, TransportRequest.Timeouts.longest)) { [self] in
        interrupt(.deadlinePassed)
      }
    }
    var event = isCancelled ? .refused(WebServiceError(.cancelled)) : prepare()
    // Right before the request is sent, because its service or its identity may have ended meanwhile.
    let (slot, refusal) = engine.insert(self)
    if let refusal { event = .refused(WebServiceError(interruption: refusal, phase: .describe)) }
    // One step: an interruption that came before this one has left the request to this thread.
    drive(event) { state in
      state.slot = slot
      state.resources.deadlineTimer = deadlineTimer
      state.resources.delivery = Delivery(run: deliver)
    }
    return slot
  }

  /// Ends the request from outside: cancel, deadline, reset. Any thread may call this.
  package func interrupt(_ cause: RequestStateMachine.Interruption) {
    drive(.interrupted(cause))
  }

  /// Handles an event, and the events that follow from it, until the request waits for a callback or is delivered. Any
  /// thread may call this, but no station does: a station returns its event.
  ///
  /// - Parameter change: runs with the lock held, right before the event.
  func drive(_ event: Event, after change: (inout RequestRunState) -> Void = { _ in }) {
    var decision = state.withLock { state in
      change(&state)
      return state.handle(event)
    }
    while let event = perform(decision) { decision = state.withLock { $0.handle(event) } }
  }

  /// Runs the station that a decision asks for: the order of the stations is here.
  ///
  /// - Returns: the next event; `nil` if a callback will drive on, or if the request is delivered.
  private func perform(_ decision: RequestRunState.Decision) -> Event? {
    let timer = decision.timer
    switch decision.action {
    // A request that waits for nothing has passed the stations before `send` in `start`.
    case .waitForNetwork: return waitForNetwork(timer)
    case .authorize(let request, let transfer): return authorize(request, after: transfer, timer)
    case .sign(let request, let token): return sign(request, token: token)
    case .send(let transfer): return send(transfer, timer)
    case .judge(let result, let transfer, let isNew):
      if isNew, case .success(let response) = result { received(response) }
      return judge(result, of: transfer)

    // The judge sends the request back to a station above.
    case .follow(let next, let transfer): return follow(next, after: transfer)
    // With a token, the manager replaces it. Without one, the request's signer reads the challenge.
    case .reauthorize(let token?, _, let transfer): reauthorize(token, transfer, timer)
    case .reauthorize(nil, let response, let transfer): readChallenge(of: response, transfer, timer)
    case .pause(let retry, let request): pause(retry, request, timer)
    case .stop(let transfer, let error): return stop(transfer, because: error)

    // The last two stations, `read` and `claim`, run on the completion's queue.
    case .accept(let response):
      received(response)
      // A request that is never retried takes nothing out of the budget, and takes no lock for it. A cache has
      // responses while the server is down.
      let attemptLimit = options.retry?.attemptLimit ?? engine.configuration.retry.attemptLimit
      if attemptLimit > 1, response.source != .earlierTransfer { engine.configuration.retryBudget.deposit() }
      handOver(.success(response), decision.released)
    case .read(let response): handOver(.success(response), decision.released)
    case .fail(let failure): handOver(.failure(failure), decision.released)
    case .abandon(let failure): abandon(failure, decision.released)
    case .nothing: break
    }
    return nil
  }

  /// A mirror without the caller's value, which may hold secrets: the iterator of a stream retains its request.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
