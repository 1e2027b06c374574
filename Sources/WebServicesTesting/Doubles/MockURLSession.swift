public import Foundation
public import WebServicesCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A session that sends nothing. It records every request and responds as scripted for the method and path.
///
/// ```swift
/// let session = MockURLSession()
/// session.script(.get, "/jokes/random", .json(#"{"type": "success", "value": []}"#))
/// let service = JsonWebService(session: session)
/// ```
///
/// Several responses for one method and path are used in their order, and the last one repeats. A closure can make each
/// response from its request:
///
/// ```swift
/// let session = MockURLSession { request in request.url?.query == "page=3" ? .status(404) : .json("[]") }
/// ```
///
/// A request without a script goes to the session's closure. If there is none, the request fails, and the error's
/// message names the request and all scripts.
public final class MockURLSession: URLSessionProtocol {
  /// A method and a path without host and query.
  fileprivate struct Route: Hashable, CustomStringConvertible {
    let method: HTTPMethod
    /// Without percent encoding, except for a slash within a segment and the percent sign.
    private let path: String

    init(_ method: HTTPMethod, _ path: String) {
      self.method = method
      let segments = PathPattern.parts(of: path).map {
        $0.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "/", with: "%2F")
      }
      self.path = "/" + segments.joined(separator: "/")
    }

    init(_ request: URLRequest) {
      let path = try? URLReference(request.url?.absoluteString ?? "").path
      self.init(HTTPMethod(rawValue: request.httpMethod ?? "GET"), String(path ?? ""))
    }

    var description: String { "\(method) \(path)" }
  }

  fileprivate struct State: Sendable {
    var scripts: [Route: Script<Responder>] = [:]
    var requests: [URLRequest] = []
    var openTasks: [ObjectIdentifier: any URLSessionTaskProtocol] = [:]
    var isInvalidated = false
  }

  /// Makes the response of a request. The session may call a responder on any thread.
  public typealias Responder = @Sendable (URLRequest) -> MockResponse

  /// Guards scripts, requests and tasks. Responders are called without the lock, since they are the test's code.
  private let state = Watched(State())
  private let responder: Responder?
  private let clock: any WebServiceClock
  private let queue = DispatchQueue(label: "WebServicesTesting.MockURLSession")

  /// Creates a session without scripts.
  ///
  /// - Parameters:
  ///   - clock: the clock for delays.
  ///   - responder: makes the responses of requests without a script; `nil` fails these requests.
  public init(clock: any WebServiceClock = SystemClock.shared, responder: Responder? = nil) {
    self.clock = clock
    self.responder = responder
  }

  /// Adds a response for a method and a path. Several responses are used in their order, and the last one repeats.
  ///
  /// - Parameters:
  ///   - method: the method of the requests.
  ///   - path: the path of the requests, without host and query. Paths are compared segment by segment, without percent
  ///     encoding: `/items/` isn't `/items`, and `/a%2Fb` isn't `/a/b`.
  ///   - response: the response.
  public func script(_ method: HTTPMethod, _ path: String, _ response: MockResponse) {
    script(method, path) { _ in response }
  }

  /// Adds responses for a method and a path, which are used in their order, behind those that were added before.
  ///
  /// - Parameters:
  ///   - method: the method of the requests.
  ///   - path: the path of the requests, without host and query. Paths are compared segment by segment, without percent
  ///     encoding: `/items/` isn't `/items`, and `/a%2Fb` isn't `/a/b`.
  ///   - responses: the responses.
  ///   - repeatingLast: how many of the last responses repeat, over and over. After a script that repeats none, a
  ///     request counts as one without a script.
  public func script(
    _ method: HTTPMethod, _ path: String, _ responses: [MockResponse], repeatingLast: Int = 1
  ) {
    add(responses.map { response in { _ in response } }, method, path, repeatingLast)
  }

  /// Adds a closure that makes the response for a method and a path. Several closures are used in their order, and the
  /// last one repeats.
  ///
  /// - Parameters:
  ///   - method: the method of the requests.
  ///   - path: the path of the requests, without host and query. Paths are compared segment by segment, without percent
  ///     encoding: `/items/` isn't `/items`, and `/a%2Fb` isn't `/a/b`.
  ///   - responder: makes the response, on the thread that resumes the task. The session retains it.
  public func script(_ method: HTTPMethod, _ path: String, _ responder: @escaping Responder) {
    add([responder], method, path, 1)
  }

  private func add(_ responders: [Responder], _ method: HTTPMethod, _ path: String, _ repeatingLast: Int) {
    let route = Route(method, path)
    state.withLock { $0.scripts[route, default: Script()].add(responders, repeatingLast: repeatingLast) }
  }

  /// All resumed requests, in order.
  public var requests: [URLRequest] { state.withLock { $0.requests } }

  /// The number of resumed tasks that haven't completed.
  public var openTaskCount: Int { state.withLock { $0.openTasks.count } }

  /// Waits until this many requests were resumed, or the Swift task is cancelled, as by a test's trait `.timeLimit`.
  /// The timer of a delayed response may start a moment later: before you advance a `VirtualClock`, wait for the timer
  /// with ``VirtualClock/waitForTimer(after:)``.
  ///
  /// - Parameter count: the number of all requests since the session was made. If there are more already, the method
  ///   returns at once.
  public func waitForRequests(_ count: Int) async {
    await state.wait { $0.requests.count >= count }
  }

  /// Waits until every resumed task has completed and its completion handler has run.
  public func waitUntilIdle() async {
    await state.wait { $0.openTasks.isEmpty }
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }

  /// Waits for a call of ``invalidateAndCancel()``.
  public func waitUntilInvalidated() async {
    await state.wait { $0.isInvalidated }
  }

  /// Whether ``invalidateAndCancel()`` was called.
  public var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

  /// Prepares a request. `resume()` records the request and delivers the response on a serial queue of the session.
  public func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> some URLSessionTaskProtocol {
    dataTask(with: request, responder: { [self] in response(to: $0) }, completionHandler: completionHandler)
  }

  /// Prepares a transfer. `resume()` records the request and delivers the response, with the header fields as they are
  /// scripted, on a serial queue of the session.
  public func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    guard request.body.data != nil else { return loadingTask(with: request, completion: completion) }
    do {
      let foundation = try URLRequest(request)
      return transferTask(with: request, responder: { [self] in response(to: foundation) }, completion: completion)
    } catch {
      completion(.failure(error))
      return FinishedTask()
    }
  }

  /// Prepares a transfer that the responder answers in place of the scripts.
  package func transferTask(
    with request: TransportRequest, responder: @escaping @Sendable () -> MockResponse,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> FakeTask {
    FakeTask(of: self, responder) { outcome in
      switch outcome {
      case .success(let content):
        completion(request.result(content.response(to: request.method, from: request.url)).delivered(to: request))
      case .failure(let error):
        var error = TransportError(sessionError: error, response: nil)
        error.response = request.receive(error.response)
        completion(.failure(error))
      }
    }
  }

  /// Prepares a request that the responder answers in place of the scripts.
  package func dataTask(
    with request: URLRequest, responder: @escaping Responder,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> some URLSessionTaskProtocol {
    FakeTask(of: self, { responder(request) }) { outcome in
      switch outcome {
      case .success(let content):
        let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        completionHandler(content.body(to: method), request.url.flatMap(content.foundation), nil)
      case .failure(let error): completionHandler(nil, nil, error)
      }
    }
  }

  /// Cancels every task. Tasks that are resumed later fail.
  public func invalidateAndCancel() {
    let tasks = state.withLock { state in
      state.isInvalidated = true
      return Array(state.openTasks.values)
    }
    tasks.forEach { $0.cancel() }
  }

  /// Runs work on the queue of the completions, before those of tasks that end later.
  package func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  func resume(_ task: FakeTask, _ respond: @Sendable () -> MockResponse) {
    let isOpen = state.withLock { state in
      state.openTasks[ObjectIdentifier(task)] = task
      return !state.isInvalidated
    }
    // A cancel on another thread may have come after the task decided to resume and before it was listed as open.
    guard !task.isOver else { return end(task) }
    let response = isOpen ? respond() : .unsent(.invalidated, "the mock session was invalidated")
    if let delay = response.delay {
      // `never`: only a cancel ends the task.
      guard delay.isFinite else { return }
      task.wait(for: clock.schedule(after: delay) { [self] in end(task, with: response.outcome) })
    } else {
      end(task, with: response.outcome)
    }
  }

  func end(_ task: FakeTask, with outcome: FakeTask.Outcome = .failure(URLError(.cancelled))) {
    state.withLock { state in
      state.openTasks[ObjectIdentifier(task)] = nil
      // Enqueued while the lock is held, so that a thread that sees no open tasks finds all completions already
      // enqueued.
      queue.async { task.finish(with: outcome) }
    }
  }

  /// Records the request, and makes its response.
  private func response(to request: URLRequest) -> MockResponse {
    let route = Route(request)
    let (script, routes) = state.withLock { state in
      state.requests.append(request)
      return (state.scripts[route]?.next(), Array(state.scripts.keys))
    }
    if let responder = script ?? responder { return responder(request) }
    // The message lists all scripts, so that a typing error shows.
    let known = routes.map(\.description).sorted().joined(separator: ", ")
    return .unsent(
      .other,
      "nothing is scripted\(routes.contains(route) ? " any more" : "") for \(route);"
        + " scripted: \(known.isEmpty ? "nothing" : known)")
  }
}

extension TransportRequest {
  /// Hands the receiver the part of a response that had arrived when a request failed. Returns what is left.
  package func receive(_ part: WebServiceResponse?) -> WebServiceResponse? {
    guard let part, receiver != nil else { return part }
    return try? Result<WebServiceResponse, TransportError>.success(part).delivered(to: self).get()
  }
}
