@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct RetryingTests {
  private let path = "/cities"

  /// A harness with this retry policy.
  private func harness(
    _ policy: RetryPolicy = .standard, budget: RetryPolicy.Budget = .unlimited, deadline: TimeInterval? = nil
  ) -> VirtualHarness<MockURLSession> {
    VirtualHarness.scripted { configuration in
      configuration.retry = policy
      configuration.retryBudget = budget
      configuration.deadline = deadline
      configuration.random = .fixed(1)
      configuration.timeout = 1000
    }
  }

  @Test func requestBudgetAndDeadlineDecideBesideThePolicy() async {
    func idempotent(_ method: HTTPMethod, _ isIdempotent: Bool) -> TestRequest {
      TestRequest(method: method, options: RequestOptions { $0.isIdempotent = isIdempotent })
    }
    let cases: [(TestRequest, budget: Double, deadline: TimeInterval?, attempts: Int)] = [
      (TestRequest(method: .put, body: .json("a")), 1, 1, 2), (TestRequest(method: .post), 1, nil, 1),
      (idempotent(.post, true), 1, nil, 2), (idempotent(.put, false), 1, nil, 1),
      (TestRequest(method: .post, headers: ["Idempotency-Key": "k-1"]), 1, nil, 2), (TestRequest(), 0, nil, 1),
      (TestRequest(), 1, 0.5, 1), (TestRequest(options: RequestOptions { $0.retry = RetryPolicy.none }), 1, nil, 1),
    ]
    for (request, budget, deadline, attempts) in cases {
      let harness = harness(budget: RetryPolicy.Budget(burst: budget), deadline: deadline)
      harness.session.script(request.method, path, .failure(URLError(.networkConnectionLost)))
      async let result = harness.result(of: request)
      for sent in 1..<attempts { await harness.pass(0.5, after: sent) }
      let error = await result.error
      #expect(error?.kind == .sessionFailure && error?.attemptCount == attempts)
      expectEqual(harness.session.requests.count, attempts)
    }
  }

  @Test(arguments: [nil, 0.5] as [TimeInterval?])
  func ruleChangesTheHeaderFieldsWithoutTheCredentials(wait: TimeInterval?) async {
    let seen = Collector<HTTPHeaders>()
    let policy = RetryPolicy { _, _ in
      .retry(after: wait) { headers in
        seen.append(headers)
        headers["X-Attempt"] = "2"
      }
    }
    let harness = harness(policy)
    harness.session.script(.get, path, [.status(503), .json(#"{"name": "Bath"}"#)])
    async let result = harness.result(of: TestRequest(authorization: .basic(user: "ada", password: "a")))
    await harness.pass(0.5, after: 1)
    expectEqual(await result.error?.kind, nil)
    expectEqual(seen.elements.map { $0["Authorization"] }, [nil])
    let sent = harness.session.requests
    expectEqual(sent.map { $0.value(forHTTPHeaderField: "X-Attempt") }, [nil, "2"])
    expectEqual(sent.map { $0.value(forHTTPHeaderField: "Authorization") != nil }, [true, true])
  }

  @Test func keysThatTheRuleReplacesStaySecret() async {
    let policy = RetryPolicy { _, _ in
      .retry(after: 1) { headers in
        headers["X-API-Key"] = headers["X-API-Key"] == "first-Zq7X" ? "second-Zq7X" : "third-Zq7X"
      }
    }
    let harness = harness(policy)
    harness.session.script(.get, path, [.text("not first-Zq7X, second-Zq7X or third-Zq7X.", status: 503)])
    async let result = harness.result(of: TestRequest(headers: ["X-API-Key": "first-Zq7X"]))
    await harness.pass(1, after: 1)
    await harness.pass(1, after: 2)
    let description = await result.error?.description ?? "none"
    expectEqual(harness.session.requests.last?.value(forHTTPHeaderField: "X-API-Key"), "third-Zq7X")
    #expect(description.contains("not <redacted>, <redacted> or <redacted>."))
    #expect(!description.contains("Zq7X"))
  }

  @Test func refusalOfALayerIsNotRetried() async {
    let harness = VirtualHarness.held { $0.retry = RetryPolicy(attemptLimit: 3) { _, _ in .retry(after: 0) } }
    let (_, results) = harness.send()
    let refusal = TransportError(.refusedBySession, message: "", mayHaveReachedServer: false)
    harness.session.open.first?.complete(with: .failure(refusal))
    await harness.settleUserCallbacks()
    await harness.settle()
    expectEqual(results.elements.first?.error?.kind, .circuitOpen)
    expectEqual(harness.session.transfers.count, 1)
  }

  /// An app may send a POST again after an error that says that the server has seen nothing.
  @Test(
    arguments: [
      ([true, false], HTTPMethod.put, "", true), ([false, false], .post, "", false), ([false], .post, "sent", true),
      ([false], .post, "connecting", false), ([false], .post, "offline", false), ([false, true], .post, "", true),
      ([false, false], .put, "", false), ([true, false], .post, "rule", false),
    ] as [([Bool], HTTPMethod, String, Bool)])
  func errorSaysWhetherAnyAttemptMayHaveReachedTheServer(
    reached: [Bool], method: HTTPMethod, atTheDeadline: String, expected: Bool
  ) async {
    let harness = VirtualHarness.held {
      $0.retry = RetryPolicy(attemptLimit: 2, backoff: .init(base: 0))
      // The rule's word counts, whatever the error says.
      if atTheDeadline == "rule" { $0.retry.rule = { _, _ in .retry(wasNotApplied: true) } }
      $0.connectivity = .wait(upTo: 10)
    }
    let (_, results) = harness.send(TestRequest(method: method, options: RequestOptions { $0.deadline = 5 }))
    harness.reachability.set(isConnected: atTheDeadline != "offline")
    for isReached in reached {
      let kind: TransportError.Kind = isReached ? .timedOut(.whole) : .cannotConnect
      let error = TransportError(kind, message: "", mayHaveReachedServer: isReached)
      harness.session.open.first?.fail(error)
      await harness.settleUserCallbacks()
      harness.clock.advance(by: 0)
    }
    if atTheDeadline == "connecting" { harness.session.open.first?.unsentReason.withLock { $0 = .connecting } }
    if !atTheDeadline.isEmpty { harness.clock.advance(by: 5) }
    await harness.settle()
    let error = results.elements.first?.error
    expectEqual(error?.attemptCount, atTheDeadline == "offline" ? 1 : 2)
    expectEqual(error?.underlying(as: TransportError.self)?.mayHaveReachedServer, expected)
  }

  @Test func bodyThatCanBeReadOnceIsNotSentAgainOverANewConnection() async {
    let harness = VirtualHarness.held()
    var stale = TransportError(.connectionLost, message: "", mayHaveReachedServer: true)
    stale.isStaleConnection = true
    let body = RequestBody.stream(AsyncStream<Data> { nil }, contentType: "a/b")
    let (_, results) = harness.send(TestRequest(method: .put, body: body))
    harness.session.open.first?.complete(with: .failure(stale))
    await harness.settleUserCallbacks()
    await harness.settle()
    #expect(results.elements.first?.error?.kind == .sessionFailure && harness.session.transfers.count == 1)
  }

  @Test(arguments: [false, true])
  func anyRequestIsSentAgainOverANewConnectionUnlessItMayHaveArrived(isReached: Bool) async {
    let harness = VirtualHarness.held()
    var stale = TransportError(.connectionLost, message: "", mayHaveReachedServer: isReached)
    stale.isStaleConnection = true
    let (_, results) = harness.send(TestRequest(method: .post, body: .text("a")))
    harness.session.open.first?.complete(with: .failure(stale))
    await harness.settleUserCallbacks()
    expectEqual(harness.session.transfers.count, isReached ? 1 : 2)
    expectEqual(harness.session.open.first?.request.needsNewConnection, isReached ? nil : true)
    harness.session.open.first?.complete(with: .failure(stale))
    await harness.settle()
    expectEqual(results.elements.first?.error?.kind, .sessionFailure)
  }

  /// A server ends an idle connection with a 408, which may cross the next request. Any other 408 is a response.
  @Test(arguments: [(HTTPMethod.get, true, true), (.post, true, true), (.get, false, true), (.get, true, false)])
  func endOfAnIdleConnectionIsNoResponse(_ method: HTTPMethod, closes: Bool, isReused: Bool) async throws {
    let isRepeated = method == .get && closes && isReused
    let harness = try SocketHarness(TransportKind.own[0])
    let end = LoopbackServer.Response.text("", status: 408, headers: closes ? ["Connection": "close"] : [:])
    harness.server.route(.get, "/first", .text("ok"))
    harness.server.script(method, "/city", [end, .json(#"{"name": "Bath"}"#)])
    if isReused { expectEqual(await harness.transfer("/first").text, "ok") }
    let request = TestRequest(path: "city", method: method)
    if isRepeated {
      expectEqual(try await harness.service.sendRequest(request), City(name: "Bath"))
    } else {
      let error = await #expect(throws: WebServiceError.self) { try await harness.service.sendRequest(request) as City }
      expectEqual(error?.kind, .statusCode(408))
    }
    expectEqual(harness.server.requests(method, "/city").map(\.connection), isRepeated ? [1, 2] : [1])
  }

  @Test func onlyRequestsThatMayBeRetriedEarnRetries() async {
    for (policy, earns) in [(RetryPolicy.none, false), (.standard, true)] {
      let budget = RetryPolicy.Budget(ratio: 1, burst: 1)
      #expect(budget.withdraw())
      let harness = harness(budget: budget)
      harness.session.script(.get, path, .status(200))
      _ = await harness.result(of: TestRequest(options: RequestOptions { $0.retry = policy }))
      expectEqual(budget.withdraw(), earns)
    }
  }

  @Test func retryBeyondTheDeadlineCostsNothing() async {
    let budget = RetryPolicy.Budget(ratio: 0, burst: 1)
    let policy = RetryPolicy(attemptLimit: 9, backoff: RetryPolicy.Backoff(base: 10))
    let harness = harness(policy, budget: budget, deadline: 5)
    harness.session.script(.get, path, .status(503))
    expectEqual(await harness.result(of: TestRequest()).error?.kind, .statusCode(503))
    #expect(budget.withdraw())
  }
}

extension VirtualHarness where Session == MockURLSession {
  /// Lets the delay before the next attempt pass.
  ///
  /// - Parameter sent: the number of requests that were sent before.
  fileprivate func pass(_ seconds: TimeInterval, after sent: Int) async {
    await session.waitForRequests(sent)
    await clock.waitForTimer(after: seconds)
    clock.advance(by: seconds)
  }
}
