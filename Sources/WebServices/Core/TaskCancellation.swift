/// Joins a Swift task's cancellation with what it cancels, whichever of the two comes first.
final class TaskCancellation: Sendable {
  private enum State {
    case waiting
    case set(@Sendable () -> Void)
    case cancelled
  }

  private let state = Locked(State.waiting)

  /// Says what a cancellation ends; runs it at once where the cancellation has been.
  func set(_ action: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .set(action)
      return false
    }
    if isCancelled { action() }
  }

  func cancel() {
    let former = state.withLock { state in
      defer { state = .cancelled }
      return state
    }
    if case .set(let action) = former { action() }
  }
}
