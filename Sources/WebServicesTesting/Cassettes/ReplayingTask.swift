public import WebServicesCore

/// A task of a ``ReplayingSession``.
public final class ReplayingTask: URLSessionTaskProtocol {
  typealias Completion = @Sendable (Result<WebServiceResponse, TransportError>) -> Void

  /// Valid transitions: not resumed to resumed, and either to over. `isOver` stays set.
  private struct State: Sendable {
    var completion: Completion?
    var isResumed = false
    var isOver = false
  }

  let request: TransportRequest
  private let session: ReplayingSession
  /// Guards the state. The completion runs without the lock.
  private let state: Locked<State>

  init(request: TransportRequest, session: ReplayingSession, completion: @escaping Completion) {
    self.request = request
    self.session = session
    state = Locked(State(completion: completion))
  }

  /// Whether the task has completed or was cancelled.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Delivers the recorded response. A second call does nothing.
  public func resume() {
    let isFirst = state.withLock { state in
      defer { state.isResumed = true }
      return !state.isResumed && !state.isOver
    }
    if isFirst { session.resume(self) }
  }

  /// Cancels the task. Does nothing once the task has completed.
  public func cancel() {
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    guard isFirst else { return }
    session.end(
      self,
      with: .failure(TransportError(.cancelled, message: "the task was cancelled", mayHaveReachedServer: false)))
  }

  func finish(with result: Result<WebServiceResponse, TransportError>) {
    let completion = state.withLock { state in
      defer {
        state.isOver = true
        state.completion = nil
      }
      return state.completion
    }
    completion?(result.delivered(to: request))
  }
}
