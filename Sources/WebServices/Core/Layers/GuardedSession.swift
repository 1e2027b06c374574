/// A `URLSession` of the app, which the service may invalidate while a thread asks for a task. Foundation traps if an
/// invalidated session is asked for one.
struct GuardedSession: WrappingSession {
  let next: any URLSessionProtocol
  /// How many threads ask for a task, and whether the session takes no more of them.
  private let state = Locked((users: 0, isOver: false))

  func transferTask(with request: TransportRequest, completion: @escaping Completion) -> any URLSessionTaskProtocol {
    // Asks for the task once the body is loaded, and so comes back here.
    guard request.body.isLoaded else { return loadingTask(with: request, sendsFiles: true, completion: completion) }
    let isOver = state.withLock { state in
      if !state.isOver { state.users += 1 }
      return state.isOver
    }
    guard !isOver else { return finishedTask(with: .failure(.sessionIsInvalidated), completion: completion) }
    defer { end { $0.users -= 1 } }
    return next.transferTask(with: request, completion: completion)
  }

  func invalidateAndCancel() { end { $0.isOver = true } }

  /// Invalidates the session if the change leaves it over and without a user.
  private func end(_ change: (inout (users: Int, isOver: Bool)) -> Void) {
    let isUnused = state.withLock { state in
      change(&state)
      return state.isOver && state.users == 0
    }
    if isUnused { next.invalidateAndCancel() }
  }
}

extension URLSessionProtocol {
  /// The session, with a guard if it needs one.
  package var guarded: any URLSessionProtocol { trapsOnceInvalidated ? GuardedSession(next: self) : self }
}
