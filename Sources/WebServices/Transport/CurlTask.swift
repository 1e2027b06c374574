#if os(Linux)
  import Foundation

  /// A request that a `CurlSession` has prepared. Call `resume()`, `cancel()` and `withdraw()` from any thread, any
  /// number of times.
  ///
  /// `driver`'s lock guards `state`, `wait`, `isWithdrawn`, `completion` and `session`.
  final class CurlTask: URLSessionTaskProtocol, @unchecked Sendable {
    /// A state never goes back to an earlier one.
    enum State {
      /// `resume()` leads to `running` or `failing`, and `cancel()` to `failing`.
      case prepared
      /// The loop has the task, or a command for it. `complete(_:)` leads to `ended`.
      case running
      /// The loop never gets the task. `complete(_:)` leads to `ended`.
      case failing
      case ended
    }

    typealias Completion = @Sendable (Result<WebServiceResponse, TransportError>) -> Void

    let request: TransportRequest
    let plan: Result<CurlRequestPlan, TransportError>
    let driver: CurlDriver
    var state = State.prepared
    /// The transfer while the loop has the task. Only the thread that drives uses it.
    var transfer: CurlTransfer?
    /// The reason why the request waits; `nil` once it may have been sent.
    fileprivate var wait: UnsentReason? = .connecting
    /// Whether the engine has taken the task back, so that nothing of it may be sent.
    fileprivate var isWithdrawn = false
    private var completion: Completion?
    /// A task retains its session until it ends. Otherwise releasing the session would end its thread too early.
    private var session: CurlSession?

    init(_ request: TransportRequest, session: CurlSession, completion: @escaping Completion) {
      self.request = request
      plan = Result { () throws(TransportError) in try CurlRequestPlan(request, session.configuration) }
      self.session = session
      self.completion = completion
      driver = session.driver
    }

    /// Starts the request; later calls do nothing.
    func resume() {
      if let error = driver.submit(self) {
        // A completion never runs inside the call that started the request.
        DispatchQueue.global().async { self.complete(.failure(error)) }
      }
    }

    /// Ends the request with `.cancelled`, also one that was never started. Does nothing once the request has ended.
    func cancel() {
      if driver.cancel(self) {
        DispatchQueue.global().async { self.complete(.failure(.unsent(.cancelled, "cancelled before the start"))) }
      }
    }

    // MARK: Called by the thread that drives

    /// Notes a new reason to wait.
    func wait(for wait: UnsentReason) {
      driver.withLock { self.wait = wait }
    }

    /// Notes that the request is about to go out.
    ///
    /// - Returns: `false` if the task was withdrawn. Nothing of the request may be sent then.
    func beginSending() -> Bool {
      driver.withLock {
        wait = nil
        return !isWithdrawn
      }
    }

    /// Ends the task and calls its completion. Later calls do nothing.
    func complete(_ result: Result<WebServiceResponse, TransportError>) {
      // Not returned by the closure: a function that passes a generic result is wrapped anew.
      var completion: Completion?
      var session: CurlSession?
      driver.withLock {
        if case .running = state { driver.noteEnd() }
        state = .ended
        swap(&completion, &self.completion)
        swap(&session, &self.session)
      }
      completion?(result)
      // The session may be released here, outside the lock, because its `deinit` takes the lock.
      withExtendedLifetime(session) {}
    }
  }

  extension CurlTask: DescriptionOnly {
    /// The request without secrets. The plan has the secrets of the URL.
    var description: String { "\(request)" }
  }

  extension CurlTask: WithdrawableTask {
    func withdraw() -> UnsentReason? {
      // One step under the lock: between a check and a cancel, the driving thread could begin to send.
      let reason: UnsentReason? = driver.withLock {
        guard state != .ended else { return nil }
        defer { wait = nil }
        if wait != nil { isWithdrawn = true }
        return wait
      }
      if reason != nil { cancel() }
      return reason
    }
  }
#endif
