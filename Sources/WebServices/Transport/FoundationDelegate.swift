import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Makes the `URLSession`s and tasks of a `FoundationSession`, and passes Foundation's events to the transfers, one
/// after the other.
final class FoundationDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private struct State {
    var isInvalidated = false
    /// The session of all transfers on Apple's systems, made for the first one. On Linux each transfer has its own.
    var shared: URLSession?
    /// The transfers that were resumed and haven't ended.
    var transfers: [ObjectIdentifier: FoundationTransfer] = [:]
    /// The transfers that get the events of Foundation's tasks.
    var receivers: [URLSessionTask: FoundationTransfer] = [:]
  }

  let settings: FoundationSettings
  /// Makes, starts and cancels tasks, and ends sessions. Foundation traps if an invalidated session is asked for a
  /// task, and on Linux these calls wait for a queue that all sessions of the process share.
  let calls = DispatchQueue(label: "FoundationSession.calls")
  /// Foundation reports the events here. An `OperationQueue` doesn't retain its underlying queue.
  let events = DispatchQueue(label: "FoundationSession.events")
  /// Guards the sessions and the transfers.
  private let state = Locked(State())

  init(_ settings: FoundationSettings) { self.settings = settings }

  /// Registers a transfer that was resumed, and returns the `URLSession` for its task; `nil` if the session has been
  /// invalidated.
  func begin(_ transfer: FoundationTransfer) -> URLSession? {
    state.withLock { state in
      guard !state.isInvalidated else { return nil }
      state.transfers[ObjectIdentifier(transfer)] = transfer
      let session = state.shared ?? settings.makeSession(delegate: self)
      if Platform.foundation == .apple { state.shared = session }
      return session
    }
  }

  /// Makes a task whose events go to the transfer. Called on `calls`, while the transfer runs.
  func makeTask(
    _ request: URLRequest, _ file: LoadedFile?, for transfer: FoundationTransfer, on session: URLSession
  ) -> URLSessionDataTask {
    let task = file.map { session.uploadTask(with: request, fromFile: $0.url) } ?? session.dataTask(with: request)
    state.withLock { $0.receivers[task] = transfer }
    return task
  }

  /// Removes a transfer that has ended, and cancels its task. On Linux a session ends after its only task, or here
  /// without a task.
  func end(_ transfer: FoundationTransfer, _ task: URLSessionDataTask?, on session: URLSession?) {
    state.withLock { $0.transfers[ObjectIdentifier(transfer)] = nil }
    if let task { calls.async { task.cancel() } } else { retireOnLinux(session) }
  }

  /// Ends every transfer as cancelled, and admits no more.
  func invalidate() {
    let transfers = state.withLock { state in
      state.isInvalidated = true
      return Array(state.transfers.values)
    }
    transfers.forEach { $0.cancel() }
    retire()
  }

  /// Ends the shared session after its last task. Foundation retains the session's delegate until then.
  func retire() { retire(state.withLock { $0.shared.take() }) }

  private func retireOnLinux(_ session: URLSession?) { if Platform.foundation == .openSource { retire(session) } }

  private func retire(_ session: URLSession?) {
    // On Linux `invalidateAndCancel()` would read the tasks without a lock.
    calls.async { session?.finishTasksAndInvalidate() }
  }

  private func transfer(of task: URLSessionTask) -> FoundationTransfer? { state.withLock { $0.receivers[task] } }

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
  ) { transfer(of: task)?.sent(totalBytesSent) }

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
      // The evaluation of a certificate may wait for the network, and all transfers need `events`.
      DispatchQueue(label: "FoundationSession.challenge").async { [self] in
        let (disposition, credential, failure) = FoundationChallenges.respond(to: challenge, by: settings.challenges)
        if let failure { transfer(of: task)?.end(hops: false) { _ in .failure(.unsent(.tls, failure)) } }
        completionHandler(disposition, credential)
      }
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
    guard let transfer = state.withLock({ $0.receivers.removeValue(forKey: task) }) else { return }
    transfer.completed(with: error, response: task.response)
    retireOnLinux(session)
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
        total: metrics.taskInterval.duration, localAddress: address(transaction.localAddress, transaction.localPort),
        remoteAddress: address(transaction.remoteAddress, transaction.remotePort),
        httpVersion: Self.versions[transaction.networkProtocolName ?? ""],
        isReusedConnection: transaction.isReusedConnection)
    }
  }
#endif
