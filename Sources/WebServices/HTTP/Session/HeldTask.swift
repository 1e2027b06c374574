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
  /// | `waiting` | `sending` |
  ///
  /// In every stage, a cancel or the layer may end the task. The task then has no closure and is `idle`.
  private enum Stage: Sendable {
    /// The layer is at work before the start or a wait, or the task has ended.
    case idle
    case waiting(WaitEnd)
    /// The next session has the request. Its task is `nil` while the session makes it.
    case sending((any URLSessionTaskProtocol)?)
  }

  private struct State: Sendable {
    /// `nil` once it is about to run.
    var completion: End?
    /// Starts a wait, sends, or finishes; `nil` once it is about to run.
    var begin: Beginning?
    var stage = Stage.idle
  }

  /// Guards the stage and the closures. The only variable, because each closure of a transfer copies the task.
  private let state: Locked<State>

  /// - Parameters:
  ///   - completion: receives the end of the transfer.
  ///   - begin: called when the task is resumed; starts a wait, sends, or finishes.
  package init(_ completion: @escaping Completion, begin: @escaping @Sendable (HeldTask) -> Void) {
    state = Locked(State(completion: End(run: completion), begin: Beginning(run: begin)))
  }

  package func isSame(as other: HeldTask) -> Bool { state.isSame(as: other.state) }

  /// Records the wait of the request, unless the wait has ended already: its end has then called `send` or `finish`.
  ///
  /// - Returns: whether the request waits now.
  @discardableResult
  package func wait(endedBy endWait: @escaping WaitEnd) -> Bool {
    let (isWanted, isWaiting) = state.withLock { state in
      guard state.completion != nil else { return (false, false) }
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
    let end = handler ?? finish
    guard enter(.sending(nil)) else { return end(.failure(.cancelledUnsent)) }
    let task = session.transferTask(with: request, completion: end)
    // The session may have ended the transfer already, and the caller may have cancelled it while the session made the
    // task.
    enter(.sending(task)) ? task.resume() : task.cancel()
  }

  /// Enters a stage, unless the task has ended. The former stage is released outside the lock.
  private func enter(_ stage: Stage) -> Bool {
    var stage = stage
    return state.withLock { state in
      guard state.completion != nil else { return false }
      swap(&state.stage, &stage)
      return true
    }
  }

  /// Ends the transfer, unless it has ended.
  package func finish(_ result: Result<WebServiceResponse, TransportError>) {
    // The former state is released here, outside the lock.
    state.withLock { exchange(&$0, with: State()) }.completion?.run(result)
  }

  // MARK: WithdrawableTask

  package func resume() { state.withLock { $0.begin.take() }?.run(self) }

  package func cancel() { interrupt(onlyUnsent: false) }

  package func withdraw() -> UnsentReason? { interrupt(onlyUnsent: true) }

  /// - Parameter onlyUnsent: whether a request that may have been sent continues.
  @discardableResult
  private func interrupt(onlyUnsent: Bool) -> UnsentReason? {
    // The former state is released outside the lock.
    var former = State()
    let stage = state.withLock { state in
      let stage = state.stage
      switch stage {
      case .waiting: swap(&state, &former)
      // The end comes from the next session.
      case .sending(_?): break
      // `send` cancels a task that is being made. An app's session needn't complete a task that it never resumed.
      case .sending(nil), .idle: if !onlyUnsent { swap(&state, &former) }
      }
      return stage
    }
    var reason: UnsentReason?
    switch stage {
    case .waiting(let endWait): reason = endWait()
    case .sending(let task) where onlyUnsent: reason = task?.withdrawIfUnsent()
    case .sending(let task): task?.cancel()
    case .idle: break
    }
    former.completion?.run(.failure(.cancelledUnsent))
    return reason
  }
}
