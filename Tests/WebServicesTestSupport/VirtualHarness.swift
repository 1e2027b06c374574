@testable import WebServicesCore
@testable import WebServicesResilience

/// A service on a virtual clock and on a session without a network. Completions run on the harness's queue, and
/// everything else runs on the thread of the test or of the session.
///
/// `held()` makes a harness whose transfers complete when the test says so. `scripted()` makes a harness whose session
/// responds as scripted. The suite needs the trait `.leavesNothing`.
final class VirtualHarness<Session: IdleCheckedSession>: Sendable {
  let clock: VirtualClock
  let session: Session
  let reachability = FakeReachability()
  let events = Collector<RequestEvent>()
  let service: JsonWebService
  /// The queue of all completions.
  let queue = DispatchQueue(label: "completions")

  fileprivate init(
    _ session: Session, tokenManager: any WebServiceTokenManageable, clock: VirtualClock,
    sourceLocation: SourceLocation, configure: (inout WebServiceConfiguration) -> Void
  ) {
    self.clock = clock
    self.session = session
    var configuration = WebServiceConfiguration(clock: clock)
    configuration.retryBudget = .unlimited
    configuration.random = .fixed(1)
    configuration.monitors = [EventCollector(events: events)]
    configure(&configuration)
    service = JsonWebService(
      session: session, tokenManager: tokenManager, reachability: reachability, configuration: configuration)
    // Weak, because tests also check when a service is released. A request that is left retains its engine.
    LeavesNothing.addCheck(sourceLocation: sourceLocation) { [weak engine = service.engine, session, clock, queue] in
      await queue.settle()
      await engine?.drain(within: 2)
      var leftovers = engine?.leftovers ?? []
      if session.openTaskCount > 0 { leftovers.append("open transfers") }
      if clock.pendingTimerCount > 0 { leftovers.append("timers") }
      engine?.close(invalidatingInjectedSession: true)()
      session.releaseTransfers()
      return leftovers
    }
  }

  /// The service's session with the layers of the configuration around it.
  var layered: any URLSessionProtocol { service.engine.session }

  /// Sends a request and waits for its result.
  func result(
    of request: TestRequest, on queue: DispatchQueue = DispatchQueue(label: "test")
  ) async -> WebServiceResult<City> {
    await withCheckedContinuation { continuation in
      service.sendRequest(request, callbackQueue: queue) { (result: WebServiceResult<City>) in
        continuation.resume(returning: result)
      }
    }
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
  func settle() async { await queue.settle() }

  /// Waits until the app's code that is enqueued on `UserCallbackQueue` has run.
  func settleUserCallbacks() async {
    await withCheckedContinuation { continuation in
      UserCallbackQueue.shared.async(flags: .barrier) { continuation.resume() }
    }
  }

  /// The recorded events in words, of all requests or of one.
  func story(of requestID: UInt64? = nil) -> [String] {
    events.elements.filter { requestID == nil || $0.requestID == requestID }.map(\.kind.word)
  }
}

extension VirtualHarness where Session == HeldSession {
  /// Responds to the first open transfer, lets seconds pass, and waits for the app's code, such as a signer.
  func respond(_ status: Int, _ headers: HTTPHeaders = [:], thenPass seconds: TimeInterval = 0) async {
    session.open.first?.respond(status, headers)
    await settleUserCallbacks()
    clock.advance(by: seconds)
    await settleUserCallbacks()
  }

  /// Completes the first open transfer with a city, and expects this city as the request's only result.
  func expectCity(
    _ results: Collector<WebServiceResult<City>>, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    session.open.first?.respond()
    await settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")], sourceLocation: sourceLocation)
  }

  /// Makes a harness whose transfers complete when the test says so.
  static func held(
    _ session: HeldSession = HeldSession(), layers: [any SessionLayer] = [],
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(), clock: VirtualClock = VirtualClock(now: 1000),
    sourceLocation: SourceLocation = #_sourceLocation, configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> VirtualHarness {
    VirtualHarness(session, tokenManager: tokenManager, clock: clock, sourceLocation: sourceLocation) {
      $0.layers += layers
      configure(&$0)
    }
  }
}

extension VirtualHarness where Session == MockURLSession {
  /// Makes a harness whose session responds as the test scripts it.
  ///
  /// - Parameter responses: the responses to `GET /cities`, in order. The last one repeats.
  static func scripted(
    _ responses: MockResponse..., tokenManager: any WebServiceTokenManageable = FakeTokenManager(),
    clock: VirtualClock = VirtualClock(now: 1000),
    sourceLocation: SourceLocation = #_sourceLocation, configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> VirtualHarness {
    let session = MockURLSession(clock: clock)
    for response in responses { session.script(.get, "/cities", response) }
    return VirtualHarness(
      session, tokenManager: tokenManager, clock: clock, sourceLocation: sourceLocation, configure: configure)
  }
}

/// A session that a harness can check after a test.
protocol IdleCheckedSession: URLSessionProtocol {
  /// The number of resumed transfers that haven't completed.
  var openTaskCount: Int { get }
  /// Releases the transfers. A transfer retains the service, and the service retains the session.
  func releaseTransfers()
}

extension MockURLSession: IdleCheckedSession {
  /// Does nothing, because this session keeps only open transfers.
  func releaseTransfers() {}
}

extension Engine {
  /// Waits until the service has no request, or the seconds have passed. A request that a test has just cancelled, or
  /// whose stream the test has left, leaves the engine on another queue, a moment later.
  func drain(within seconds: Double) async {
    guard requestCount > 0 else { return }
    let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
    await withCheckedContinuation { continuation in
      waiting.withLock { $0 = continuation }
      let goOn = { @Sendable in if let first = waiting.withLock({ $0.take() }) { first.resume() } }
      drain(goOn)
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: goOn)
    }
  }

  /// The places where the engine or a layer still holds a request.
  var leftovers: [String] {
    let limiter = session.wrapped(LimitingSession.self)?.limiter
    var leftovers: [String] = []
    if requestCount > 0 { leftovers.append("requests in progress") }
    if state.withLock({ !$0.background.isEmpty }) { leftovers.append("transfers in the background") }
    if limiter?.inFlightCount ?? 0 > 0 { leftovers.append("permits of the limiter") }
    if limiter?.waitingCount ?? 0 > 0 { leftovers.append("requests in the limiter's queue") }
    if session.wrapped(CoalescingSession.self)?.count ?? 0 > 0 { leftovers.append("shared transfers") }
    return leftovers
  }
}

extension DispatchQueue {
  /// Waits until all enqueued work has run.
  fileprivate func settle() async {
    await withCheckedContinuation { continuation in async { continuation.resume() } }
  }
}

extension URLSessionProtocol {
  /// The first session of this type among this session and the sessions that it wraps.
  fileprivate func wrapped<Session>(_ type: Session.Type) -> Session? {
    self as? Session ?? (self as? any WrappingSession)?.next.wrapped(type)
  }
}

extension RequestLimiter {
  /// How many requests wait, at all hosts together.
  var waitingCount: Int { state.withLock { $0.hosts.values.reduce(0) { $0 + $1.queue.count } } }
  /// How many permits are in use.
  var inFlightCount: Int { state.withLock { $0.hosts.values.reduce(0) { $0 + $1.inFlight } } }
}
