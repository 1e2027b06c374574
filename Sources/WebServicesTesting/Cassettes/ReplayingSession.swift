public import Foundation
public import WebServicesCore
import WebServicesDoubles

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A session that sends nothing and responds with the content of a cassette.
///
/// ```swift
/// let cassette = try Cassette(contentsOf: URL(fileURLWithPath: "sign-in.cassette.json"))
/// let service = JsonWebService(session: ReplayingSession(cassette))
/// ```
///
/// A request without a matching recording fails with a `TransportError`. Its message names the request, the
/// difference, and the recordings left. Completions run at once on a serial queue of the session. A request that was
/// cancelled while recording waits until it is cancelled again.
public final class ReplayingSession: URLSessionProtocol {
  private typealias Task = FakeTask<Result<WebServiceResponse, TransportError>>

  private struct State: Sendable {
    /// The number of uses of each recorded request.
    var uses: [Int]
    var openTasks: [ObjectIdentifier: Task] = [:]
    var isInvalidated = false
  }

  private let cassette: Cassette
  /// The recorded requests in their comparable form; empty for a free order.
  private let comparables: [ComparableRequest]
  private let matching: CassetteMatching
  private let redaction: Redaction
  /// Guards uses and tasks. Functions that compare requests are called without the lock.
  private let state: Locked<State>
  private let queue = DispatchQueue(label: "WebServicesTesting.ReplayingSession")

  /// The size of the largest file to read for a comparison, in bytes.
  private static let fileLimit = 64 * 1024 * 1024

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - cassette: the recording.
  ///   - matching: selects the recorded response for a request.
  ///   - redaction: the redaction of the recording. It hides the request's secrets before the comparison.
  public init(_ cassette: Cassette, matching: CassetteMatching = .strict, redaction: Redaction = .standard) {
    self.cassette = cassette
    self.matching = matching
    self.redaction = redaction
    comparables = matching.isOrdered ? cassette.exchanges.map { ComparableRequest($0.request) } : []
    state = Locked(State(uses: Array(repeating: 0, count: cassette.exchanges.count)))
  }

  /// The recorded requests that weren't sent yet.
  public var remaining: [Cassette.Exchange] {
    let uses = state.withLock { $0.uses }
    return zip(cassette.exchanges, uses).filter { $0.1 == 0 }.map(\.0)
  }

  /// The number of resumed tasks that haven't completed.
  public var openTaskCount: Int { state.withLock { $0.openTasks.count } }

  /// Prepares a request. It completes after `resume()`, on a serial queue of the session.
  public func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> some URLSessionTaskProtocol {
    task(TransportRequest(recordable: request)) { result in
      switch result {
      case .success(let response): completionHandler(response.body, response.foundation, nil)
      case .failure(let error) where error.kind == .cancelled: completionHandler(nil, nil, URLError(.cancelled))
      case .failure(let error): completionHandler(nil, nil, error)
      }
    }
  }

  /// Prepares a transfer. It completes after `resume()`, on a serial queue of the session.
  public func transferTask(
    with request: TransportRequest,
    completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> any URLSessionTaskProtocol {
    task(request, completion)
  }

  private func task(
    _ request: TransportRequest,
    _ completion: @escaping @Sendable (Result<WebServiceResponse, TransportError>) -> Void
  ) -> Task {
    Task(
      onResume: { [self] in resume($0, request) },
      onCancel: { [self] in end($0, with: .failure(.refusal(.cancelled, "the task was cancelled"))) },
      completion: { completion($0.delivered(to: request)) })
  }

  /// Cancels every task. Tasks that are resumed later fail.
  public func invalidateAndCancel() {
    let tasks = state.withLock { state in
      state.isInvalidated = true
      return Array(state.openTasks.values)
    }
    tasks.forEach { $0.cancel() }
  }

  // MARK: Calls from tasks

  private func resume(_ task: Task, _ request: TransportRequest) {
    let isOpen = state.withLock { state in
      if !state.isInvalidated { state.openTasks[ObjectIdentifier(task)] = task }
      return !state.isInvalidated
    }
    guard isOpen else {
      return end(task, with: .failure(.refusal(.invalidated, "the replaying session was invalidated")))
    }
    // A cancel on another thread may have come after the task decided to resume and before it was listed as open.
    guard !task.isOver else { return close(task) }
    switch outcome(of: request) {
    // The recorded request was cancelled, so only a cancel ends this one.
    case .success(.failure(.cancelled, _, _, _)): break
    case .success(let outcome): end(task, with: outcome.result(for: request))
    case .failure(let error): end(task, with: .failure(error))
    }
  }

  /// Completes a task on the session's queue, never inside the call that resumed or cancelled it.
  private func end(_ task: Task, with result: Result<WebServiceResponse, TransportError>) {
    close(task)
    queue.async { task.finish(with: result) }
  }

  private func close(_ task: Task) {
    _ = state.withLock { $0.openTasks.removeValue(forKey: ObjectIdentifier(task)) }
  }

  // MARK: Matching

  private func outcome(of request: TransportRequest) -> Result<Cassette.Outcome, TransportError> {
    let live = Cassette.Request(
      request, content: RecordedContent(request, limit: Self.fileLimit),
      redaction: redaction.hiding(secretsOf: [request]))
    switch matching {
    case .strict:
      return outcomeInOrder(for: live)
    case .loose:
      return outcomeInAnyOrder(for: live) { $0.method == $1.method && $0.path == $1.path }
    case .custom(let matches):
      return outcomeInAnyOrder(for: live, matches)
    }
  }

  /// The outcome of the first unused recording, if the request equals it. A mismatch leaves the recording unused.
  private func outcomeInOrder(for live: Cassette.Request) -> Result<Cassette.Outcome, TransportError> {
    let comparable = ComparableRequest(live)
    let (index, difference): (Int?, String?) = state.withLock { state in
      guard let index = state.uses.firstIndex(of: 0) else { return (nil, nil) }
      let difference = comparables[index].difference(from: comparable)
      if difference == nil { state.uses[index] = 1 }
      return (index, difference)
    }
    guard let index else { return .failure(mismatch(live, "all recorded responses have been used")) }
    guard let difference else { return .success(cassette.exchanges[index].outcome) }
    return .failure(
      mismatch(live, "number \(index + 1) is next, \(cassette.exchanges[index].request), and \(difference) differs"))
  }

  /// The outcome of the first unused recording that matches, or else of the last.
  private func outcomeInAnyOrder(
    for live: Cassette.Request, _ matches: (Cassette.Request, Cassette.Request) -> Bool
  ) -> Result<Cassette.Outcome, TransportError> {
    let candidates = cassette.exchanges.indices.filter { matches(live, cassette.exchanges[$0].request) }
    let index: Int? = state.withLock { state in
      let index = candidates.first { state.uses[$0] == 0 } ?? candidates.last
      if let index { state.uses[index] = 1 }
      return index
    }
    guard let index else { return .failure(mismatch(live, "no recorded request matches")) }
    return .success(cassette.exchanges[index].outcome)
  }

  private func mismatch(_ live: Cassette.Request, _ reason: String) -> TransportError {
    let remaining = remaining
    let shown = remaining.prefix(10).map(\.request.description).joined(separator: ", ")
    let more = remaining.count > 10 ? ", and \(remaining.count - 10) more" : ""
    let left = remaining.isEmpty ? "nothing" : shown + more
    return .refusal(.other, "the cassette has no response for \(live): \(reason); left: \(left)")
  }
}

extension TransportError {
  fileprivate static func refusal(_ kind: Kind, _ message: String) -> TransportError {
    TransportError(kind, message: message, mayHaveReachedServer: false)
  }
}
