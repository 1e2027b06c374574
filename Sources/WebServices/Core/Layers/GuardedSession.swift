/// A `URLSession` of the app, which the service may invalidate while a thread asks for a task. Foundation traps if an
/// invalidated session is asked for one.
struct GuardedSession: WrappingSession {
  let next: any URLSessionProtocol
  /// How many threads ask for a task, and one more before the session is to be invalidated.
  private let users = Locked(1)
  private let isFirstEnd = Once()

  func transferTask(with request: TransportRequest, completion: @escaping Completion) -> any URLSessionTaskProtocol {
    // Asks for the task once the body is loaded, and so comes back here.
    guard request.body.data != nil else { return loadingTask(with: request, completion: completion) }
    defer { leave() }
    guard add(1) > 1 else { return finishedTask(with: .failure(.cancelledUnsent), completion: completion) }
    return next.transferTask(with: request, completion: completion)
  }

  func invalidateAndCancel() { if isFirstEnd() { leave() } }

  /// Invalidates the session once it has no user any more.
  private func leave() { if add(-1) == 0 { next.invalidateAndCancel() } }

  private func add(_ number: Int) -> Int {
    users.withLock { users in
      users += number
      return users
    }
  }
}
