internal import WebServicesTransport

/// The requests of a service that are in progress, and the user that they are sent for.
///
/// A request enters with `insert` once it is described, and leaves with `remove` right before its completion runs.
extension Engine {
  /// The number of a request, or of a transfer in the background.
  package typealias Slot = UInt64

  /// A number that changes with each sign-out, and so stands for the user. A request with credentials of the user
  /// starts only while its identity is still the engine's.
  package struct Identity: Equatable, Sendable {
    private let number: Int

    /// The identity of a request without credentials: no sign-out concerns it.
    package static let none = Identity(number: 0)
    /// The identity for work whose service has been shut down. Such a request is never sent.
    static let ended = Identity(number: -1)
    static let first = Identity(number: 1)

    var next: Identity { Identity(number: number + 1) }
  }

  package typealias Interruption = RequestStateMachine.Interruption

  /// Everything of an engine that changes.
  struct State: Sendable {
    var isOpen = true
    /// Whether the session ends with the engine. A session of the app's does if a server of the app's has made it.
    var ownsSession = false
    /// Changes with each sign-out, in the same step that finds the requests to be cancelled.
    var identity = Identity.first
    var runs: [Slot: RequestRun] = [:]
    /// No slot is used twice, so the slot of a removed request finds nothing.
    var lastSlot: Slot = 0
    /// Whether the service ends in good order, and takes only requests that requests in progress wait for.
    var isDraining = false
    /// The transfers that no caller waits for, such as the refresh of a cached response.
    var background: [Slot: (task: HeldTask, identity: Identity)] = [:]
    /// Run once no request is left.
    var whenDrained: [@Sendable () -> Void] = []
    /// The session that the library chose, until the first request has told the monitors.
    var unreportedSession: DefaultSession?
    /// The service that the engine works for. Weak, because the service holds the engine.
    weak var service: JsonWebService?

    /// The handlers to run after unlocking.
    mutating func takeDrained() -> [@Sendable () -> Void] { runs.isEmpty ? exchange(&whenDrained, with: []) : [] }

    /// The requests in the order of their starts.
    var runsInOrder: [RequestRun] { runs.sorted { $0.key < $1.key }.map(\.value) }

    /// The background transfers to be cancelled, in the order of their starts.
    var endedTransfers: [HeldTask] {
      background.filter { interruption(of: $0.value.identity) != nil }.sorted { $0.key < $1.key }.map(\.value.task)
    }

    func interruption(of identity: Identity) -> Interruption? {
      guard isOpen else { return .invalidated }
      return identity == .none || identity == self.identity ? nil : .cancelled
    }
  }

  /// Makes the session end with the engine.
  package func ownSession() { state.withLock { $0.ownsSession = true } }

  /// Takes a request that is about to be sent or to wait, or says why it must not go on.
  func insert(_ run: RequestRun) -> (slot: Slot?, refusal: Interruption?) {
    state.withLock { state in
      if state.isDraining, !(state.isOpen && run.options.bypassesLimits) { return (nil, .shutDown) }
      if let interruption = state.interruption(of: run.identity) { return (nil, interruption) }
      let slot = state.lastSlot.increment()
      state.runs[slot] = run
      return (slot, nil)
    }
  }

  /// Removes a request whose completion is about to run.
  ///
  /// - Returns: the interruption to deliver instead of a success; see ``interruption(of:)``.
  func remove(_ slot: Slot, of identity: Identity) -> Interruption? {
    let (run, interruption, drained) = state.withLock { state in
      (state.runs.removeValue(forKey: slot), state.interruption(of: identity), state.takeDrained())
    }
    // The request is released here, outside the lock.
    _ = run
    for action in drained { action() }
    return interruption
  }

  var requestCount: Int { state.withLock { $0.runs.count } }

  /// Whether the service takes requests, and its requests may be sent.
  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// The origin that relative URLs belong to; `nil` if the service can't send a relative URL, or was shut down.
  var origin: String? { isOpen ? (try? base?.get())?.origin.text : nil }

  /// The identity that requests with a token are sent for now.
  package var identity: Identity { state.withLock { $0.identity } }

  /// Why a request of this identity must neither be sent nor succeed: the service was shut down, or the user has signed
  /// out. `nil` if the request may go on.
  package func interruption(of identity: Identity) -> Interruption? { state.withLock { $0.interruption(of: identity) } }

  /// Ends the identity of the user. From now on none of the user's requests is sent, and none succeeds. A token manager
  /// holds its lock during the call, so the method calls nothing outside the library.
  ///
  /// - Returns: the closure that cancels the requests. Call it after unlocking.
  package func endIdentity() -> @Sendable () -> Void {
    end(.cancelled) { state in
      state.identity = state.identity.next
      return state.runsInOrder.filter { $0.identity != .none }
    }
  }

  /// Takes no more requests.
  ///
  /// - Parameter invalidatingInjectedSession: whether a session that belongs to the app is invalidated too.
  /// - Returns: the closure that cancels the requests in progress and invalidates the session. Call it after unlocking.
  package func close(invalidatingInjectedSession: Bool = false) -> @Sendable () -> Void {
    let cancelRequests = end(.invalidated) { state in
      state.isOpen = false
      return state.runsInOrder
    }
    return { [self] in
      // Before the session is invalidated: each request then fails as cancelled, not with its session's error.
      cancelRequests()
      if ownsSession || invalidatingInjectedSession { session.invalidateAndCancel() }
    }
  }

  /// Ends requests and background transfers.
  ///
  /// - Parameter change: changes the state, and returns the requests to be interrupted.
  private func end(_ cause: Interruption, by change: (inout State) -> [RequestRun]) -> @Sendable () -> Void {
    let (runs, transfers) = state.withLock { state in
      // A closed service has a successor, and the credentials may be the successor's.
      if state.isOpen { for forget in forgetUser { forget() } }
      return (change(&state), state.endedTransfers)
    }
    return {
      for run in runs { run.interrupt(cause) }
      for transfer in transfers { transfer.cancel() }
    }
  }

  /// Starts a transfer that no caller waits for. The transfer is cancelled at once if the service is closed or the user
  /// has signed out, and later with the requests.
  ///
  /// - Parameters:
  ///   - identity: the user of the request that needs the transfer.
  ///   - completion: receives the end of the transfer.
  ///   - begin: sends the request, unless the transfer is cancelled.
  package func startInBackground(
    for identity: Identity, _ completion: @escaping HeldTask.Completion, begin: @escaping @Sendable (HeldTask) -> Void
  ) {
    let slot = state.withLock { $0.lastSlot.increment() }
    // The task isn't started yet, so it can't end before its entry is there.
    let end: HeldTask.Completion = { [self] result in
      let entry = state.withLock { $0.background.removeValue(forKey: slot) }
      completion(result)
      // The task is released here, outside the lock.
      _ = entry
    }
    let task = HeldTask(end, begin: begin)
    let isAdmitted = state.withLock { state in
      state.background[slot] = (task, identity)
      return state.interruption(of: identity) == nil
    }
    isAdmitted ? task.resume() : task.cancel()
  }

  /// Takes no more requests, except those that requests in progress wait for.
  ///
  /// - Parameter action: runs once no request is left.
  func drain(_ action: @escaping @Sendable () -> Void) {
    let drained = state.withLock { state in
      state.isDraining = true
      state.whenDrained.append(action)
      return state.takeDrained()
    }
    for action in drained { action() }
  }
}
