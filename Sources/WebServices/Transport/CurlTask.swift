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
    private var wait: TransportWait? = .connecting
    private var isWithdrawn = false
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
        let error = TransportError(
          .cancelled, message: "cancelled before the start", mayHaveReachedServer: false)
        DispatchQueue.global().async { self.complete(.failure(error)) }
      }
    }

    // MARK: From the thread that drives

    /// The reason why the request waits; `nil` once it may have been sent.
    var currentWait: TransportWait? { driver.withLock { wait } }

    /// Notes what the request waits for from now on.
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

    /// Takes the request back; to be called with the lock held.
    fileprivate func takeWait() -> TransportWait? {
      guard state != .ended, let wait else { return nil }
      self.wait = nil
      isWithdrawn = true
      return wait
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
      let wait = driver.withLock { takeWait() }
      if wait != nil { cancel() }
      return wait
    }
  }
#endif
