import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A `URLSession` with its delegate, which passes Foundation's events to the transfers, one after the other.
final class DelegatedURLSession: NSObject, URLSessionDataDelegate, Sendable {
  /// The queues of a `FoundationSession`. On Linux all its `URLSession`s share them: with two each, they would need
  /// more threads than Dispatch has.
  struct Queues: Sendable {
    /// Makes, starts and cancels tasks, and ends sessions. Foundation traps if an invalidated session is asked for a
    /// task, and on Linux these calls wait for a queue that all sessions of the process share.
    let calls = DispatchQueue(label: "FoundationSession.calls")
    /// Foundation reports the events here. An `OperationQueue` doesn't retain its underlying queue.
    let events = DispatchQueue(label: "FoundationSession.events")
  }

  private struct State {
    /// `nil` after `retire()`, so that no task is made any more.
    var session: URLSession?
    /// The transfers by the identifiers of their tasks.
    var transfers: [Int: FoundationTransfer] = [:]
  }

  let queues: Queues
  #if canImport(Security)
    private let challenges: FoundationChallenges?
  #endif
  /// Guards the session and its transfers.
  private let state = Locked(State())

  init(_ settings: FoundationSettings, queues: Queues) {
    self.queues = queues
    #if canImport(Security)
      challenges = settings.challenges
    #endif
    super.init()
    // Foundation retains its delegate, this object, until `retire()`.
    let session = settings.makeSession(delegate: self)
    state.withLock { $0.session = session }
  }

  /// A task whose events go to the transfer; `nil` when the session has ended. Called on `queues.calls`.
  func makeTask(with request: URLRequest, for transfer: FoundationTransfer) -> URLSessionDataTask? {
    guard let task = state.withLock({ $0.session })?.dataTask(with: request) else { return nil }
    state.withLock { $0.transfers[task.taskIdentifier] = transfer }
    return task
  }

  /// Cancels the task of a transfer that has ended; `nil` if no task runs. On Linux the session ends after its only
  /// task.
  func finish(_ task: URLSessionDataTask?) {
    guard let task else { return retireOnLinux() }
    queues.calls.async { task.cancel() }
  }

  private func retireOnLinux() {
    if Platform.foundation == .openSource { retire() }
  }

  /// Ends the session after its last task. Foundation retains the session's delegate until then.
  func retire() {
    queues.calls.async { [self] in
      // On Linux `invalidateAndCancel()` would read the tasks without a lock.
      state.withLock { $0.session.take() }?.finishTasksAndInvalidate()
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
    // First: if the transfer ends here and cancels its task, Foundation on Linux traps for a later call.
    completionHandler(nil)
    transfer(of: task)?.received(response)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(Security)
      let (disposition, credential, failure) = FoundationChallenges.respond(to: challenge, by: challenges)
      if let failure { transfer(of: task)?.end(hops: false) { _ in .failure(.unsent(.tls, failure)) } }
      completionHandler(disposition, credential)
    #else
      // Any other disposition leaves the task without a completion, or traps (swift-corelibs-foundation issue 5456).
      // The challenge comes after the whole response.
      transfer(of: task)?.completed(with: nil, response: challenge.failureResponse)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #endif
  }

  #if canImport(Darwin)
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
      guard let metrics = WebServiceResponse.Metrics(metrics) else { return }
      transfer(of: task)?.whileRunning { $0.metrics = metrics }
    }
  #endif

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let transfer = state.withLock({ $0.transfers.removeValue(forKey: task.taskIdentifier) }) else { return }
    transfer.completed(with: error, response: task.response)
    retireOnLinux()
  }
}

#if canImport(Darwin)
  extension WebServiceResponse.Metrics {
    private static let versions = ["http/1.0": "HTTP/1.0", "http/1.1": "HTTP/1.1", "h2": "HTTP/2", "h3": "HTTP/3"]

    /// The metrics of the last transaction. There is only one, because redirects aren't followed.
    fileprivate init?(_ metrics: URLSessionTaskMetrics) {
      guard let transaction = metrics.transactionMetrics.last else { return nil }
      let start = metrics.taskInterval.start
      func seconds(_ date: Date?) -> TimeInterval? { date.map { $0.timeIntervalSince(start) } }
      // A port is a number on Apple's systems, and a text where this is type-checked.
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
        httpVersion: Self.versions[transaction.networkProtocolName ?? ""],
        isReusedConnection: transaction.isReusedConnection)
    }
  }
#endif
