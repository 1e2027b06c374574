/// Something that a request waits for before it can be sent.
protocol TransferWait: Sendable {
  /// Ends the wait, or does nothing where it has ended.
  ///
  /// - Returns: what the request waited for; `nil` where it may have been sent.
  func leave() -> TransportWait?
}

/// The task of a layer that holds a request up: the task of the next session comes later, or never.
///
/// The completion runs once, whoever ends the transfer first. The handler of `send` runs once too, so that a layer can
/// give back in it what it took for the transfer. No closure and no foreign method runs with the lock held.
struct HeldTask: Sendable {
  typealias Completion = @Sendable (Result<WebServiceResponse, TransportError>) -> Void

  /// A struct, because Swift allocates a thunk each time an `Optional` closure crosses a generic boundary.
  struct Handler: Sendable {
    let run: Completion
  }

  fileprivate enum Stage: Sendable {
    /// The layer is at work: before the start, between two waits, or with a result.
    case idle
    case waiting(any TransferWait)
    /// The next session is making its task.
    case sending(Handler)
    case sent(any URLSessionTaskProtocol, Handler)
  }

  fileprivate struct State: Sendable {
    /// `nil` once it is about to run.
    var completion: Handler?
    var stage = Stage.idle
    var isCancelled = false

    var isWanted: Bool { completion != nil && !isCancelled }
  }

  private let state: Locked<State>
  private let begin: @Sendable (HeldTask) -> Void

  /// - Parameters:
  ///   - completion: told the end of the transfer.
  ///   - begin: called when the task is resumed; starts a wait, sends, or finishes.
  init(_ completion: @escaping Completion, begin: @escaping @Sendable (HeldTask) -> Void) {
    state = Locked(State(completion: Handler(run: completion)))
    self.begin = begin
  }

  /// Notes what the request waits for, unless that has ended already.
  ///
  /// - Returns: whether the request waits now.
  @discardableResult
  func wait(for wait: any TransferWait) -> Bool {
    let (isWanted, isWaiting) = state.withLock { state in
      guard state.isWanted else { return (false, false) }
      guard case .idle = state.stage else { return (true, false) }
      state.stage = .waiting(wait)
      return (true, true)
    }
    if !isWanted { _ = wait.leave() }
    return isWaiting
  }

  /// Sends a request to the next session.
  ///
  /// - Parameter handler: given the result, also where the task was cancelled and nothing is sent. It leads to `finish`.
  func send(_ request: TransportRequest, to session: any URLSessionProtocol, handler: @escaping Completion) {
    var former = Stage.sending(Handler(run: handler))
    let isWanted = state.withLock { state in
      guard state.isWanted else { return false }
      swap(&state.stage, &former)
      return true
    }
    guard isWanted else { return handler(.failure(.cancelledInQueue)) }
    let task = session.transferTask(with: request) { [state] result in
      state.takeHandler()?.run(result)
    }
    let goesOut = state.withLock { state in
      guard case .sending(let handler) = state.stage else { return false }
      state.stage = .sent(task, handler)
      return true
    }
    guard goesOut else { return task.cancel() }
    task.resume()
  }

  /// Ends the transfer, unless it has ended.
  func finish(_ result: Result<WebServiceResponse, TransportError>) {
    // The former state is released here, outside the lock.
    var former = State()
    state.withLock { swap(&$0, &former) }
    former.completion?.run(result)
  }
}

extension HeldTask: WithdrawableTask, TransferWait {
  func resume() {
    if state.withLock({ $0.isWanted }) { begin(self) }
  }

  func cancel() { interrupt(onlyUnsent: false) }

  func withdraw() -> TransportWait? { interrupt(onlyUnsent: true) }

  func leave() -> TransportWait? {
    let wait = withdraw()
    cancel()
    return wait
  }

  /// - Parameter onlyUnsent: whether a request that may have been sent goes on.
  @discardableResult
  private func interrupt(onlyUnsent: Bool) -> TransportWait? {
    switch state.interrupt(onlyUnsent: onlyUnsent) {
    case .waiting(let wait):
      let reason = wait.leave()
      finish(.failure(.cancelledInQueue))
      return reason
    case .sent(let task, _) where onlyUnsent: return task.withdrawIfUnsent()
    case .sent(let task, _): task.cancel()
    case .sending(let handler) where !onlyUnsent: handler.run(.failure(.cancelledInQueue))
    case .idle where !onlyUnsent: finish(.failure(.cancelledInQueue))
    case .idle, .sending: break
    }
    return nil
  }
}

extension Locked where Value == HeldTask.State {
  /// The handler of the transfer that the next session has ended; `nil` the second time.
  fileprivate func takeHandler() -> HeldTask.Handler? {
    var former = HeldTask.Stage.idle
    return withLock { state in
      switch state.stage {
      case .sending(let handler), .sent(_, let handler):
        swap(&state.stage, &former)
        return handler
      case .idle, .waiting:
        return nil
      }
    }
  }

  /// Cancels the task. A transfer that has been sent stays, since its end comes from the next session.
  ///
  /// - Returns: the stage that has to be ended outside the lock.
  fileprivate func interrupt(onlyUnsent: Bool) -> HeldTask.Stage {
    withLock { state in
      let stage = state.stage
      if case .waiting = stage {} else if onlyUnsent { return stage }
      state.isCancelled = true
      if case .sent = stage { return stage }
      state.stage = .idle
      return stage
    }
  }
}
