import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A `URLSession` and what uses it. It is touched no more once it is over: Foundation traps at a task that is asked of
/// a session that was invalidated.
final class FoundationLane: Sendable {
  private struct State {
    var session: URLSession?
    var users = 0
    var isRetired = false
  }

  private let delegate = FoundationDelegate()
  private let isForOne: Bool
  private let onEnd: @Sendable () -> Void
  private let state: Locked<State>

  /// - Parameters:
  ///   - isForOne: whether one task is all that it is for.
  ///   - onEnd: called once it is over.
  init(
    _ settings: FoundationSettings, queue: OperationQueue, isForOne: Bool = false,
    onEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.isForOne = isForOne
    self.onEnd = onEnd
    state = Locked(State(session: settings.makeSession(delegate: delegate, queue: queue)))
  }

  /// A task whose events go to the transfer; it counts until it has completed. `nil` where the lane is over.
  func makeTask(with request: URLRequest, for transfer: FoundationTransfer) -> URLSessionDataTask? {
    let session = state.withLock { state -> URLSession? in
      guard !state.isRetired else { return nil }
      state.users += 1
      return state.session
    }
    guard let session else { return nil }
    let task = session.dataTask(with: request)
    delegate.add(transfer, for: task, on: self)
    return task
  }

  /// Nothing is asked of it after all.
  func abandon() {
    if isForOne { retire() }
  }

  /// A task has completed.
  func leave() {
    if isForOne { retire() }
    endIfOver { $0.users -= 1 }
  }

  /// Takes no more tasks, and ends with the last.
  func retire() {
    endIfOver { $0.isRetired = true }
  }

  private func endIfOver(_ change: (inout State) -> Void) {
    let (session, isOver) = state.withLock { state in
      let wasOver = state.isRetired && state.users == 0
      change(&state)
      guard !wasOver, state.isRetired, state.users == 0 else { return (nil as URLSession?, false) }
      defer { state.session = nil }
      return (state.session, true)
    }
    guard isOver else { return }
    // Not `invalidateAndCancel()`: there is nothing to cancel, and on Linux it reads its tasks without a lock.
    session?.finishTasksAndInvalidate()
    onEnd()
  }
}
