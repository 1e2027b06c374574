import Foundation
public import WebServicesCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A task of a ``MockURLSession``. Its completion handler runs once, on the session's queue.
public final class MockDataTask: URLSessionTaskProtocol {
  typealias CompletionHandler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

  /// Valid transitions: not resumed to resumed, and either to over. `isOver` stays set.
  private struct State: Sendable {
    var completionHandler: CompletionHandler?
    var timer: (any WebServiceTimer)?
    var isResumed = false
    var isOver = false
  }

  let request: URLRequest
  private let session: MockURLSession
  /// Guards the state. The completion handler runs without the lock.
  private let state: Locked<State>

  init(request: URLRequest, session: MockURLSession, completionHandler: @escaping CompletionHandler) {
    self.request = request
    self.session = session
    state = Locked(State(completionHandler: completionHandler))
  }

  /// Records the request and delivers the scripted response. A second call does nothing.
  public func resume() {
    let isFirst = state.withLock { state in
      defer { state.isResumed = true }
      return !state.isResumed && !state.isOver
    }
    if isFirst { session.resume(self) }
  }

  /// Cancels the task with `URLError(.cancelled)`. Does nothing once the task has completed.
  public func cancel() {
    state.withLock { $0.isOver = true }
    session.end(self, with: .failure(URLError(.cancelled)))
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

  /// Runs the completion handler, unless it has run. Called on the session's queue.
  func finish(with outcome: Result<MockResponse.Content, any Error>) {
    let (completionHandler, timer) = state.withLock { state in
      defer {
        state.isOver = true
        state.completionHandler = nil
        state.timer = nil
      }
      return (state.completionHandler, state.timer)
    }
    timer?.cancel()
    guard let completionHandler else { return }
    switch outcome {
    case .success(let content): completionHandler(content.body, response(content), nil)
    case .failure(let error): completionHandler(nil, nil, error)
    }
  }

  private func response(_ content: MockResponse.Content) -> URLResponse? {
    guard let url = request.url else { return nil }
    guard content.isHTTP else {
      return URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    }
    return WebServiceResponse(statusCode: content.status, headers: content.headers, url: url, body: Data()).foundation
  }
}
