import Foundation
import Testing
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore
@testable import WebServicesResilience

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A session whose transfers complete when the test says so, on the test's thread.
final class HeldSession: URLSessionProtocol {
  private let state = Watched<[HeldExchange]>([])

  /// All transfers, in order.
  var exchanges: [HeldExchange] { state.withLock { $0 } }

  /// The transfers without a response.
  var open: [HeldExchange] { exchanges.filter { !$0.isOver } }

  /// Removes the transfers that have completed.
  func forgetEnded() {
    state.withLock { $0.removeAll(where: \.isOver) }
  }

  /// Removes all transfers. A transfer retains the service, which retains this session, so this breaks the cycle.
  func forgetAll() {
    state.withLock { $0 = [] }
  }

  func waitForExchanges(_ count: Int) async {
    await state.wait { $0.count >= count }
  }

  func dataTask(
    with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> HeldExchange {
    HeldExchange(request, session: self, handler: completionHandler)
  }

  func invalidateAndCancel() {
    open.forEach { $0.cancel() }
  }

  fileprivate func append(_ exchange: HeldExchange) {
    state.withLock { $0.append(exchange) }
  }
}

/// A transfer of a `HeldSession`.
final class HeldExchange: URLSessionTaskProtocol {
  typealias Handler = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

  let request: URLRequest
  private let session: HeldSession
  private let handler: Handler
  private let over = Locked(false)

  fileprivate init(_ request: URLRequest, session: HeldSession, handler: @escaping Handler) {
    self.request = request
    self.session = session
    self.handler = handler
  }

  var path: String { request.url?.path ?? "" }
  var isOver: Bool { over.withLock { $0 } }

  func resume() {
    if !isOver { session.append(self) }
  }

  func cancel() {
    fail(URLError(.cancelled))
  }

  func fail(_ error: any Error) {
    guard end() else { return }
    handler(nil, nil, error)
  }

  func answer(_ status: Int = 200, _ headers: [String: String] = [:], body: String = #"{"name": "Bath"}"#) {
    guard end() else { return }
    answerLate(status, headers, body: body)
  }

  /// Completes the transfer again. A session does this if it violates its contract or notices a cancel too late.
  func answerLate(_ status: Int = 200, _ headers: [String: String] = [:], body: String = #"{"name": "Bath"}"#) {
    guard let url = request.url else { return }
    let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    handler(Data(body.utf8), response, nil)
  }

  private func end() -> Bool {
    over.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }
}

/// A service with a held session and a virtual clock. Everything runs on the test's thread except completions and calls
/// of the app's code.
struct HeldBench {
  let clock: VirtualClock
  let session = HeldSession()
  let reachability = FakeReachability()
  let events = Collector<RequestEvent>()
  let service: JsonWebService
  let queue = DispatchQueue(label: "completions")
  private let ending: HeldEnding

  init(
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(), clock: VirtualClock = VirtualClock(now: 1000),
    isMonitored: Bool = true, configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) {
    self.clock = clock
    ending = HeldEnding(of: session)
    var configuration = WebServiceConfiguration(
      retryBudget: RetryBudget(.unlimited), random: .fixed(1), clock: clock)
    if isMonitored { configuration.monitors = [EventCollector(events: events)] }
    configure(&configuration)
    service = JsonWebService(
      session: session, tokenManager: tokenManager, reachability: reachability, configuration: configuration)
  }

  /// Sends a request and collects its results.
  @discardableResult
  func send(_ request: TestRequest) -> (task: WebServiceTask, results: Collector<WebServiceResult<City>>) {
    let results = Collector<WebServiceResult<City>>()
    let task = service.sendRequest(request, callbackQueue: queue) { (result: WebServiceResult<City>) in
      results.append(result)
    }
    return (task, results)
  }

  @discardableResult
  func send(
    _ path: String = "a", host: String = "api.example.com", authorization: WebServiceAuthorizationType = .none,
    options: RequestOptions = RequestOptions()
  ) -> (task: WebServiceTask, results: Collector<WebServiceResult<City>>) {
    send(TestRequest(path: "https://\(host)/\(path)", authorization: authorization, options: options))
  }

  /// Waits until all enqueued completions have run.
  func settle() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  /// Waits until all enqueued code of the app has run, with its consequences.
  func passAppCode() async {
    await withCheckedContinuation { continuation in
      AppCode.queue.async(flags: .barrier) { continuation.resume() }
    }
  }

  /// The recorded events in words, of all requests or of one.
  func story(of requestID: UInt64? = nil) -> [String] {
    events.elements.filter { requestID == nil || $0.requestID == requestID }.map(\.kind.word)
  }

  /// Fails the test if any part of a request is left.
  func expectNothingLeft(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(service.requestCount == 0, "registry", sourceLocation: sourceLocation)
    #expect(session.open.isEmpty, "open exchanges", sourceLocation: sourceLocation)
    #expect(clock.pendingTimerCount == 0, "timers", sourceLocation: sourceLocation)
    service.engine.expectEmptyLayers(sourceLocation: sourceLocation)
  }
}

extension Engine {
  /// The session that a layer made; `nil` without such a layer.
  func session<Session: WrappingSession>(of type: Session.Type) -> Session? {
    session.wrapped(type)
  }

  /// Fails the test if a layer still holds a request.
  func expectEmptyLayers(sourceLocation: SourceLocation = #_sourceLocation) {
    let limiter = session(of: LimitingSession.self)?.limiter
    #expect(limiter?.inFlightCount ?? 0 == 0, "places", sourceLocation: sourceLocation)
    #expect(limiter?.waitingCount ?? 0 == 0, "queue", sourceLocation: sourceLocation)
    let shared = session(of: CoalescingSession.self)
    #expect(shared?.count ?? 0 == 0, "shared transfers", sourceLocation: sourceLocation)
  }
}

extension URLSessionProtocol {
  /// The first session of this type among this session and the sessions that it wraps.
  fileprivate func wrapped<Session>(_ type: Session.Type) -> Session? {
    self as? Session ?? (self as? any WrappingSession)?.next.wrapped(type)
  }
}

/// Makes the session release all transfers when its bench is released.
private final class HeldEnding: Sendable {
  private let session: HeldSession

  init(of session: HeldSession) {
    self.session = session
  }

  deinit {
    session.forgetAll()
  }
}

struct EventCollector: RequestMonitor {
  let events: Collector<RequestEvent>
  var wantedEvents = RequestEvent.Stages.all

  func record(_ event: RequestEvent) { events.append(event) }
}

extension RequestEvent.Kind {
  /// The event's kind in a word, with its main value.
  var word: String {
    switch self {
    case .described: "described"
    case .waiting(let reason): "waiting(\(reason))"
    case .authorized: "authorized"
    case .sent: "sent"
    case .redirected: "redirected"
    case .retried: "retried"
    case .received(let status, _, _): "received(\(status))"
    case .decoded: "decoded"
    case .delivered(.success): "success"
    case .delivered(.failure(let error)): "failure(\(error.kind))"
    case .delivered(.cancelled): "cancelled"
    case .cached(let use): "cached(\(use))"
    case .coalesced: "coalesced"
    }
  }
}
