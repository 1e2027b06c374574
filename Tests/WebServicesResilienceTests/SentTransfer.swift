@testable import WebServicesTestSupport

/// A transfer that a test sent through the layers of a service, past its engine.
struct SentTransfer: Sendable {
  /// Stands for the engine. It records the notifications of a transfer.
  final class Observer: TransferObserver {
    let notes = Collector<String>()
    let mayBeSent = Locked(true)
    fileprivate let isTimedOut = Locked(false)

    var hasTimedOut: Bool { isTimedOut.withLock { $0 } }
    func refusal() -> TransportError? { mayBeSent.withLock { $0 } ? nil : .cancelledUnsent }
    func transferIsSent() { notes.append("starts") }
    func transferDidEnd(_ result: Result<WebServiceResponse, TransportError>) {}
    func transferDid(_ kind: RequestEvent.Kind) { notes.append(kind.word) }
    func transferMayBeReplaced(by stored: @escaping @Sendable () -> WebServiceResponse?) {}
    func transferCarries(secrets: [String]) {}
  }

  let task: any URLSessionTaskProtocol
  let observer: Observer
  fileprivate let results: Collector<Result<WebServiceResponse, TransportError>>

  var outcomes: [String] { results.elements.map(\.word) }
  var error: TransportError? { results.elements.first?.failure }
  var response: WebServiceResponse? { try? results.elements.first?.get() }
  var notes: [String] { observer.notes.elements }

  /// Cancels the transfer as the engine does when a time limit is over.
  func timeOut() {
    observer.isTimedOut.withLock { $0 = true }
    task.cancel()
  }
}

extension VirtualHarness {
  /// Sends a request through the layers alone.
  ///
  /// - Parameter change: changes the request before it is sent.
  @discardableResult
  func transfer(
    _ path: String = "a", host: String = "api.example.com", resumes: Bool = true,
    _ change: (inout TransportRequest) -> Void = { _ in }
  ) -> SentTransfer {
    let observer = SentTransfer.Observer()
    var request = TransportRequest(url: testURL("https://\(host)/\(path)"))
    request.context.engine = service.engine
    request.context.observer = observer
    change(&request)
    let results = Collector<Result<WebServiceResponse, TransportError>>()
    let task = layered.transferTask(with: request) { results.append($0) }
    if resumes { task.resume() }
    return SentTransfer(task: task, observer: observer, results: results)
  }
}
