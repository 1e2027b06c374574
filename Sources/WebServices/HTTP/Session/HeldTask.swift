/// The task of a request that a layer may delay, or may complete without the next session. `begin` runs when the task
/// is resumed for the first time. There the layer calls `wait(endedBy:)`, `send` or `finish`. Only `send` makes a task
/// of the next session.
///
/// The completion runs once, even if the layer and a cancel end the transfer at the same time. No closure and no
/// foreign method runs with the lock held.
package struct HeldTask: WithdrawableTask {
  package typealias Completion = @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  /// Ends a wait in a layer, such as for a permit, when the task is cancelled. Does nothing if the wait has ended.
  /// Returns the reason for the wait; `nil` if the request may have been sent.
  package typealias WaitEnd = @Sendable () -> UnsentReason?

  /// Wraps the closure of the end. Each closure has a struct, because Swift allocates a thunk each time a closure
  /// enters a generic type such as `Optional`.
  private struct End: Sendable {
    let run: Completion
  }

  /// Wraps the closure of the start.
  private struct Beginning: Sendable {
    let run: @Sendable (HeldTask) -> Void
  }

  /// The progress of the request in its layer.
  ///
  /// | stage | next stages |
  /// |---|---|
  /// | `idle` | `waiting`, `sending` |
  /// | `waiting` | `sending`; `idle` if the caller cancels or the layer finishes |
  /// | `sending` | `ended` once the next session has ended the transfer |
  /// | `ended` | `sending` if the layer sends again |
  private enum Stage: Sendable {
    /// The layer is at work, before the start or between two waits.
    case idle
    case waiting(WaitEnd)
    /// The next session has the request. Its task is `nil` while the session makes it.
    case sending((any URLSessionTaskProtocol)?)
    /// The layer has a result. A wait that it records late has ended.
    case ended
  }

  private struct State: Sendable {
    /// `nil` once it is about to run.
    var completion: End?
    /// Starts a wait, sends, or finishes; `nil` once it is about to run.
    var begin: Beginning?
    var stage = Stage.idle
    var isCancelled = false

    var isWanted: Bool { completion != nil && !isCancelled }
  }

  /// Guards the stage and the closures. The only variable, because each closure of a transfer copies the task.
  private let state: Locked<State>

  /// - Parameters:
  ///   - completion: receives the end of the transfer.
  ///   - begin: called when the task is resumed; starts a wait, sends, or finishes.
  package init(_ completion: @escaping Completion, begin: @escaping @Sendable (HeldTask) -> Void) {
    state = Locked(State(completion: End(run: completion), begin: Beginning(run: begin)))
  }

  /// Records the wait of the request, unless the wait has ended already: its end has then called `send` or `finish`.
  ///
  /// - Returns: whether the request waits now.
  @discardableResult
  package func wait(endedBy endWait: @escaping WaitEnd) -> Bool {
    let (isWanted, isWaiting) = state.withLock { state in
      guard state.isWanted else { return (false, false) }
      guard case .idle = state.stage else { return (true, false) }
      state.stage = .waiting(endWait)
      return (true, true)
    }
    if !isWanted { _ = endWait() }
    return isWaiting
  }

  /// Sends a request with the next session, which completes each transfer once.
  ///
  /// - Parameter handler: receives the result, even if the task was cancelled and nothing is sent. It has to call
  ///   `finish`. `nil` if the result ends this task.
  package func send(_ request: TransportRequest, to session: any URLSessionProtocol, handler: Completion? = nil) {
    // A caller may cancel while the layer decides. The request then isn't sent.
    guard enter(.sending(nil), if: \.isWanted) else { return (handler ?? finish)(.failure(.cancelledUnsent)) }
    let task = session.transferTask(with: request) { [self] result in
      guard let handler else { return finish(result) }
      enter(.ended) { _ in true }
      handler(result)
    }
    // The session may have ended the transfer already, and the caller may have cancelled it while the session made the
    // task.
    let goesOut = enter(.sending(task)) { state in
      if case .sending(nil) = state.stage { state.isWanted } else { false }
    }
    goesOut ? task.resume() : task.cancel()
  }

  /// Enters a stage if a condition holds. The former stage is released outside the lock.
  @discardableResult
  private func enter(_ stage: Stage, if condition: (State) -> Bool) -> Bool {
    var stage = stage
    return state.withLock { state in
      guard condition(state) else { return false }
      swap(&state.stage, &stage)
      return true
    }
  }

  /// Ends the transfer, unless it has ended.
  package func finish(_ result: Result<WebServiceResponse, TransportError>) {
    // The former state is released here, outside the lock.
    var former = State()
    state.withLock { swap(&$0, &former) }
    former.completion?.run(result)
  }

  // MARK: WithdrawableTask

  package func resume() { state.withLock { $0.isWanted ? $0.begin.take() : nil }?.run(self) }

  package func cancel() { interrupt(onlyUnsent: false) }

  package func withdraw() -> UnsentReason? { interrupt(onlyUnsent: true) }

  /// - Parameter onlyUnsent: whether a request that may have been sent continues.
  @discardableResult
  private func interrupt(onlyUnsent: Bool) -> UnsentReason? {
    let stage = state.withLock { state in
      let isWaiting = if case .waiting = state.stage { true } else { false }
      if isWaiting || !onlyUnsent { state.isCancelled = true }
      return state.stage
    }
    switch stage {
    case .waiting(let endWait):
      let reason = endWait()
      finish(.failure(.cancelledUnsent))
      return reason
    case .sending(let task) where onlyUnsent: return task?.withdrawIfUnsent()
    // The end comes from the next session.
    case .sending(let task?): task.cancel()
    // `send` cancels a task that is being made. An app's session needn't complete a task that it never resumed.
    case .sending(nil), .idle, .ended: if !onlyUnsent { finish(.failure(.cancelledUnsent)) }
    }
    return nil
  }
}
