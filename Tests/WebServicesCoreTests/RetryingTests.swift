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
    let rule = RetryPolicy(maximumAttempts: 9) { outcome, attempt in
      asked.append(attempt)
      return (try? outcome.get())?.statusCode == 423 && attempt < 3
    }
    for (method, budget, attempts) in [(HTTPMethod.get, 10.0, 3), (.get, 1, 2), (.post, 10, 1)] {
      let harness = harness(rule, budget: RetryPolicy.Budget(burst: budget))
      harness.session.script(method, path, .response(status: 423))
      async let result = harness.result(of: TestRequest(method: method))
      for sent in 1..<attempts { await harness.pass(0.5 * Double(sent), after: sent) }
      expectEqual(await result.error?.attemptCount, attempts)
    }
    // The rule isn't asked about a request that may not be repeated.
    expectEqual(asked.elements, [1, 2, 3, 1, 2])
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
      let harness = harness(RetryPolicy(maximumAttempts: 2, backoff: RetryPolicy.Backoff(base: 0)))
      harness.session.script(request.method, path, .failure(URLError(.networkConnectionLost)))
      async let result = harness.result(of: request)
      for sent in 1..<count { await harness.pass(0, after: sent) }
      let error = await result.error
      expectEqual(error?.attemptCount, count)
      expectEqual(harness.session.requests.count, count)
    }
  }

  @Test func requestPolicyOverridesConfiguration() async {
    let harness = harness(.standard)
    harness.session.script(.get, path, .response(status: 503))
    let result = await harness.result(of: TestRequest(options: RequestOptions { $0.retry = RetryPolicy.none }))
    expectEqual(result.error?.attemptCount, 1)
  }

  @Test func sharedBudgetEndsRetries() async {
    let harness = harness(budget: RetryPolicy.Budget(burst: 1))
    harness.session.script(.get, path, .response(status: 503))
    async let first = harness.result(of: TestRequest())
    await harness.pass(0.5, after: 1)
    expectEqual(await first.error?.attemptCount, 2)
    for _ in 0..<10 { expectEqual(await harness.result(of: TestRequest()).error?.attemptCount, 1) }
    expectEqual(harness.session.requests.count, 12)
  }

  @Test func delayBeyondTheDeadlineIsSkipped() async {
    let harness = harness(RetryPolicy(maximumAttempts: 9, backoff: RetryPolicy.Backoff(base: 10)), deadline: 5)
    harness.session.script(.get, path, .response(status: 503))
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
