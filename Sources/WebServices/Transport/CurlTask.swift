#if os(Linux)
  import Foundation

  /// A request that a `CurlSession` has prepared. Its methods can be called from any thread, any number of times.
  ///
  /// `driver`'s lock guards `state`, `wait`, `isWithdrawn`, `completion` and `session`.
  final class CurlTask: URLSessionTaskProtocol, @unchecked Sendable {
    enum State {
      case prepared
      case submitted
      case ended
    }

    typealias Completion = @Sendable (Result<WebServiceResponse, TransportError>) -> Void

    let request: TransportRequest
    let plan: Result<CurlRequestPlan, TransportError>
    let driver: CurlDriver
    var state = State.prepared
    /// The reason why the request waits; `nil` once it may have been sent.
    fileprivate var wait: TransportWait? = .connecting
    fileprivate var isWithdrawn = false
    private var completion: Completion?
    /// A task that hasn't ended keeps its session.
    private var session: CurlSession?

    init(
      _ request: TransportRequest, plan: Result<CurlRequestPlan, TransportError>, session: CurlSession,
      completion: @escaping Completion
    ) {
      self.request = request
      self.plan = plan
      self.session = session
      self.completion = completion
      driver = session.driver
    }

    /// Starts the request; later calls do nothing.
    func resume() {
      if let error = driver.submit(self) {
        DispatchQueue.global().async { self.complete(.failure(error)) }
      }
    }

    /// Ends the request with `.cancelled`, also one that was never started. Does nothing once the request has ended.
    func cancel() {
      if driver.cancel(self) {
        DispatchQueue.global().async { self.complete(.failure(.unsent(.cancelled, "cancelled before the start"))) }
      }
    }

    // MARK: From the thread that drives

    /// The reason why the request waits; `nil` once it may have been sent.
    var currentWait: TransportWait? { driver.withLock { wait } }

    /// Notes a new reason to wait.
    func wait(for wait: TransportWait) {
      driver.withLock { self.wait = wait }
    }

    /// The request is about to go out.
    ///
    /// - Returns: whether it may: nothing of it is sent once it was withdrawn.
    func leave() -> Bool {
      driver.withLock {
        wait = nil
        return !isWithdrawn
      }
    }

    /// Ends the task and tells its owner; later calls do nothing.
    func complete(_ result: Result<WebServiceResponse, TransportError>) {
      let (completion, session) = driver.withLock {
        state = .ended
        defer {
          self.completion = nil
          self.session = nil
        }
        return (self.completion, self.session)
      }
      completion?(result)
      withExtendedLifetime(session) {}
    }
  }

  extension CurlTask: WithdrawableTask {
    func withdraw() -> TransportWait? {
      let reason: TransportWait? = driver.withLock {
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
