@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesHTTP
@testable import WebServicesResilience

/// Half an hour of a service with all policies and with faults at every station. The clock is virtual and the faults
/// are seeded. The test waits for work on other threads only at its end.
@Suite(.serialized)
struct SoakTests {
  @Test(arguments: seeds(1, many: 3))
  func halfAnHourOfFaultsLeavesNothing(seed: UInt64) async {
    var world = SoakWorld(seed: seed)
    while world.clock.now < 1800 { await world.step() }
    await world.end()
  }
}

/// The service, its server and its users.
private struct SoakWorld {
  let clock = VirtualClock()
  let session = HeldSession()
  let reachability = FakeReachability()
  let manager: BasicAuthManager
  let watch = SoakMonitor()
  let completed = Watched<[Int]>([])
  let queue = DispatchQueue(label: "completions")
  private let wall: WallClock
  private let cache: ResponseCache
  private var generator: SeededGenerator
  private var service: JsonWebService
  private var tasks: [WebServiceTask] = []
  private var count = 0
  private var resets = 0
  /// The services that were shut down. Their work on other threads must have ended by the end of the test.
  private var formers: [JsonWebService] = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    manager = BasicAuthManager(storage: InMemoryTokenStorage(), clock: clock)
    manager.renewTokens { _ in TestRequest(path: "https://api.example.com/renew", method: .post) }
    let wall = WallClock()
    self.wall = wall
    cache = ResponseCache(MemoryResponseStore()) { wall.now }
    service = Self.makeService(session, manager, reachability, clock, cache, watch, seed: seed)
  }

  private static func makeService(
    _ session: HeldSession, _ manager: BasicAuthManager, _ reachability: FakeReachability, _ clock: VirtualClock,
    _ cache: ResponseCache, _ watch: SoakMonitor, seed: UInt64
  ) -> JsonWebService {
    let limits = RequestLimits(
      concurrentRequestsPerHost: 4, rate: RequestLimits.Rate(requestsPerSecond: 20, burst: 10),
      serverWaitLimit: 5)
    var configuration = WebServiceConfiguration(
      timeout: 8, retry: .standard,
      layers: [.cache(cache), .coalescing, .circuitBreaker(.standard), .limits(limits)], monitors: [watch],
      clock: clock)
    configuration.deadline = 40
    configuration.connectivity = .wait(upTo: 6)
    configuration.random = .seeded(seed)
    return JsonWebService(
      session: session, tokenManager: manager, reachability: reachability, configuration: configuration)
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &generator)]
  }

  // MARK: What happens

  mutating func step() async {
    for _ in 0..<Int.random(in: 0...2, using: &generator) { send() }
    for transfer in session.open where chance(45) { respond(transfer) }
    await settle([UserCallbackQueue.shared])
    session.releaseCompleted()
    if chance(8), !tasks.isEmpty { pick(tasks).cancel() }
    if tasks.count > 40 { tasks.removeFirst(20) }
    if chance(2) { reachability.set(isConnected: false) }
    if chance(20) { reachability.set(isConnected: true) }
    if chance(1) { manager.clear() }
    if manager.apiToken == nil, chance(30) {
      manager.update(apiToken: "token-\(count)", secondsRemaining: pick([0, 30, 90]))
    }
    if chance(1), chance(20) { reset() }
    let seconds = pick([0.05, 0.2, 0.5, 1])
    clock.advance(by: seconds)
    await settle([UserCallbackQueue.shared])
    wall.advance(by: seconds)
  }

  private mutating func reset() {
    resets += 1
    let former = service
    service = Self.makeService(session, manager, reachability, clock, cache, watch, seed: UInt64(resets))
    former.engine.shutDown(invalidatingInjectedSession: false)
    formers.append(former)
  }

  private mutating func send() {
    let index = count
    count += 1
    let signer = RequestSigner(named: "soak", needsToken: true) { [isFailing = chance(5)] _, token in
      guard !isFailing else { throw URLError(.unknown) }
      return ["X-Signature": token?.value ?? ""]
    }
    let options = RequestOptions {
      $0.timeout = chance(20) ? 2 : nil
      $0.deadline = chance(20) ? pick([0.5, 3]) : nil
      $0.priority = pick(RequestOptions.Priority.allCases)
      $0.cachePolicy = pick([.useCache, .useCache, .reload, .onlyIfCached])
      $0.coalesces = chance(20) ? false : nil
      $0.connectivity = chance(20) ? .failAtOnce : nil
    }
    let request = TestRequest(
      path: "https://\(pick(["api", "b", "c"])).example.com/\(Int.random(in: 0..<8, using: &generator))",
      method: pick([.get, .get, .get, .post, .put]), authorization: pick([.none, .bearer, .custom(signer)]),
      options: options)
    let finish: @Sendable () -> Void = { [completed] in completed.withLock { $0.append(index) } }
    if chance(10) {
      tasks.append(
        service.stream(request, as: .data, callbackQueue: queue, onElement: { _ in }) { _ in finish() })
    } else {
      tasks.append(service.sendRequest(request, callbackQueue: queue) { (_: WebServiceResult<City>) in finish() })
    }
  }

  private mutating func respond(_ transfer: HeldTransfer) {
    if transfer.path == "/renew", chance(60) {
      return transfer.respond(body: #"{"apiToken": "renewed-\#(count)", "secondsRemaining": 70}"#)
    }
    let isConditional = transfer.request.headers["If-None-Match"] != nil
    let fresh: HTTPHeaders = [
      "Cache-Control": pick(["max-age=2, stale-while-revalidate=3", "max-age=5, stale-if-error=60", "no-store"]),
      "ETag": "\"\(count % 3)\"",
    ]
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<45: isConditional ? transfer.respond(304, fresh, body: "") : transfer.respond(200, fresh)
    case 45..<50: transfer.respond(200, body: "{")
    case 50..<58: transfer.respond(401)
    case 58..<66: transfer.respond(503, chance(50) ? ["Retry-After": "1"] : [:])
    case 66..<69: transfer.respond(429, ["Retry-After": "2"])
    case 69..<77: transfer.respond(302, ["Location": pick(["/0", "/1", "https://b.example.com/2", "/loop"])])
    case 77..<80: transfer.respond(404)
    case 80..<92: transfer.fail(URLError(pick([.networkConnectionLost, .timedOut, .cannotConnectToHost])))
    case 92..<95:
      // A session that completes a transfer twice.
      transfer.respond(503)
      transfer.respondAgain()
    default: break
    }
  }

  // MARK: The end

  /// Lets all requests complete, then checks that nothing is left.
  mutating func end() async {
    reachability.set(isConnected: true)
    // A background refresh has no completion, so the test waits for its transfer.
    let shared = service.engine.session(of: CoalescingSession.self)
    for _ in 0..<200
    where completed.withLock({ $0.count }) < count || !session.open.isEmpty || shared?.count != 0 {
      for transfer in session.open {
        transfer.respond(
          body: transfer.path == "/renew" ? #"{"apiToken": "last", "secondsRemaining": 100000}"# : #"{"name": "Bath"}"#)
      }
      session.releaseCompleted()
      clock.advance(by: 1)
      await settle()
    }
    expectEqual(completed.withLock { $0.sorted() }, Array(0..<count))
    await settle()
    // A renewal may have scheduled itself, and the server's pauses must end.
    manager.clear()
    clock.advance(by: 100)
    await settle()
    for service in formers + [service] { expectEmpty(service) }
    #expect(session.open.isEmpty)
    session.releaseTransfers()
    expectEqual(clock.pendingTimerCount, 0)
    watch.expectSound(count: count)
    #expect(count > 3000)
    #expect(watch.outcomes.allSatisfy { $0 > 50 }, "\(watch.outcomes)")
  }

  private func expectEmpty(_ service: JsonWebService) {
    #expect(service.requestCount == 0 || service.engine.registry.isOpen == false)
    #expect(service.engine.leftovers.isEmpty)
  }

  private func settle() async {
    await settle([UserCallbackQueue.shared, queue, CacheSession.queue])
  }

  private func settle(_ queues: [DispatchQueue]) async {
    for queue in queues {
      await withCheckedContinuation { continuation in
        queue.async(flags: .barrier) { continuation.resume() }
      }
    }
  }
}

/// Checks each request's events without keeping them.
private final class SoakMonitor: RequestMonitor {
  private struct State: Sendable {
    var times: [UInt64: TimeInterval] = [:]
    var ended: Set<UInt64> = []
    var faults: [String] = []
    var outcomes = [0, 0, 0]
  }

  private let state = Locked(State())

  /// The numbers of successes, failures and cancels.
  var outcomes: [Int] { state.withLock { $0.outcomes } }

  func record(_ event: RequestEvent) {
    state.withLock { state in
      let id = event.requestID
      if state.ended.contains(id) { state.faults.append("after the end: \(event.kind.word)") }
      if event.time < state.times[id] ?? 0 { state.faults.append("back in time: \(event.kind.word)") }
      state.times[id] = event.time
      guard case .delivered(let outcome) = event.kind else { return }
      state.times[id] = nil
      state.ended.insert(id)
      switch outcome {
      case .success: state.outcomes[0] += 1
      case .failure: state.outcomes[1] += 1
      case .cancelled: state.outcomes[2] += 1
      }
    }
  }

  /// - Parameter count: the number of requests, without renewals.
  func expectSound(count: Int) {
    state.withLock { state in
      #expect(state.faults.isEmpty)
      #expect(state.times.isEmpty, "requests without an end")
      #expect(state.ended.count >= count)
    }
  }
}
