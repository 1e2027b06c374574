@testable import WebServicesHTTP

/// A session whose transfers complete when the test says so, on the test's thread.
final class HeldSession: IdleCheckedSession {
  typealias Completion = @Sendable (Result<WebServiceResponse, TransportError>) -> Void

  let cacheScope: String?
  private let usesDataTasks: Bool
  private let state = Watched<[HeldTransfer]>([])
  private let invalidations = Locked(0)

  /// - Parameter usesDataTasks: makes each transfer with `dataTask(with:completionHandler:)`, as for a session of an
  ///   app.
  init(usesDataTasks: Bool = false, cacheScope: String? = nil) {
    self.usesDataTasks = usesDataTasks
    self.cacheScope = cacheScope
  }

  /// The resumed transfers, in order.
  var transfers: [HeldTransfer] { state.withLock { $0 } }

  /// The resumed transfers that haven't completed.
  var open: [HeldTransfer] { transfers.filter { !$0.isComplete } }

  var openTaskCount: Int { open.count }
  var paths: [String] { transfers.map(\.path) }
  var invalidationCount: Int { invalidations.withLock { $0 } }

  /// Responds to all open transfers, also to those that begin meanwhile.
  func respondToAll() { while let transfer = open.first { transfer.respond() } }

  func releaseTransfers() { state.withLock { $0 = [] } }

  func waitForTransfers(_ count: Int) async { await state.wait { $0.count >= count } }

  func transferTask(
    with request: TransportRequest, completion: @escaping Completion
  ) -> any URLSessionTaskProtocol {
    if usesDataTasks { return DataTaskSession(session: self).transferTask(with: request, completion: completion) }
    return HeldTransfer(request, session: self, completion: completion)
  }

  func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> HeldTransfer {
    HeldTransfer(TransportRequest(request), session: self) { result in
      switch result {
      case .success(let response):
        let head = HTTPURLResponse(
          url: response.url, statusCode: response.statusCode, httpVersion: nil,
          headerFields: Dictionary(response.headers.map { ($0.name, $0.value) }) { $1 })
        completionHandler(response.body, head, nil)
      case .failure(let error): completionHandler(nil, nil, error)
      }
    }
  }

  func invalidateAndCancel() {
    invalidations.withLock { $0 += 1 }
    open.forEach { $0.cancel() }
  }

  fileprivate func resume(_ transfer: HeldTransfer) { state.withLock { $0.append(transfer) } }
}

/// A session that makes transfers of the data tasks of another one.
private struct DataTaskSession: URLSessionProtocol {
  let session: HeldSession

  func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> HeldTransfer {
    session.dataTask(with: request, completionHandler: completionHandler)
  }
}

/// A transfer of a `HeldSession`.
final class HeldTransfer: WithdrawableTask {
  let request: TransportRequest
  /// The cause of a wait. A transfer that waits can be withdrawn.
  let unsentReason = Locked<UnsentReason?>(nil)
  private let session: HeldSession
  private let completion: HeldSession.Completion
  private let hasCompleted = Locked(false)

  fileprivate init(_ request: TransportRequest, session: HeldSession, completion: @escaping HeldSession.Completion) {
    self.request = request
    self.session = session
    self.completion = completion
  }

  var path: String { request.url.path }
  var isComplete: Bool { hasCompleted.withLock { $0 } }

  func resume() { if !isComplete { session.resume(self) } }

  func cancel() { fail(TransportError(.cancelled, message: "", mayHaveReachedServer: true)) }

  func withdraw() -> UnsentReason? { unsentReason.withLock { $0 } }

  func respond(_ status: Int = 200, _ headers: HTTPHeaders = [:], body: String = #"{"name": "Bath"}"#) {
    complete(with: .success(response(status, headers, body: body)))
  }

  /// Completes the transfer again. A session does this if it violates its contract or notices a cancel too late.
  func respondAgain(_ status: Int = 200, _ headers: HTTPHeaders = [:], body: String = #"{"name": "Bath"}"#) {
    completion(.success(response(status, headers, body: body)).delivered(to: request))
  }

  func fail(_ kind: TransportError.Kind) { fail(TransportError(kind, message: "", mayHaveReachedServer: true)) }

  /// Fails as a session does that reports this error.
  func fail(_ error: any Error) { complete(with: .failure(TransportError(sessionError: error, response: nil))) }

  /// Completes the transfer, unless it is complete.
  func complete(with result: Result<WebServiceResponse, TransportError>) {
    let isFirst = hasCompleted.withLock { hasCompleted in
      defer { hasCompleted = true }
      return !hasCompleted
    }
    if isFirst { completion(result.delivered(to: request)) }
  }

  private func response(_ status: Int, _ headers: HTTPHeaders, body: String) -> WebServiceResponse {
    WebServiceResponse(statusCode: status, headers: headers, url: request.url, body: Data(body.utf8))
  }
}
