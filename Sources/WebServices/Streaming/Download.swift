import Dispatch
import Foundation

/// Downloads a file: writes the response to a hidden file beside the target, and moves the hidden file to the target
/// after the last byte. Create it, then call `start()` once.
///
/// Each attempt is a separate request. `DownloadProgress` decides whether the next attempt resumes a broken transfer.
final class Download: Sendable {
  private typealias Outcome = Result<WebServiceResponse, WebServiceError>

  private struct State {
    var run: RequestRun?
    var isCancelled = false
  }

  /// Describes the request; the caller's own value is read on the caller's thread only.
  private let request: Request
  private let engine: Engine
  private let file: DownloadFile
  private let callbackQueue: DispatchQueue
  private let completion: @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  private let relay: ProgressRelay?
  private let deadline: Deadline
  /// All attempts belong to the user who was signed in for the first one.
  private let work = RequestWork.currentOrNew
  /// Serial. The file is written and closed here, and each attempt ends here, behind all of its pieces.
  private let queue = DispatchQueue(label: "WebServices.Download", qos: .utility)
  /// Guards the current attempt and the cancel.
  private let state = Locked(State())
  /// Guards the progress, which the transport's threads change and the progress handler reads.
  private let progress = Locked(DownloadProgress())

  init(
    _ data: any WebServiceRequestData, to file: URL, engine: Engine, callbackQueue: DispatchQueue,
    completion: @escaping @Sendable (Result<WebServiceResponse, WebServiceError>) -> Void
  ) {
    var request = Request(data)
    // One relay for all attempts, so that no two of them report at the same time.
    relay = request.options.onProgress.map(ProgressRelay.init)
    request.options.onProgress = nil
    self.request = request
    self.engine = engine
    let configuration = engine.configuration
    deadline = Deadline(after: request.options.deadline ?? configuration.deadline, now: configuration.clock.now)
    self.file = DownloadFile(
      beside: file, kept: request.method == .get ? request.options.partialDownload : .deleted,
      hasCredentials: request.authorization != .none || engine.hasCredentialLayer, redaction: configuration.redaction)
    self.callbackQueue = callbackQueue
    self.completion = completion
  }

  /// Sends the request for the file, or for the rest of it.
  ///
  /// - Parameter pause: how long to wait before, in seconds.
  func start(after pause: TimeInterval = 0) {
    var request = request
    if deadline != .never { request.options.deadline = deadline.remaining(at: engine.configuration.clock.now) }
    if let relay {
      let resumptions = progress.withLock { $0.resumptions }
      request.options.onProgress = { [progress] part in
        // A late report of an earlier attempt would be added to the wrong start.
        let whole = progress.withLock { $0.resumptions == resumptions ? $0.whole(part) : nil }
        if let whole { relay.report(whole, attempt: resumptions) }
      }
    }
    let sink = DownloadSink(to: file, progress: progress, queue: queue)
    let delivery = RequestRun.Delivery { [queue] run, outcome in
      queue.async {
        self.finishAttempt(
          Result { () throws(WebServiceError) in try run.read(outcome, with: .response) }, of: run, from: sink)
      }
    }
    let run = RequestRun(request, accept: "*/*", sink: sink, engine: engine, work: work, delivery: delivery)
    let isCancelled = state.withLock { state in
      state.run = run
      return state.isCancelled
    }
    // A cancel between two attempts has found no run. This run keeps the interruption until it starts.
    if isCancelled { run.interrupt(.cancelled) }
    run.start(after: pause)
  }

  /// Cancels the attempt in progress, and the next attempt if there is none. Any thread may call this.
  func cancel() {
    let run = state.withLock { state in
      state.isCancelled = true
      return state.run
    }
    run?.interrupt(.cancelled)
  }

  // MARK: After an attempt

  /// Ends an attempt: resumes the download, or finishes it. Runs on `queue`.
  private func finishAttempt(_ outcome: Outcome, of run: RequestRun, from sink: DownloadSink) {
    sink.close()
    switch outcome {
    case .success:
      finish(run, with: outcome, flushing: Result { try file.flush() })
    case .failure(let error):
      guard let pause = pause(beforeResuming: error, bytes: sink.written) else { return finish(run, with: outcome) }
      // A cancel since the connection broke ends the download instead.
      let claimed = run.claim(outcome) ?? outcome
      guard case .failure(let last) = claimed, last.kind == error.kind else { return finish(run, with: claimed) }
      start(after: pause)
    }
  }

  /// The pause before the rest is requested, or `nil` if the download fails instead. The pause spares a server that
  /// breaks every connection.
  private func pause(beforeResuming error: WebServiceError, bytes: Int64) -> TimeInterval? {
    // The file on the server no longer has the range behind the kept bytes (RFC 9110, section 15.5.17).
    if case .statusCode(416) = error.kind, progress.withLock({ $0.beginAgain() }) { return 0 }
    guard let response = error.response, let cause = error.underlying(as: TransportError.self),
      DownloadProgress.isBroken(cause)
    else { return nil }
    let resumptions = progress.withLock { progress in
      progress.noteBreak(response, bytes: bytes, method: request.method) ? progress.resumptions : nil
    }
    guard let resumptions, !state.withLock({ $0.isCancelled }) else { return nil }
    let configuration = engine.configuration
    let policy = request.options.retry ?? configuration.retry
    let pause = policy.backoff.delay(retry: resumptions, random: configuration.random)
    return deadline.allows(waiting: pause, at: configuration.clock.now) ? pause : nil
  }

  /// Moves the file to the target after a success, and completes on the callback queue. Runs on `queue`.
  private func finish(
    _ run: RequestRun, with outcome: Outcome, flushing: Result<Void, any Error> = .success(())
  ) {
    callbackQueue.async { [self] in
      // Claimed before the move, so that a cancelled download leaves the target as it was.
      let final = (run.claim(outcome) ?? outcome).flatMap { last in
        Result {
          try flushing.get()
          let whole = try progress.withLock { try $0.whole(endingWith: last) }
          try file.move()
          return whole
        }.mapError { run.fileError($0, response: last) }
      }
      if case .failure(let error) = final { file.end(keepingBytes: keepsBytes(after: error, of: run)) }
      completion(final)
    }
  }

  /// Whether a later download may continue with the bytes.
  private func keepsBytes(after error: WebServiceError, of run: RequestRun) -> Bool {
    let isGone = [.statusCode(404), .statusCode(410), .statusCode(416)].contains(error.kind)
    let isWrong = error.underlying(as: WrongPart.self) != nil
    // A service that was shut down admits nobody, though its user is still signed in.
    let isSignedOut = run.identity != .none && engine.registry.isOpen && !engine.registry.admits(run.identity)
    return !isGone && !isWrong && !isSignedOut
  }
}

extension RequestRun {
  /// The error of a file that can't be written, or of a response that doesn't belong there.
  fileprivate func fileError(_ underlying: any Error, response: WebServiceResponse) -> WebServiceError {
    let isWrong = underlying is WrongPart
    let failure = RequestFailure(
      // The server sent a wrong part, so the app's file isn't at fault.
      kind: isWrong ? .sessionFailure : .file,
      message: isWrong
        ? "the server sent a part of the file that wasn't requested"
        : "the response can't be written to its file",
      response: response, underlying: underlying)
    return error(failure, phase: .read)
  }
}

/// The error of a download whose response is another part of the file than the request asked for.
struct WrongPart: DescribedByLibrary, CustomStringConvertible {
  let description = "the response is a part of the file that wasn't requested"
}
