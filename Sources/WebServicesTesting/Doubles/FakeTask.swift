import Foundation
package import WebServicesCore

/// A task of a session that sends nothing. Its completion runs once, on the session's queue.
package final class FakeTask<Outcome: Sendable>: URLSessionTaskProtocol {
  package typealias Call = @Sendable (FakeTask) -> Void

  /// Valid transitions: not resumed to resumed, and either to over. `isOver` stays set.
  private struct State: Sendable {
    var completion: (@Sendable (Outcome) -> Void)?
    var timer: (any WebServiceTimer)?
    var isResumed = false
    var isOver = false
  }

  private let onResume: Call
  private let onCancel: Call
  /// Guards the state. The completion runs without the lock.
  private let state: Locked<State>

  /// - Parameters:
  ///   - onResume: called at the first `resume()`, unless the task is over.
  ///   - onCancel: called at each `cancel()`.
  ///   - completion: receives the outcome that the session passes to `finish(with:)`.
  package init(onResume: @escaping Call, onCancel: @escaping Call, completion: @escaping @Sendable (Outcome) -> Void) {
    self.onResume = onResume
    self.onCancel = onCancel
    state = Locked(State(completion: completion))
  }

  package func resume() {
    let isFirst = state.withLock { state in
      defer { state.isResumed = true }
      return !state.isResumed && !state.isOver
    }
    if isFirst { onResume(self) }
  }

  package func cancel() {
    state.withLock { $0.isOver = true }
    onCancel(self)
  }

  /// Whether the task has completed or was cancelled.
  package var isOver: Bool { state.withLock { $0.isOver } }

  /// Stores the timer of a delayed response. A task that is over by then cancels the timer.
  package func wait(for timer: any WebServiceTimer) {
    let isOver = state.withLock { state in
      state.timer = timer
      return state.isOver
    }
    if isOver { timer.cancel() }
  }

  /// Runs the completion, unless it has run. Called on the session's queue.
  package func finish(with outcome: Outcome) {
    var former = State(isOver: true)
    state.withLock { swap(&$0, &former) }
    former.timer?.cancel()
    former.completion?(outcome)
  }
}
