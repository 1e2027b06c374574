import Dispatch
import Foundation

/// Brings an answer into a file: into one beside it first, that takes its place when the last byte is there.
///
/// Each try is a request of its own through the seven stations; what comes after a broken one is `DownloadProgress`'s to
/// decide.
final class Download: Sendable {
  private struct State {
    var progress = DownloadProgress()
    /// The head of the answer that the collected bytes begin with.
    var first: WebServiceResponse?
    /// Where the bytes of the exchange under way stand in the file, and how many that has.
    var start: Int64 = 0
    var total: Int64?
    var run: RequestRun?
    var isCancelled = false
  }

  private static let files = DispatchQueue(label: "WebServices.Download", qos: .utility, attributes: .concurrent)

  /// What is asked for, described on the caller's thread.
  private let request: RequestDataCopy
  private let engine: Engine
  private let part: DownloadPart
  private let callbackQueue: DispatchQueue
  private let completion: @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  private let relay: ProgressRelay?
  private let deadline: Deadline
  /// All tries belong to the user for whom the first was sent.
  private let work = RequestWork.joined
  private let state = Locked(State())

  init(
    _ data: any WebServiceRequestData, to file: URL, engine: Engine, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) {
    var request = RequestDataCopy(data)
    // One relay for all tries, so that none reports while another does.
    let relay = request.options.onProgress.map(ProgressRelay.init)
    request.options.onProgress = nil
    self.relay = relay
    self.request = request
    self.engine = engine
    let configuration = engine.configuration
    deadline = Deadline(after: request.options.deadline ?? configuration.deadline, now: configuration.clock.now)
    self.callbackQueue = callbackQueue
    self.completion = completion
    part = DownloadPart(of: file)
  }

  func start() {
    part.prepare()
    send()
  }

  /// - Parameter pause: how long to wait before, in seconds.
  private func send(after pause: TimeInterval = 0) {
    var request = request
    if deadline != .never { request.options.deadline = deadline.remaining(at: engine.configuration.clock.now) }
    let headers = state.withLock { state in
      (state.start, state.total) = (state.progress.received, state.progress.length)
      return state.progress.headers
    }
    request.headers.merge(headers)
    if let relay {
      request.options.onProgress = { [weak self] progress in relay.report(self?.whole(progress) ?? progress) }
    }
    let file = AnswerFile(part.next) { [weak self] head in self?.partBegins(with: head) }
    let plan = ReadingPlan(accept: "*/*", sink: .file(file))
    let delivery = RequestRun.Delivery { run, outcome in
      Self.files.async { self.take(outcome, of: run) }
    }
    let run = RequestRun(request, plan: plan, engine: engine, work: work, delivery: delivery)
    let isCancelled = state.withLock { state in
      state.run = run
      return state.isCancelled
    }
    if isCancelled { run.interrupt(.cancelled) }
    run.start(after: pause)
  }

  /// How long to wait before the rest is asked for, so that a server which breaks every connection isn't asked again and
  /// again at once.
  private var pause: TimeInterval {
    let configuration = engine.configuration
    let policy = request.options.retry ?? configuration.retry
    return policy.backoff.delay(retry: state.withLock { $0.progress.resumptions }, random: configuration.random)
  }

  func cancel() {
    let run = state.withLock { state in
      state.isCancelled = true
      return state.run
    }
    run?.interrupt(.cancelled)
  }

  private func take(_ outcome: Result<WebServiceResponse, WebServiceError>, of run: RequestRun) {
    switch run.read(outcome, with: .response) {
    case .success(let response): complete(response, run: run)
    case .failure(let error): fail(error, run: run)
    }
  }

  private func partBegins(with head: WebServiceResponse) {
    state.withLock { state in (state.start, state.total) = state.progress.position(of: head) }
  }

  /// The progress of the whole file, made of that of an exchange.
  private func whole(_ progress: TransportProgress) -> TransportProgress {
    let (start, total) = state.withLock { ($0.start, $0.total) }
    guard start > 0 else { return progress }
    var whole = progress
    whole.received += start
    whole.expectedToReceive = total ?? progress.expectedToReceive.map { $0 + start }
    return whole
  }

  private func complete(_ response: WebServiceResponse, run: RequestRun) {
    let (piece, first) = state.withLock { ($0.progress.piece(of: response), $0.first) }
    var response = response
    if piece == .rest, let first { response = DownloadProgress.whole(first, endingWith: response) }
    let stored = Result { try part.take(piece) }
    finish { [self, response] in
      (run.claim(.success(response)) ?? .success(response)).flatMap { response in
        Result { try stored.get() }.flatMap { Result { try part.moveIntoPlace() } }
          .map { response }.mapError { run.fileError($0, response: response) }
      }
    }
  }

  private func fail(_ error: WebServiceError, run: RequestRun) {
    guard let response = error.response, canBeBroken(error), let bytes = part.size else {
      return finish { run.claim(.failure(error)) ?? .failure(error) }
    }
    let (piece, resumes) = state.withLock { state in
      let piece = state.progress.piece(of: response)
      if piece == .whole { state.first = response.withoutBody }
      return (piece, state.progress.broke(response, bytes: bytes, method: request.method) && !state.isCancelled)
    }
    let pause = pause
    let isInTime = deadline.allows(waiting: pause, at: engine.configuration.clock.now)
    guard resumes, isInTime, (try? part.take(piece)) != nil else {
      return finish { run.claim(.failure(error)) ?? .failure(error) }
    }
    let claimed: Answer = run.claim(.failure(error)) ?? .failure(error)
    guard case .failure(let last) = claimed, last.kind == error.kind else { return finish { claimed } }
    send(after: pause)
  }

  /// Whether the error may be that of a connection that broke.
  private func canBeBroken(_ error: WebServiceError) -> Bool {
    error.underlying(as: TransportError.self).map(Self.canBeBroken) ?? false
  }

  static func canBeBroken(_ error: TransportError) -> Bool {
    switch error.kind {
    case .connectionLost, .truncated, .timedOut(.idle): true
    default: false
    }
  }

  private typealias Answer = Result<WebServiceResponse, WebServiceError>

  /// - Parameter result: asked on the callback queue.
  private func finish(_ result: @escaping @Sendable () -> Answer) {
    callbackQueue.async { [self] in
      let final = result()
      part.remove()
      completion(final)
    }
  }
}
