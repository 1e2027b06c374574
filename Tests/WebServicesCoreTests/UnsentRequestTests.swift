@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct UnsentRequestTests {
  private func harness(
    places: Int = 1, retry: RetryPolicy = .none, configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> VirtualHarness<HeldSession> {
    VirtualHarness.held { configuration in
      configuration.layers = [.limits(RequestLimits(concurrentRequestsPerHost: places))]
      configuration.retry = retry
      configuration.timeout = 10
      configure(&configuration)
    }
  }

  private func post(_ options: RequestOptions = RequestOptions()) -> TestRequest {
    TestRequest(path: "https://api.example.com/orders", method: .post, body: ["name": "Bath"], options: options)
  }

  /// A redirected request has only the rest of the attempt's time, and another request holds the only permit.
  @Test(arguments: [1, 2])
  func timeoutInQueueIsRetriedOrNamesTheWait(attemptLimit: Int) async {
    let harness = harness(retry: RetryPolicy(attemptLimit: attemptLimit))
    let (_, results) = harness.send(post())
    harness.send("other", options: RequestOptions(timeout: 100))
    harness.session.open.first?.respond(307, ["Location": "/orders/1"])
    harness.clock.advance(by: 10)
    harness.clock.advance(by: 1)
    expectEqual(harness.session.paths, ["/orders", "/other"])
    harness.session.respondToAll()
    await harness.settle()
    expectEqual(harness.session.paths, ["/orders", "/other"] + (attemptLimit > 1 ? ["/orders/1"] : []))
    guard attemptLimit == 1 else { return expectEqual(results.elements.map(\.model), [City(name: "Bath")]) }
    let error = results.elements.first?.error
    expectEqual(error?.kind, .timedOut)
    expectEqual(error?.underlying(as: TransportError.self)?.mayHaveReachedServer, false)
    expectEqual(
      error?.message, "the request was not sent: it waited for its turn, and api.example.com may be sent 1 at a time")
    // The step before the redirect was sent.
    expectEqual(error?.attemptCount, 1)
  }

  @Test func requestEndedInQueueCountsNoAttempt() async {
    let harness = harness(places: 2)
    for index in 0..<2 { harness.send("\(index)", options: RequestOptions(timeout: 100)) }
    let late = harness.send("late", options: RequestOptions { $0.deadline = 5 })
    let cancelled = harness.send("cancelled")
    harness.clock.advance(by: 5)
    cancelled.task.cancel()
    await harness.settle()
    let errors = [late, cancelled].map(\.results.elements.first?.error)
    expectEqual(errors.map(\.?.kind), [.timedOut, .cancelled])
    expectEqual(errors.map(\.?.attemptCount), [0, 0])
    let wait = "the request was not sent: it waited for its turn, and api.example.com may be sent 2 at a time"
    expectEqual(errors.map(\.?.message), ["the deadline passed; \(wait)", wait])
    #expect(errors.allSatisfy { $0.map { "\($0)".contains("0 attempts") } == true })
    harness.session.open.forEach { $0.respond() }
    await harness.settle()
  }

  @Test func cancelWhileTheSessionMakesItsTaskSendsNothing() async {
    let (held, results) = (HeldSession(), Collector<WebServiceError.Kind?>())
    let closing = Locked<JsonWebService?>(nil)
    let layer = SendingLayer { request, session, completion in
      closing.withLock { $0.take() }?.engine.close()()
      return session.next.transferTask(with: request, completion: completion)
    }
    let service = JsonWebService(
      session: layer.wrap(held, for: LayerContext()), tokenManager: FakeTokenManager(), reachability: FakeReachability()
    )
    closing.withLock { $0 = service }
    service.sendRequest(post(), parser: .nothing, callbackQueue: .global()) { results.append($0.failure?.kind) }
    expectEqual(await results.elements(1), [.cancelled])
    #expect(held.transfers.isEmpty)
  }

  @Test func refusedRequestCountsNoAttempt() async {
    let harness = harness(places: 9, retry: RetryPolicy(attemptLimit: 3)) { configuration in
      let breaker = CircuitBreakerPolicy(failureRatio: 0.1, minimumVolume: 1)
      configuration.layers = [.cache(ResponseCache()), .circuitBreaker(breaker)] + configuration.layers
    }
    let first = harness.send("first")
    harness.session.open.first?.respond(503)
    harness.clock.advance(by: 1)
    let second = harness.send("second")
    harness.reachability.set(isConnected: false)
    let third = harness.send("third", host: "other.example.com")
    await harness.settle()
    let errors = [first, second, third].map(\.results.elements.first?.error)
    expectEqual(errors.map(\.?.kind), [.circuitOpen, .circuitOpen, .noConnection])
    expectEqual(errors.map(\.?.attemptCount), [1, 0, 0])
  }

  @Test func eachRequestThatLeavesASharedTransferNamesTheWaitAndTheLastWithdrawsIt() async {
    let harness = harness { $0.layers.insert(.coalescing, at: 0) }
    harness.send("other", options: RequestOptions(timeout: 100))
    let shared = [1, 2].map { (deadline: TimeInterval) in
      harness.send("shared", options: RequestOptions { $0.deadline = deadline }).results
    }
    harness.clock.advance(by: 2)
    await harness.settle()
    let messages = shared.map { $0.elements.first?.error?.message ?? "" }
    #expect(messages.allSatisfy { $0.contains("it waited for its turn") })
    harness.session.respondToAll()
    await harness.settle()
    expectEqual(harness.session.paths, ["/other"])
  }

  /// A connection that is being made counts as an attempt, and other waits don't.
  @Test(arguments: [UnsentReason.connecting, .connection(origin: "https://h", limit: 1)], [false, true])
  func cancelOfAnUnsentRequestNamesItsWait(reason: UnsentReason, isRedirected: Bool) async {
    let harness = VirtualHarness.held()
    let (_, results) = harness.send(post())
    if isRedirected { harness.session.open.first?.respond(307, ["Location": "/b"]) }
    harness.session.open.first?.unsentReason.withLock { $0 = reason }
    harness.service.invalidateAndCancel()
    await harness.settle()
    let error = results.elements.first?.error
    #expect(error?.kind == .cancelled && error?.attemptCount == (isRedirected || reason == .connecting ? 1 : 0))
    expectEqual(error?.message.hasSuffix(reason.message), true)
  }

  #if os(Linux)
    /// Another request holds the only connection until the gate opens.
    @Test func requestThatWaitsForAConnectionIsWithdrawn() async throws {
      var configuration = TransportConfiguration.forTest
      configuration.connectionsPerHost = 1
      let harness = try SocketHarness(session: try CurlSession(configuration: configuration))
      let (gate, other) = (LoopbackServer.Gate(), try LoopbackServer.forTest())
      harness.server.route(.get, "/held", LoopbackServer.Response.text("ok").beforeHead(.wait(gate)))
      async let held = harness.transfer("/held").text
      await gate.waitUntilReached()
      let ends = Collector<TransportError.Kind?>()
      let request = TransportRequest(method: .post, url: harness.server.url("/orders"))
      let task = harness.session.transferTask(with: request) { ends.append($0.error?.kind) }
      task.resume()
      // By the end of this transfer, the session has handled everything enqueued before.
      _ = await harness.session.send(TransportRequest(url: other.url("/")))
      let origin = "http://127.0.0.1:\(harness.server.port)"
      expectEqual(task.withdrawIfUnsent(), .connection(origin: origin, limit: 1))
      expectEqual(await ends.elements(1), [.cancelled])
      gate.open()
      expectEqual(await [held, harness.transfer("/held").text], ["ok", "ok"])
      #expect(harness.server.requests(.post).isEmpty)
    }
  #endif
}
