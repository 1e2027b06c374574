import Foundation

/// One request on its way through the seven stations.
///
/// The state machine says what comes next; this does it. It knows nothing of the model: reading and delivering are the
/// caller's closure, which gets the answer where no caller's code may run yet and takes it to the right queue.
final class RequestRun: Sendable {
  /// Takes an outcome to where the completion runs. A type of its own, since an optional function is wrapped, in an
  /// object.
  struct Delivery: Sendable {
    let run: @Sendable (RequestRun, Result<WebServiceResponse, WebServiceError>) -> Void
  }

  /// What a station has to hand on besides the event.
  enum StationOutcome {
    case none
    case response(WebServiceResponse)
    case refusal(ResponseJudge.Refusal)
    /// What another attempt may mend, so many seconds later.
    case retry(after: TimeInterval, ResponseJudge.Refusal)
  }

  let state: Locked<RequestRunState>
  // What the caller's `data` says is asked on the caller's thread alone: from here and `describe`, not when an answer is
  // there.
  let data: any WebServiceRequestData
  let options: RequestOptions
  let authorization: WebServiceAuthorizationType
  let plan: ReadingPlan
  let engine: Engine
  /// Which request it is, for monitors, and when it began, for them and the deadline.
  let requestID: UInt64
  let startTime: TimeInterval
  /// How long all of it may take, in seconds.
  let deadline: TimeInterval?
  /// Whom the request is sent for.
  let identity: RunRegistry.Identity

  /// - Parameters:
  ///   - work: what the request is part of, if that consists of several.
  ///   - delivery: `nil` where the outcome is awaited.
  @inline(never)
  init(
    _ data: any WebServiceRequestData, plan: ReadingPlan, engine: Engine,
    work: RequestWork? = RequestWork.current, delivery: Delivery? = nil
  ) {
    self.data = data
    self.plan = plan
    self.engine = engine
    options = data.options
    authorization = data.authorization
    let needsToken = authorization.needsToken
    identity =
      work?.identity(in: engine.registry, needsToken: needsToken) ?? (needsToken ? engine.registry.identity : .none)
    requestID = engine.monitors.makeRequestID()
    deadline = (options.deadline ?? engine.configuration.deadline).flatMap { $0.isNaN ? nil : $0 }
    startTime = engine.monitors.isEmpty && deadline == nil ? 0 : engine.configuration.clock.now
    state = Locked(RequestRunState(delivery: delivery))
  }

  /// Sets the request off, unless the service takes none any more. An outcome that is there at once is handed on at the
  /// very end, so that no completion runs inside the call that started it.
  ///
  /// - Parameter pause: how long to wait before, in seconds. The deadline doesn't wait.
  /// - Returns: what it is found with in the service's registry until it is delivered.
  @inline(never)
  @discardableResult
  func start(after pause: TimeInterval = 0) -> RunRegistry.Slot? {
    var deadlineTimer: (any WebServiceTimer)?
    var slot: RunRegistry.Slot?
    switch engine.registry.insert(self) {
    case .taken(let taken):
      slot = taken
      deadlineTimer = makeDeadlineTimer()
      pause > 0 ? wait(pause) : advance(.started)
    case .closed: interrupt(.invalidated)
    case .formerIdentity: interrupt(.cancelled)
    }
    let outcome = state.withLock { [slot] state in
      state.isStarting = false
      state.slot = slot
      swap(&state.deadlineTimer, &deadlineTimer)
      defer { state.earlyOutcome = nil }
      return state.earlyOutcome
    }
    if let outcome { deliver(outcome) }
    return slot
  }

  /// Whether the request carries or waits for a token.
  var needsToken: Bool { authorization.needsToken }

  /// Ends the request from outside: cancel, timeout, reset.
  func interrupt(_ cause: RequestStateMachine.Interruption) {
    advance(.interrupted(cause))
    if case .stream(let relay) = plan.sink { relay.drop() }
  }

  /// The engine's main function: each station in its order. A station that is done says so with the event that leads to
  /// the next one.
  func advance(_ event: RequestStateMachine.Event, with outcome: StationOutcome = .none) {
    let (action, phase) = state.withLock { state in
      let phase = state.machine.phase
      return (state.machine.handle(event), phase)
    }
    switch action {
    case .describe: describe()
    case .admit: admit()
    case .authorize: authorize()
    case .send(let exchange): send(exchange: exchange)
    case .reauthorize: reauthorize(after: outcome)
    case .pause: pause(after: outcome)
    case .read, .fail: finish(with: outcome, phase: phase)
    case .abandon(let cause): abandon(cause, phase: phase)
    case .nothing, .complete, .completeInterrupted: break
    }
  }

  // MARK: Describe

  private func describe() {
    do throws(RequestDescription.Failure) {
      var request = try RequestDescription.transportRequest(
        for: data, options: options, accept: plan.accept, base: engine.base, configuration: engine.configuration)
      if plan.sink.countsFromLastByte {
        request.timeouts = TransportTimeouts(idle: request.timeouts.whole)
      }
      if let onProgress = options.onProgress { request.onProgress = ProgressRelay(onProgress).report }
      state.withLock { [request] state in
        state.described = request
        state.step = RequestStep(described: request)
        state.request = request
        state.shown = nil
      }
      record(.described)
      try makeFile()
      advance(.described)
    } catch {
      refuse(error.kind, error.message, underlying: error.underlying)
    }
  }

  /// What has no place to go to isn't asked for.
  private func makeFile() throws(RequestDescription.Failure) {
    do {
      try plan.sink.file?.create()
    } catch {
      throw RequestDescription.Failure(
        kind: .file, message: "the answer's file can't be made", underlying: error)
    }
  }

  // MARK: Admit

  private func admit() {
    let (step, isOnCallersThread) = state.withLock { ($0.step, $0.isStarting) }
    guard let request = step?.request else { return }
    if isOnCallersThread {
      let isConnected = engine.reachability.reachability.isConnected() || LoopbackHost.contains(request.url.host)
      admit(request, isConnected: isConnected)
    } else if LoopbackHost.contains(request.url.host) {
      admit(request, isConnected: true)
    } else {
      engine.reachability.ask { [self] in admit(request, isConnected: $0) }
    }
  }

  private func admit(_ request: TransportRequest, isConnected: Bool) {
    // A cache can answer without a network; what it can't answer, waits behind it.
    let mayBeCached = engine.exchanges.cache != nil && !options.bypassesLimits && request.method.isSafe
    state.withLock { $0.isOffline = !isConnected && mayBeCached }
    isConnected || mayBeCached ? advance(.admitted) : waitForConnectivity()
  }

  private func waitForConnectivity() {
    let policy = connectivity
    let message = "no network interface is up"
    guard policy != .failAtOnce else { return refuse(.noConnection, message) }
    record(.waiting(.connectivity))
    let wait = ConnectivityWait(
      policy, reachability: engine.reachability, clock: engine.configuration.clock
    ) { [self] isConnected in
      state.withLock { $0.connectivityWait = nil }
      isConnected ? goOn(with: .admitted) : refuse(.noConnection, message)
    }
    let isWaiting = state.withLock { state in
      guard state.machine.state == .admitting else { return false }
      state.connectivityWait = wait
      return true
    }
    if !isWaiting { wait.cancel() }
  }

  private var connectivity: ConnectivityPolicy { options.connectivity ?? engine.configuration.connectivity }

  // MARK: Send

  private func send(exchange: Int) {
    let receiver = makeReceiver(exchange: exchange)
    guard let departure = state.withLock({ $0.depart() }) else { return }
    let request = departure.request
    // While a service shuts down, its requests are interrupted one by one: none goes out meanwhile.
    guard engine.registry.isOpen else { return interrupt(.invalidated) }
    let outgoing = outgoing(departure, to: receiver, exchange: exchange)
    let completion = Exchanges.Completion { [self] result in
      let result = result.with(fragment: request.fragment)
      guard let receiver else { return judge(result, of: request, exchange: exchange) }
      receiver.complete(result) { [self] result in judge(result, of: request, exchange: exchange) }
    }
    let task: any URLSessionTaskProtocol
    let isHeldUp: Bool
    if let context = exchangeContext(departure) {
      task = engine.exchanges.task(with: outgoing, context: context, completion: completion)
      isHeldUp = true
    } else {
      task = engine.session.transferTask(with: outgoing) { completion.run(.ended($0)) }
      isHeldUp = false
    }
    let isStillWanted = state.withLock { state in
      guard state.isUnderWay(exchange) else { return false }
      state.transportTask = task
      // Counted in the same step as the check: a request that ends with no attempt has never been sent.
      if !isHeldUp { state.countAttempt() }
      return true
    }
    guard isStillWanted else { return task.cancel() }
    if !isHeldUp {
      exchangeWasSent()
      record(.sent)
    }
    task.resume()
  }

  /// What an exchange has to know that may have to wait or be answered by another one; `nil` where it goes straight out.
  private func exchangeContext(_ departure: RequestRunState.Departure) -> ExchangeContext? {
    let coalesces = options.coalesces ?? engine.configuration.coalescesRequests
    guard !options.bypassesLimits, coalesces || engine.exchanges.mayHoldUp else { return nil }
    return ExchangeContext(
      priority: options.priority ?? engine.configuration.priority,
      cachePolicy: options.cachePolicy ?? engine.configuration.cachePolicy, connectivity: connectivity,
      coalesces: coalesces, isOffline: departure.isOffline, credentialNames: departure.credentialNames,
      isRetry: departure.isRetry, owner: self)
  }

  /// The request as the session is given it: the same, where its answer is collected in memory and no redirect has led
  /// elsewhere.
  private func outgoing(
    _ departure: RequestRunState.Departure, to receiver: StreamReceiver?, exchange: Int
  ) -> TransportRequest {
    var request = departure.request
    guard receiver != nil || departure.described != nil || departure.needsNewConnection else { return request }
    if let receiver { request.destination = .receiver(receiver) }
    // A redirect may have brought along what was described.
    if let described = departure.described { request.secrets += secrets(in: described) }
    request.needsNewConnection = departure.needsNewConnection
    request.onProgress = progressHandler(exchange: exchange, report: request.onProgress)
    return request
  }

  private func secrets(in request: TransportRequest) -> [String] {
    RequestSecrets(redaction: engine.configuration.redaction).values(in: request)
  }
}

extension RequestRun: ExchangeOwner {
  var mayBeSent: Bool { engine.registry.admits(identity) }

  /// A redirect spends the time that the attempt was given, unless that counts from byte to byte.
  func exchangeWasSent() {
    state.withLock { $0.countAttempt() }
    startTimer { !$0.isFollowing || plan.sink.file != nil }
  }

  func exchangeDid(_ kind: RequestEvent.Kind) { record(kind) }
}
