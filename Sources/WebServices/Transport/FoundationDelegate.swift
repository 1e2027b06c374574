import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Hands Foundation's events to the transfers that they belong to, and answers Foundation's questions. It is called on
/// the session's own serial queue.
final class FoundationDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private struct Entry {
    let transfer: FoundationTransfer
    let lane: FoundationLane
  }

  private let entries = Locked<[Int: Entry]>([:])

  /// Called before the task is resumed.
  func add(_ transfer: FoundationTransfer, for task: URLSessionTask, on lane: FoundationLane) {
    entries.withLock { $0[task.taskIdentifier] = Entry(transfer: transfer, lane: lane) }
  }

  private func transfer(of task: URLSessionTask) -> FoundationTransfer? {
    entries.withLock { $0[task.taskIdentifier]?.transfer }
  }

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

  /// A redirect is an answer like any other.
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
      let space = challenge.protectionSpace
      switch space.authenticationMethod {
      case NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate:
        completionHandler(.performDefaultHandling, nil)
      default:
        // A proxy's credentials are the system's; of a server's the engine decides, when it sees the 401.
        completionHandler(space.isProxy() ? .performDefaultHandling : .rejectProtectionSpace, nil)
      }
    #else
      // Any other answer leaves the task without an end, or traps. The challenge comes behind the whole answer.
      transfer(of: task)?.completed(with: nil, response: challenge.failureResponse)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #endif
  }

  #if canImport(Darwin)
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
      guard let metrics = TransportMetrics(metrics) else { return }
      transfer(of: task)?.measured(metrics)
    }
  #endif

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let entry = entries.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    entry.transfer.completed(with: error, response: task.response)
    entry.lane.leave()
  }
}
