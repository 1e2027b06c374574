import Foundation
import Testing
import WebServicesTesting

import WebServices
@testable import WebServicesCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session below the tested layers. Each transfer completes when the test says so, on the test's thread.
final class ScriptedSession: URLSessionProtocol {
  /// Completes a transfer as soon as it is resumed; `nil` lets the test complete it.
  private let answer: (@Sendable (TransportRequest) -> Result<WebServiceResponse, TransportError>)?
  private let state = Locked<[Transfer]>([])
  private let invalidations = Locked(0)

  init(answer: (@Sendable (TransportRequest) -> Result<WebServiceResponse, TransportError>)? = nil) {
    self.answer = answer
  }

  /// The resumed transfers, in order.
  var transfers: [Transfer] { state.withLock { $0 } }
  var open: [Transfer] { transfers.filter { !$0.isOver } }
  var paths: [String] { transfers.map(\.request.url.path) }
  var invalidationCount: Int { invalidations.withLock { $0 } }

  func transferTask(
    with request: TransportRequest, completion: @escaping HeldTask.Completion
  ) -> any URLSessionTaskProtocol {
    Transfer(request, session: self, completion: completion)
  }

  func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> Transfer {
    Transfer(TransportRequest(request), session: self) { _ in completionHandler(nil, nil, URLError(.unknown)) }
  }

  func invalidateAndCancel() { invalidations.withLock { $0 += 1 } }

  fileprivate func resume(_ transfer: Transfer) {
    state.withLock { $0.append(transfer) }
    if let answer { transfer.end(answer(transfer.request)) }
  }

  final class Transfer: WithdrawableTask {
    let request: TransportRequest
    private let session: ScriptedSession
    private let completion: Locked<HeldTask.Completion?>

    fileprivate init(_ request: TransportRequest, session: ScriptedSession, completion: @escaping HeldTask.Completion) {
      self.request = request
      self.session = session
      self.completion = Locked(completion)
    }

    var isOver: Bool { completion.withLock { $0 == nil } }

    func resume() { if !isOver { session.resume(self) } }
    func cancel() { end(.failure(TransportError(.cancelled, message: "", mayHaveReachedServer: true))) }
    func withdraw() -> TransportWait? { nil }

    func answer(_ status: Int = 200, _ headers: HTTPHeaders = [:], body: String = "") {
      end(.success(WebServiceResponse(statusCode: status, headers: headers, url: request.url, body: Data(body.utf8))))
    }

    func fail(_ kind: TransportError.Kind) {
      end(.failure(TransportError(kind, message: "", mayHaveReachedServer: true)))
    }

    func end(_ result: Result<WebServiceResponse, TransportError>) {
      let completion = completion.withLock { completion in
        defer { completion = nil }
        return completion
      }
      completion?(result)
    }
  }
}

/// Layers around a scripted session, and the outcomes of the requests that pass through them.
struct LayerBench {
  /// A request that waits for a transfer, and records its notifications.
  final class Observer: TransferObserver {
    let notes = Collector<String>()
    let mayBeSent = Locked(true)

    func refusal() -> TransportError? { mayBeSent.withLock { $0 } ? nil : .cancelledInQueue }
    func transferIsSent() { notes.append("starts") }
    func transferDid(_ kind: RequestEvent.Kind) { notes.append(kind.word) }
  }

  struct Sent {
    let task: any URLSessionTaskProtocol
    let observer: Observer
    fileprivate let results: Collector<Result<WebServiceResponse, TransportError>>

    /// The outcomes in words: a status, or the kind of a failure.
    var ends: [String] {
      results.elements.map { result in
        switch result {
        case .success(let response): "\(response.statusCode)"
        case .failure(let error): "\(error.kind)"
        }
      }
    }
    var error: TransportError? { results.elements.first?.failure }
    var response: WebServiceResponse? { try? results.elements.first?.get() }
    var notes: [String] { observer.notes.elements }
  }

  static let url = URL(string: "https://api.example.com/a") ?? URL(fileURLWithPath: "/")

  /// Requests of which no two are equal.
  static func requests(_ count: Int) -> [TransportRequest] {
    (0..<count).map { TransportRequest(url: url.appendingPathComponent("\($0)")) }
  }

  let clock = VirtualClock()
  let reachability = FakeReachability()
  let session: ScriptedSession
  let background = BackgroundTransfers()
  let layered: any URLSessionProtocol

  init(_ layers: [any SessionLayer], session: ScriptedSession = ScriptedSession()) {
    self.session = session
    let configuration = WebServiceConfiguration(random: .fixed(1), clock: clock)
    layered = layers.wrap(
      session,
      for: LayerContext(
        configuration: configuration, reachability: ReachabilityProbe(reachability), background: background))
  }

  /// Sends a request through the layers.
  ///
  /// - Parameter change: changes the request before it is sent.
  @discardableResult
  func send(
    _ path: String = "a", host: String = "api.example.com", resumes: Bool = true,
    _ change: (inout TransportRequest) -> Void = { _ in }
  ) -> Sent {
    let observer = Observer()
    var request = TransportRequest(url: URL(string: "https://\(host)/\(path)") ?? URL(fileURLWithPath: path))
    request.context.observer = observer
    change(&request)
    let results = Collector<Result<WebServiceResponse, TransportError>>()
    let task = layered.transferTask(with: request) { results.append($0) }
    if resumes { task.resume() }
    return Sent(task: task, observer: observer, results: results)
  }
}
