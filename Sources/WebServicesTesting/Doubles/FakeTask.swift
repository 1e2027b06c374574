import Foundation
import WebServicesCore

/// A task of a session that sends nothing. Its completion runs once, on the session's queue.
package final class FakeTask: URLSessionTaskProtocol {
  package typealias Outcome = Result<MockResponse.Content, any Error>

  /// Valid transitions: not resumed to resumed, and either to over. `isOver` stays set.
  private struct State: Sendable {
    var completion: (@Sendable (Outcome) -> Void)?
    var timer: (any WebServiceTimer)?
    var isResumed = false
    var isOver = false
  }

  private let session: MockURLSession
  private let respond: @Sendable () -> MockResponse
  /// Guards the state. The completion runs without the lock.
  private let state: Locked<State>

  /// - Parameters:
  ///   - respond: makes the response at the first `resume()`, unless the task is over.
  ///   - completion: receives the outcome that the session passes to `finish(with:)`.
  init(
    of session: MockURLSession, _ respond: @escaping @Sendable () -> MockResponse,
    completion: @escaping @Sendable (Outcome) -> Void
  ) {
    self.session = session
    self.respond = respond
    state = Locked(State(completion: completion))
  }

  package func resume() {
    let isFirst = state.withLock { state in
      defer { state.isResumed = true }
      return !state.isResumed
    }
    if isFirst { session.resume(self, respond) }
  }

  package func cancel() {
    state.withLock { $0.isOver = true }
    session.end(self)
  }

  /// Whether the task has completed or was cancelled.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Stores the timer of a delayed response. A task that is over by then cancels the timer.
  func wait(for timer: any WebServiceTimer) {
    let isOver = state.withLock { state in
      state.timer = timer
      return state.isOver
    }
    if isOver { timer.cancel() }
  }

  /// Runs the completion, unless it has run. Called on the session's queue.
  func finish(with outcome: Outcome) {
    var former = State(isOver: true)
    state.withLock { swap(&$0, &former) }
    former.timer?.cancel()
    former.completion?(outcome)
  }
}
