@testable import WebServicesTestSupport
@testable import WebServicesStreaming

@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct ServerSentEventStreamTests {
  private let harness = VirtualHarness.scripted()
  private let path = "/cities"

  private func script(_ text: String, status: Int = 200) {
    let headers: HTTPHeaders = ["Content-Type": "Text/Event-Stream; charset=utf-8"]
    for method in [HTTPMethod.get, .post] {
      harness.session.script(method, path, .data(Data(text.utf8), status: status, headers: headers))
    }
  }

  private func events(_ policy: ReconnectionPolicy = .standard) -> ServerSentEventStream {
    harness.service.serverSentEvents(TestRequest(), reconnecting: policy)
  }

  /// Advances the clock whenever a timer of the next length is scheduled.
  private func turnClock(by waits: [TimeInterval]) -> Task<Void, Never> { turn(harness.clock, by: waits) }

  private func turn(_ clock: VirtualClock, by waits: [TimeInterval]) -> Task<Void, Never> {
    Task {
      for wait in waits {
        await clock.waitForTimer(after: wait)
        clock.advance(by: wait)
      }
    }
  }

  @Test(arguments: [nil, "5"])
  func reconnectionResumesAfterTheServersDelay(firstID: String?) async throws {
    script("retry: 1500\nid: 7\ndata: a\n\ndata: b\n\nid: 9\n\nevent: x\nid: 10\ndata: cut off\nretry: 9")
    harness.session.script(.get, path, .failure(URLError(.networkConnectionLost)))
    script("data: c\n\n")
    script("", status: 204)
    let turns = turnClock(by: [1.5, 3, 1.5])
    var received: [ServerSentEvent] = []
    let request = TestRequest(headers: firstID.map { ["Last-Event-ID": $0] } ?? [:])
    for try await event in harness.service.serverSentEvents(request) { received.append(event) }
    await turns.value
    expectEqual(received.map { $0.data + $0.id }, ["a7", "b7", "c9"])
    let asked = harness.session.requests.map { $0.value(forHTTPHeaderField: "Last-Event-ID") }
    expectEqual(asked, [firstID, "9", "9", "9"])
    for (name, value) in [("Accept", "text/event-stream"), ("Cache-Control", "no-store")] {
      #expect(harness.session.requests.allSatisfy { $0.value(forHTTPHeaderField: name) == value })
    }
  }

  @Test func requestMayControlTheCaches() async throws {
    script("data: a\n\n")
    let request = TestRequest(headers: ["Cache-Control": "no-cache"])
    var events = harness.service.serverSentEvents(request, reconnecting: .none).makeAsyncIterator()
    expectEqual(try await events.next()?.data, "a")
    expectEqual(harness.session.requests.last?.value(forHTTPHeaderField: "Cache-Control"), "no-cache")
  }

  @Test func failedReconnectionsSlowDownAndEnd() async throws {
    harness.session.script(.get, path, .failure(URLError(.networkConnectionLost)))
    let turns = turnClock(by: [3, 6, 10])
    await thrown { for try await _ in events(ReconnectionPolicy(attemptLimit: 3, delayLimit: 10)) {} }
    await turns.value
    expectEqual(harness.session.requests.count, 4)
  }

  @Test(arguments: [WebServiceError.Kind.noConnection, .timedOut, .circuitOpen])
  func failureThatMayPassIsFollowedByAReconnection(_ kind: WebServiceError.Kind) async throws {
    let harness = VirtualHarness.scripted {
      guard kind == .circuitOpen else { return }
      $0.layers = [.circuitBreaker(CircuitBreakerPolicy(minimumVolume: 1, openDuration: 4))]
    }
    // The circuit opens with the first failure, and refuses the second connection.
    if kind == .circuitOpen { harness.session.script(.get, path, .failure(URLError(.networkConnectionLost))) }
    if kind == .timedOut { harness.session.script(.get, path, .never) }
    harness.session.script(.get, path, Self.event("a"))
    harness.reachability.set(isConnected: kind != .noConnection)
    let turns = Task {
      // The timer of an attempt is made before its request is sent, and would keep it from being sent.
      if kind == .timedOut { await harness.session.waitForRequests(1) }
      for wait in kind == .timedOut ? [60.0, 3] : kind == .circuitOpen ? [3, 6] : [3] {
        await harness.clock.waitForTimer(after: wait)
        harness.reachability.set(isConnected: true)
        harness.clock.advance(by: wait)
      }
    }
    var events = harness.service.serverSentEvents(TestRequest()).makeAsyncIterator()
    expectEqual(try await events.next()?.data, "a")
    await turns.value
  }

  @Test func taskCancellationEndsTheWait() async throws {
    script("data: a\n\n")
    let events = events()
    let task = Task {
      var iterator = events.makeAsyncIterator()
      expectEqual(try await iterator.next()?.data, "a")
      expectEqual(await thrown { try await iterator.next() }?.kind, .cancelled)
      expectEqual(try await iterator.next(), nil)
    }
    await harness.clock.waitForTimer(after: 3)
    task.cancel()
    try await task.value
  }

  @Test(arguments: [
    (200, "text/html"), (200, "application/json"), (200, nil), (206, "text/event-stream"), (201, "text/event-stream"),
    (401, "text/event-stream"), (404, "text/html"), (500, nil),
  ])
  func responseThatIsNoEventStreamIsFinal(status: Int, type: String?) async throws {
    var headers = HTTPHeaders()
    if let type { headers["Content-Type"] = type }
    harness.session.script(.get, path, .data(Data("data: a\n\n".utf8), status: status, headers: headers))
    var iterator = events().makeAsyncIterator()
    let error = await thrown { try await iterator.next() }
    #expect(error?.kind == (status < 400 ? .invalidResponse : .statusCode(status)) && error?.statusCode == status)
    expectEqual(error?.response?.headers["Content-Type"], type)
    expectEqual(try await iterator.next(), nil)
    expectEqual(harness.session.requests.count, 1)
    // The validators of a service may accept any status.
    let tolerant = VirtualHarness.scripted { $0.validators = [] }
    tolerant.session.script(.get, path, .data(Data("data: a\n\n".utf8), status: status, headers: headers))
    var accepted = tolerant.service.serverSentEvents(TestRequest()).makeAsyncIterator()
    expectEqual(await thrown { try await accepted.next() }?.kind, error?.kind)
  }

  @Test func waitsAreBounded() {
    let random = RetryPolicy.RandomSource.fixed(1)
    for number in [-1, 0, TimeInterval.nan, .infinity, -.infinity] {
      let policy = ReconnectionPolicy(delay: 3, delayLimit: number)
      for serverDelay in [nil, 0, 5] as [TimeInterval?] {
        let wait = policy.wait(after: 1, serverDelay: serverDelay, random: random)
        #expect(wait >= 0 && wait <= 86_400)
      }
    }
    let limited = ReconnectionPolicy(delayLimit: 45)
    let waits: [(ReconnectionPolicy, Int, serverDelay: TimeInterval?, wait: TimeInterval)] = [
      (limited, 0, 0, 0.5), (limited, 0, 0.1, 0.5), (limited, 0, 1.5, 1.5), (limited, 0, 2_147_483, 45),
      (ReconnectionPolicy(delay: 90, delayLimit: .nan), 1, nil, 60), (ReconnectionPolicy(delay: 90), 1, nil, 60),
      (ReconnectionPolicy(delay: .infinity), 1, nil, 60),
      (ReconnectionPolicy(delayLimit: .infinity), 3, nil, 12),
      (ReconnectionPolicy(delay: 100_000, delayLimit: 150_000), 2, nil, 150_000),
    ]
    for (policy, failures, serverDelay, wait) in waits {
      expectEqual(policy.wait(after: failures, serverDelay: serverDelay, random: random), wait)
    }
    // From the second failure on half of the wait is random.
    let shortest = (1...3).map { ReconnectionPolicy(delay: 4).wait(after: $0, serverDelay: nil, random: .fixed(0)) }
    expectEqual(shortest, [4, 4, 8])
  }

  @Test func eventMayBeAsLargeAsTheLimit() async throws {
    let large = String(repeating: "x", count: 7_000_000)
    for _ in 0..<2 { script("data: \(large)\n\n") }
    var patient = harness.service.serverSentEvents(TestRequest(), reconnecting: .none, limit: 8_000_000)
      .makeAsyncIterator()
    expectEqual(try await patient.next()?.data.utf8.count, 7_000_000)
    var strict = harness.service.serverSentEvents(TestRequest(), reconnecting: .none).makeAsyncIterator()
    let error = await thrown { try await strict.next() }
    expectEqual(error?.underlying(as: StreamLimitError.self)?.limit, 1 << 20)
  }

  @Test(arguments: [(true, nil, 1), (false, nil, 1), (true, true, 2)] as [(Bool, Bool?, Int)])
  func requestThatIsNotIdempotentIsSentOnce(ends: Bool, isIdempotent: Bool?, count: Int) async {
    if !ends { harness.session.script(.post, path, .failure(URLError(.networkConnectionLost))) }
    script("data: a\n\n")
    script("", status: 204)
    let turns = turnClock(by: count > 1 ? [3] : [])
    let request = TestRequest(method: .post, options: RequestOptions { $0.isIdempotent = isIdempotent })
    let events = harness.service.serverSentEvents(request)
    let result = await Task { try await events.reduce("") { $0 + $1.data } }.result
    expectEqual(try? result.get(), ends ? "a" : nil)
    await turns.value
    expectEqual(harness.session.requests.count, count)
  }

  @Test(arguments: [TransportError.Kind.cannotConnect, .other])
  func postThatDidNotReachTheServerIsSentAgain(kind: TransportError.Kind) async throws {
    harness.session.script(.post, path, .unsent(kind, "refused"))
    script("data: a\n\n")
    let turns = turnClock(by: [3])
    var events = harness.service.serverSentEvents(TestRequest(method: .post)).makeAsyncIterator()
    expectEqual(try await events.next()?.data, "a")
    await turns.value
    expectEqual(harness.session.requests.count, 2)
  }

  @Test func postIsSentAgainOnlyIfTheServerHasNotAppliedIt() {
    func unsent(_ isUnsent: Bool, _ kind: TransportError.Kind = .cannotConnect) -> TransportError {
      TransportError(kind, message: "", mayHaveReachedServer: !isUnsent)
    }
    func error(
      _ kind: WebServiceError.Kind, _ underlying: (any Error)? = nil, of method: HTTPMethod = .post, attempts: Int = 1
    ) -> WebServiceError {
      WebServiceError(kind, method: method, attemptCount: attempts, underlying: underlying)
    }
    let cases: [(error: WebServiceError?, post: Bool, get: Bool)] = [
      (nil, false, true), (error(.noConnection), true, true), (error(.noConnection, of: .get), false, true),
      (error(.circuitOpen), true, true), (error(.sessionFailure, unsent(true)), true, true),
      (error(.sessionFailure, unsent(false)), false, true), (error(.sessionFailure), false, true),
      (error(.sessionFailure, unsent(true, .invalidated)), false, false),
      (error(.timedOut, attempts: 0), true, true), (error(.timedOut), false, true),
      (error(.timedOut, unsent(true)), false, true), (error(.token), false, false),
      (error(.token, TokenError.renewalTimedOut), true, true), (error(.token, error(.sessionFailure)), true, true),
      (error(.token, error(.statusCode(400))), false, false), (error(.statusCode(503)), false, false),
      (error(.cancelled), false, false), (error(.undecodableBody), false, false),
    ]
    for (error, post, get) in cases {
      for (method, mayReconnect) in [(HTTPMethod.post, post), (.get, get)] {
        let events = harness.service.serverSentEvents(TestRequest(method: method))
        #expect(events.mayReconnect(after: error) == mayReconnect, "\(method) after \(error?.description ?? "an end")")
      }
    }
  }

  /// The failure before says that nothing was sent, and the request that timed out may have reached the server.
  @Test func postThatTimesOutAfterARetryIsSentNoThirdTime() async {
    let harness = VirtualHarness.scripted { $0.retry = .standard }
    harness.session.script(.post, path, .unsent(.cannotConnect, "refused"))
    harness.session.script(.post, path, .never)
    let turns = turn(harness.clock, by: [0.5, 60])
    let error = await thrown {
      for try await _ in harness.service.serverSentEvents(TestRequest(method: .post)) {}
    }
    await turns.value
    expectEqual(error?.kind, .timedOut)
    expectEqual(harness.session.requests.count, 2)
  }

  @Test(arguments: [TransportError.Kind.cannotConnect, .notConnected])
  func postWhoseRedirectFailsUnsentIsSentOnce(kind: TransportError.Kind) async {
    harness.session.script(.post, path, .data(Data(), status: 303, headers: ["Location": "/tickets"]))
    harness.session.script(.get, "/tickets", .unsent(kind, "no route"))
    let error = await thrown {
      for try await _ in harness.service.serverSentEvents(TestRequest(method: .post)) {}
    }
    expectEqual(error?.underlying(as: TransportError.self)?.mayHaveReachedServer, true)
    expectEqual(harness.session.requests.map(\.httpMethod), ["POST", "GET"])
  }

  @Test(arguments: [true, false])
  func errorsOfTheStreamHideTheSecretsOfTheConfiguration(isOfResponse: Bool) async {
    let harness = VirtualHarness.scripted {
      $0.redaction = Redaction(headerNames: ["X-Seat"], fieldNames: ["seat"])
    }
    let headers: HTTPHeaders = ["Content-Type": isOfResponse ? "text/html" : "text/event-stream", "X-Seat": "12F"]
    harness.session.script(.get, path, .data(Data("data: a\n\n".utf8), headers: headers))
    let events = harness.service.serverSentEvents(TestRequest(path: "https://api.example.com/cities?seat=12F"))
    let task = Task { await thrown { for try await _ in events {} } }
    if !isOfResponse {
      await harness.clock.waitForTimer(after: 3)
      task.cancel()
    }
    let error = await task.value
    expectEqual(error?.kind, isOfResponse ? .invalidResponse : .cancelled)
    expectEqual(error?.description.contains("/cities?seat=<redacted>"), true)
    expectEqual(error?.description.contains("12F"), false)
    expectEqual(error?.response.map { $0.description.contains("12F") } ?? false, false)
  }

  /// Waits for the second event, and runs `meanwhile` in the pause before the reconnection.
  private func secondEvent(
    of service: JsonWebService, clock: VirtualClock, _ request: TestRequest = TestRequest(),
    meanwhile: () async -> Void
  ) async throws -> Result<ServerSentEvent?, any Error> {
    var events = service.serverSentEvents(request).makeAsyncIterator()
    expectEqual(try await events.next()?.data, "a")
    let second = Task { [events] in
      var events = events
      return try await events.next()
    }
    await clock.waitForTimer(after: 3)
    await meanwhile()
    clock.advance(by: 3)
    return await second.result
  }

  private func isInvalidated(_ result: Result<ServerSentEvent?, any Error>) -> Bool {
    (result.failure as? WebServiceError)?.underlying(as: TransportError.self)?.kind == .invalidated
  }

  @Test func shutdownInAPauseEndsTheStream() async throws {
    script("data: a\n\n")
    let second = try await secondEvent(of: harness.service, clock: harness.clock) {
      await harness.service.shutDown(within: 5)
    }
    expectEqual((second.failure as? WebServiceError)?.kind, .sessionFailure)
    #expect(isInvalidated(second))
  }

  @Test func signOutInAPauseEndsTheStream() async throws {
    let clock = VirtualClock(now: 1000)
    let manager = BasicAuthManager(clock: clock)
    manager.update(apiToken: "first", secondsRemaining: 10_000)
    let harness = VirtualHarness.scripted(tokenManager: manager, clock: clock)
    harness.session.script(.get, path, Self.event("a"))
    let request = TestRequest(authorization: .bearer)
    let second = try await secondEvent(of: harness.service, clock: clock, request) {
      manager.clear()
      manager.update(apiToken: "second", secondsRemaining: 10_000)
    }
    expectEqual((second.failure as? WebServiceError)?.kind, .cancelled)
    expectEqual(harness.session.requests.count, 1)
  }

  /// The service waits for the stream as for any request, and then ends it.
  @Test(arguments: ["connecting", "event", "slow loop", "ended"])
  func shutdownEndsTheStream(moment: String) async throws {
    let harness = VirtualHarness.held()
    let log = Collector<String>()
    let released = Collector<Void>()
    if moment != "slow loop" { released.add() }
    let loop = Task {
      await thrown {
        for try await event in harness.service.serverSentEvents(TestRequest()) {
          log.append(event.data)
          await released.waitForElements(1)
        }
      }
    }
    await harness.session.waitForTransfers(1)
    let transfer = try #require(harness.session.open.first)
    let head = WebServiceResponse(
      statusCode: 200, headers: ["Content-Type": "text/event-stream"], url: transfer.request.url)
    if moment != "connecting" {
      transfer.request.receiver?.didReceive(head: head)
      transfer.request.receiver?.didReceive(Data("data: a\n\ndata: b".utf8)) {}
      await log.waitForElements(1)
    }
    if moment == "slow loop" { transfer.request.receiver?.didReceive(Data("\n\n".utf8)) {} }
    let end = Task { await harness.service.shutDown(within: 5) }
    await harness.clock.waitForTimer(after: 5)
    if moment == "ended" {
      transfer.complete(with: .success(head))
      await harness.clock.waitForTimer(after: 3)
      harness.clock.advance(by: 3)
    } else {
      harness.clock.advance(by: 5)
    }
    await end.value
    released.add()
    let error = await loop.value
    expectEqual(error?.kind, moment == "ended" ? .sessionFailure : .cancelled)
    expectEqual(log.elements, moment == "connecting" ? [] : ["a"])
    expectEqual(harness.session.transfers.count, 1)
  }

  @Test(arguments: TransportKind.own)
  func invalidatedSessionEndsTheStream(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/events", .text("data: a\n\n", headers: ["Content-Type": "text/event-stream"]))
    let request = TestRequest(path: "events")
    let second = try await secondEvent(of: harness.service, clock: harness.clock, request) {
      harness.session.invalidateAndCancel()
    }
    #expect(isInvalidated(second))
    expectEqual(harness.server.requests.count, 1)
  }

  // MARK: Renewals

  /// A manager whose token has expired, on the clock of a service.
  private func expiredManager(_ clock: VirtualClock, through service: (any JsonWebServiceable)?) -> BasicAuthManager {
    let manager = BasicAuthManager(clock: clock)
    manager.renewTokens(through: service) { _ in TestRequest(path: "https://accounts.example.com/renew") }
    manager.update(apiToken: "old", secondsRemaining: 0)
    return manager
  }

  private static func event(_ data: String) -> MockResponse {
    .data(Data("data: \(data)\n\n".utf8), headers: ["Content-Type": "text/event-stream"])
  }

  private let renewed = MockResponse.json(#"{"apiToken": "new", "secondsRemaining": 10000}"#)

  @Test(arguments: [false, true])
  func streamOutlivesARenewalThatLosesItsConnection(isPost: Bool) async throws {
    let clock = VirtualClock(now: 1000)
    let harness = VirtualHarness.scripted(tokenManager: expiredManager(clock, through: nil), clock: clock)
    let method = isPost ? HTTPMethod.post : .get
    harness.session.script(method, path, Self.event("a"))
    harness.session.script(.get, "/renew", .failure(URLError(.networkConnectionLost)))
    harness.session.script(.get, "/renew", renewed)
    var events = harness.service.serverSentEvents(TestRequest(method: method, authorization: .bearer))
      .makeAsyncIterator()
    let turn = Task {
      await clock.waitForTimer(after: 3)
      clock.advance(by: 3)
    }
    expectEqual(try await events.next()?.data, "a")
    await turn.value
    expectEqual(harness.session.requests.map { $0.url?.path }, ["/renew", "/renew", path])
  }

  @Test(arguments: [HTTPMethod.get, .post])
  func streamOutlivesARenewalAfterARefusalThatLosesItsConnection(method: HTTPMethod) async throws {
    let clock = VirtualClock(now: 1000)
    let manager = expiredManager(clock, through: nil)
    manager.update(apiToken: "old", secondsRemaining: 10_000)
    let harness = VirtualHarness.scripted(tokenManager: manager, clock: clock)
    harness.session.script(method, path, .unauthorized("Bearer"))
    harness.session.script(method, path, Self.event("a"))
    harness.session.script(.get, "/renew", .failure(URLError(.networkConnectionLost)))
    harness.session.script(.get, "/renew", renewed)
    let turns = turn(clock, by: [3])
    let request = TestRequest(method: method, authorization: .bearer)
    var events = harness.service.serverSentEvents(request).makeAsyncIterator()
    expectEqual(try await events.next()?.data, "a")
    turns.cancel()
    expectEqual(harness.session.requests.map { $0.url?.path }, [path, "/renew", "/renew", path])
  }

  @Test(arguments: [(TokenError.renewalTimedOut, 2), (.expired, 1)])
  func onlyARenewalThatTimedOutIsTriedAgain(error: TokenError, count: Int) async {
    let manager = FakeTokenManager(error: error)
    let harness = VirtualHarness.scripted(tokenManager: manager)
    let turns = turn(harness.clock, by: count > 1 ? [3] : [])
    let request = TestRequest(authorization: .bearer)
    let policy = ReconnectionPolicy(attemptLimit: 1)
    let failure = await thrown {
      for try await _ in harness.service.serverSentEvents(request, reconnecting: policy) {}
    }
    await turns.value
    expectEqual(failure?.kind, .token)
    expectEqual(manager.requestedTypes.count, count)
  }

  @Test func refusedRenewalEndsTheStream() async throws {
    let clock = VirtualClock(now: 1000)
    let harness = VirtualHarness.scripted(tokenManager: expiredManager(clock, through: nil), clock: clock)
    harness.session.script(.get, "/renew", .status(400))
    var events = harness.service.serverSentEvents(TestRequest(authorization: .bearer))
      .makeAsyncIterator()
    let error = await thrown { try await events.next() }
    expectEqual(error?.kind, .token)
  }

  @Test func renewalIsNoPartOfTheStreamsWork() async throws {
    let clock = VirtualClock(now: 1000)
    let accounts = VirtualHarness.scripted()
    accounts.session.script(.get, "/renew", renewed)
    let harness = VirtualHarness.scripted(tokenManager: expiredManager(clock, through: accounts.service), clock: clock)
    for text in ["a", "b"] { harness.session.script(.get, path, Self.event(text)) }
    let second = try await secondEvent(of: harness.service, clock: clock, TestRequest(authorization: .bearer)) {
      accounts.service.invalidateAndCancel()
    }
    expectEqual(try second.get()?.data, "b")
  }
}
