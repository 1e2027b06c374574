import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A `URLSession` with its delegate, which passes Foundation's events to the transfers. Call `makeTask` for a transfer,
/// and `retire()` at the end.
///
/// The serial queue `calls` makes and starts tasks and ends the session, because Foundation traps if an invalidated
/// session is asked for a task. Events arrive on the session's own serial queue.
final class DelegatedURLSession: NSObject, URLSessionDataDelegate, Sendable {
  private struct State {
    /// `nil` after `retire()`, so that no task is made any more.
    var session: URLSession?
    /// The transfers by the identifiers of their tasks.
    var transfers: [Int: FoundationTransfer] = [:]
  }

  private let calls: DispatchQueue
  private let challenges: FoundationChallenges
  private let onEnd: (@Sendable () -> Void)?
  /// Guards the session and its transfers.
  private let state = Locked(State())

  /// - Parameter onEnd: called when the session has ended. A session with `onEnd` ends after its first task. `nil` is
  ///   for a session with any number of tasks.
  init(
    _ settings: FoundationSettings, queue: OperationQueue, calls: DispatchQueue, onEnd: (@Sendable () -> Void)? = nil
  ) {
    self.calls = calls
    self.onEnd = onEnd
    challenges = settings.challenges
    super.init()
    // Foundation retains its delegate, this object, until `retire()`.
    let session = settings.makeSession(delegate: self, queue: queue)
    state.withLock { $0.session = session }
  }

  /// A task whose events go to the transfer; `nil` when the session has ended. Called on `calls`.
  func makeTask(with request: URLRequest, for transfer: FoundationTransfer) -> URLSessionDataTask? {
    guard let task = state.withLock({ $0.session })?.dataTask(with: request) else { return nil }
    state.withLock { $0.transfers[task.taskIdentifier] = transfer }
    return task
  }

  /// Ends a session for one task. Called after its task has completed, or if the task isn't needed.
  func retireAfterOnlyTask() {
    if onEnd != nil { retire() }
  }

  /// Ends the session after its last task. Foundation retains the session's delegate until then.
  func retire() {
    calls.async { [self] in
      let session = state.withLock { state in
        defer { state.session = nil }
        return state.session
      }
      guard let session else { return }
      // On Linux `invalidateAndCancel()` would read the tasks without a lock.
      session.finishTasksAndInvalidate()
      onEnd?()
    }
  }

  private func transfer(of task: URLSessionTask) -> FoundationTransfer? {
    state.withLock { $0.transfers[task.taskIdentifier] }
  }

  // MARK: URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    transfer(of: dataTask)?.received(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    transfer(of: dataTask)?.received(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    transfer(of: task)?.sent(totalBytesSent)
  }

  /// Makes a redirect the response, because the engine decides whether to follow it.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    transfer(of: task)?.received(response)
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(Darwin)
      let (disposition, credential, failure) = challenges.respond(to: challenge)
      if let failure { transfer(of: task)?.end(hops: false) { _ in .failure(.unsent(.tls, failure)) } }
      completionHandler(disposition, credential)
    #else
      // Any other disposition leaves the task without a completion, or traps (swift-corelibs-foundation issue 5456).
      // The challenge comes after the whole response.
      transfer(of: task)?.completed(with: nil, response: challenge.failureResponse)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #endif
  }

  /// Never called on Linux.
  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    guard let metrics = WebServiceResponse.Metrics(metrics) else { return }
    transfer(of: task)?.whileRunning { $0.metrics = metrics }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let transfer = state.withLock({ $0.transfers.removeValue(forKey: task.taskIdentifier) }) else { return }
    transfer.completed(with: error, response: task.response)
    retireAfterOnlyTask()
  }
}

extension WebServiceResponse.Metrics {
  /// The metrics of the last transaction. There is only one, because redirects aren't followed.
  init?(_ metrics: URLSessionTaskMetrics) {
    guard let transaction = metrics.transactionMetrics.last else { return nil }
    let start = metrics.taskInterval.start
    func seconds(_ date: Date?) -> TimeInterval? { date.map { $0.timeIntervalSince(start) } }
    // A port is a number on Apple's systems, and a text on Linux.
    func address<Port>(_ host: String?, _ port: Port?) -> String? {
      guard let host, let port else { return nil }
      return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
    self.init(
      nameLookup: seconds(transaction.domainLookupEndDate), connect: seconds(transaction.connectEndDate),
      tls: seconds(transaction.secureConnectionEndDate), firstByte: seconds(transaction.responseStartDate),
      total: metrics.taskInterval.duration,
      localAddress: address(transaction.localAddress, transaction.localPort),
      remoteAddress: address(transaction.remoteAddress, transaction.remotePort),
      httpVersion: Self.names[transaction.networkProtocolName ?? ""],
      isReusedConnection: transaction.isReusedConnection)
  }

  private static let names = ["http/1.0": "HTTP/1.0", "http/1.1": "HTTP/1.1", "h2": "HTTP/2", "h3": "HTTP/3"]
}
