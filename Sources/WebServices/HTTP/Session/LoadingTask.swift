import Foundation

/// A plain task whose body isn't in memory. Once it is resumed, a `BodyLoader` reads the body, and the session gets the
/// request. So a body that waits for the caller's thread doesn't hold that thread up.
package final class LoadingTask: URLSessionTaskProtocol {
  package typealias Completion = @Sendable (Result<WebServiceResponse, TransportError>) -> Void

  private struct State: Sendable {
    var hasBegun = false
    /// `nil` once it is about to run.
    var completion: Completion?
    /// The session's task; `nil` before the body is in memory, and after the end.
    var task: (any URLSessionTaskProtocol)?
  }

  private let request: TransportRequest
  private let session: any URLSessionProtocol
  private let loader = BodyLoader()
  /// Guards the state. The completion and the session are called without the lock.
  private let state: Locked<State>

  package init(_ request: TransportRequest, over session: any URLSessionProtocol, completion: @escaping Completion) {
    self.request = request
    self.session = session
    state = Locked(State(completion: completion))
  }

  package func resume() {
    let begins = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun && state.completion != nil
    }
    if begins { loader.load(request.body) { [self] in send($0) } }
  }

  private func send(_ body: Result<Data, TransportError>) {
    do {
      var request = request
      request.body = .data(try body.get())
      guard state.withLock({ $0.completion != nil }) else { return }
      let task = session.transferTask(with: request) { [self] in finish($0) }
      let isWanted = state.withLock { state in
        guard state.completion != nil else { return false }
        state.task = task
        return true
      }
      isWanted ? task.resume() : task.cancel()
    } catch {
      finish(.failure(error))
    }
  }

  package func cancel() {
    loader.cancel()
    // A task of the session ends with the session's own error.
    let (task, completion) = state.withLock { state in
      (state.task, state.task == nil ? state.completion.take() : nil)
    }
    task?.cancel()
    completion?(.failure(.unsent(.cancelled, "the request was cancelled before its body was read")))
  }

  private func finish(_ result: Result<WebServiceResponse, TransportError>) {
    var former = State(hasBegun: true)
    state.withLock { swap(&$0, &former) }
    former.completion?(result)
  }
}
