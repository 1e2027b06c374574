@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct RetryingTests {
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

  @Test func ownRuleDecidesWithinBudgetAndPromise() async {
    let asked = Collector<Int>()
    let rule = RetryPolicy(attemptLimit: 9) { outcome, attempt in
      asked.append(attempt)
      return (try? outcome.get())?.statusCode == 423 && attempt < 3 ? .retry() : .stop
    }
    for (method, budget, attempts) in [(HTTPMethod.get, 10.0, 3), (.get, 1, 2), (.post, 10, 1)] {
      let harness = harness(rule, budget: RetryPolicy.Budget(burst: budget))
      harness.session.script(method, path, .status(423))
      async let result = harness.result(of: TestRequest(method: method))
      for sent in 1..<attempts { await harness.pass(0.5 * Double(sent), after: sent) }
      expectEqual(await result.error?.attemptCount, attempts)
    }
    expectEqual(asked.elements, [1, 2, 3, 1, 2, 1])
  }

  @Test func ruleChangesTheRequestThatIsRepeated() async {
    let rule = RetryPolicy(attemptLimit: 3) { outcome, _ in
      guard case .success(let response) = outcome, let id = response.headers["Session"] else { return nil }
      return .retry(after: 2, wasNotApplied: true) { $0["Session"] = id }
    }
    let harness = harness(rule)
    for id in ["1", "2"] {
      harness.session.script(.post, path, .status(409, headers: ["Session": id]))
    }
    harness.session.script(.post, path, .json(#"{"name": "Bath"}"#))
    let request = TestRequest(method: .post, headers: ["Other": "a"], body: .json("b"), authorization: .bearer)
    async let result = harness.result(of: request)
    for sent in 1...2 { await harness.pass(2, after: sent) }
    expectEqual(await result.model, City(name: "Bath"))
    let requests = harness.session.requests
    expectEqual(requests.map { $0.value(forHTTPHeaderField: "Session") }, [nil, "1", "2"])
    for name in ["Other", "Authorization", "Content-Type"] {
      #expect(Set(requests.map { $0.value(forHTTPHeaderField: name) }).count == 1)
    }
    expectEqual(requests.map(\.httpBody), Array(repeating: Data(#""b""#.utf8), count: 3))
  }

  @Test func postIsRetriedOnlyIfIdempotent() async {
    let requests: [(TestRequest, Int)] = [
      (TestRequest(method: .post, body: .json("a")), 1),
      (TestRequest(method: .post, body: .json("a"), options: RequestOptions { $0.isIdempotent = true }), 2),
      (TestRequest(method: .post, headers: ["Idempotency-Key": "k-1"], body: .json("a")), 2),
      (TestRequest(method: .put, options: RequestOptions { $0.isIdempotent = false }), 1),
      (TestRequest(method: .put, body: .json("a")), 2),
    ]
    for (request, count) in requests {
      let harness = harness(RetryPolicy(attemptLimit: 2, backoff: RetryPolicy.Backoff(base: 0)))
      harness.session.script(request.method, path, .failure(URLError(.networkConnectionLost)))
      async let result = harness.result(of: request)
      for sent in 1..<count { await harness.pass(0, after: sent) }
      let error = await result.error
      expectEqual(error?.attemptCount, count)
      expectEqual(harness.session.requests.count, count)
    }
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

  @Test func requestPolicyOverridesConfiguration() async {
    let harness = harness(.standard)
    harness.session.script(.get, path, .status(503))
    let result = await harness.result(of: TestRequest(options: RequestOptions { $0.retry = RetryPolicy.none }))
    expectEqual(result.error?.attemptCount, 1)
  }

  @Test func sharedBudgetEndsRetries() async {
    let harness = harness(budget: RetryPolicy.Budget(burst: 1))
    harness.session.script(.get, path, .status(503))
    async let first = harness.result(of: TestRequest())
    await harness.pass(0.5, after: 1)
    expectEqual(await first.error?.attemptCount, 2)
    for _ in 0..<10 { expectEqual(await harness.result(of: TestRequest()).error?.attemptCount, 1) }
    expectEqual(harness.session.requests.count, 12)
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

  @Test func delayBeyondTheDeadlineIsSkipped() async {
    let harness = harness(RetryPolicy(attemptLimit: 9, backoff: RetryPolicy.Backoff(base: 10)), deadline: 5)
    harness.session.script(.get, path, .status(503))
    let error = await harness.result(of: TestRequest()).error
    expectEqual(error?.kind, .statusCode(503))
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
