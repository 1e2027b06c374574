import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

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

  @Test func lastAttemptsResponseIsDelivered() async throws {
    let harness = harness()
    harness.session.script(.get, path, .response(status: 503))
    harness.session.script(.get, path, .failure(URLError(.networkConnectionLost)))
    harness.session.script(.get, path, .json(#"{"name": "Bath"}"#))
    async let result = harness.result(of: TestRequest())
    // Random delays have their maximum here: half a second, then a second.
    for (sent, seconds) in [(1, 0.5), (2, 1.0)] {
      await harness.session.waitForRequests(sent)
      await harness.clock.waitForTimer(after: seconds)
      harness.clock.advance(by: seconds - 0.01)
      #expect(harness.session.requests.count == sent)
      harness.clock.advance(by: 0.01)
    }
    #expect(await result.model == City(name: "Bath"))
    #expect(harness.session.requests.count == 3)
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
      for sent in 1..<attempts {
        await harness.session.waitForRequests(sent)
        await harness.clock.waitForTimer(after: 0.5 * Double(sent))
        harness.clock.advance(by: 0.5 * Double(sent))
      }
      #expect(await result.error?.attemptCount == attempts)
    }
    // The rule isn't asked about a request that may not be repeated.
    #expect(asked.elements == [1, 2, 3, 1, 2])
  }

  @Test func freshBudgetAllowsThreeAttempts() async {
    let harness = harness(budget: RetryPolicy.Budget())
    harness.session.script(.get, path, .response(status: 503))
    async let result = harness.result(of: TestRequest())
    for (sent, seconds) in [(1, 0.5), (2, 1.0)] {
      await harness.session.waitForRequests(sent)
      await harness.clock.waitForTimer(after: seconds)
      harness.clock.advance(by: seconds)
    }
    #expect(await result.error?.attemptCount == 3)
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
      for sent in 1...count {
        await harness.session.waitForRequests(sent)
        if sent < count {
          await harness.clock.waitForTimer(after: 0)
          harness.clock.advance(by: 0)
        }
      }
      let error = await result.error
      #expect(error?.attemptCount == count)
      #expect(harness.session.requests.count == count)
    }
  }

  @Test func retryAfterHeaderDelaysNextAttempt() async {
    let harness = harness(RetryPolicy(maximumAttempts: 2, backoff: RetryPolicy.Backoff(base: 0)))
    harness.session.script(.get, path, .response(status: 429, headers: ["Retry-After": "7"]))
    harness.session.script(.get, path, .json(#"{"name": "Bath"}"#))
    async let result = harness.result(of: TestRequest())
    await harness.session.waitForRequests(1)
    // The policy adds a tenth, so that not all clients come back at the same time.
    await harness.clock.waitForTimer(after: 7.7)
    harness.clock.advance(by: 7.69)
    #expect(harness.session.requests.count == 1)
    harness.clock.advance(by: 0.02)
    #expect(await result.model == City(name: "Bath"))
  }

  @Test func requestPolicyOverridesConfiguration() async {
    let harness = harness(.standard)
    harness.session.script(.get, path, .response(status: 503))
    let result = await harness.result(of: TestRequest(options: RequestOptions { $0.retry = RetryPolicy.none }))
    #expect(result.error?.attemptCount == 1)
  }

  @Test func sharedBudgetEndsRetries() async {
    let harness = harness(budget: RetryPolicy.Budget(burst: 1))
    harness.session.script(.get, path, .response(status: 503))
    async let first = harness.result(of: TestRequest())
    await harness.session.waitForRequests(1)
    await harness.clock.waitForTimer(after: 0.5)
    harness.clock.advance(by: 0.5)
    #expect(await first.error?.attemptCount == 2)
    for _ in 0..<10 { #expect(await harness.result(of: TestRequest()).error?.attemptCount == 1) }
    #expect(harness.session.requests.count == 12)
  }

  @Test func deadlineDuringDelayNamesTheCause() async {
    let harness = harness(
      RetryPolicy(maximumAttempts: 9, backoff: RetryPolicy.Backoff(base: 3, factor: 1)), deadline: 5)
    harness.session.script(.get, path, .response(status: 503, headers: ["X-Cause": "real"]))
    harness.session.script(.get, path, .never)
    async let result = harness.result(of: TestRequest())
    await harness.session.waitForRequests(1)
    await harness.clock.waitForTimer(after: 3)
    harness.clock.advance(by: 3)
    await harness.session.waitForRequests(2)
    harness.clock.advance(by: 2)
    let error = await result.error
    #expect(error?.kind == .timedOut)
    #expect(error?.message.contains("statusCode(503)") == true)
    #expect(error?.response?.headers["X-Cause"] == "real")
    #expect(error?.attemptCount == 2)
    await harness.session.waitUntilIdle()
  }

  @Test func delayBeyondTheDeadlineIsSkipped() async {
    let harness = harness(RetryPolicy(maximumAttempts: 9, backoff: RetryPolicy.Backoff(base: 10)), deadline: 5)
    harness.session.script(.get, path, .response(status: 503))
    let error = await harness.result(of: TestRequest()).error
    #expect(error?.kind == .statusCode(503))
  }

  @Test
  @MainActor
  func cancelDuringDelayEndsTheRequest() async {
    let harness = harness()
    harness.session.script(.get, path, .response(status: 503))
    let results = Collector<WebServiceResult<City>>()
    let task = harness.service.sendRequest(TestRequest(), callbackQueue: .global()) { results.append($0) }
    await harness.session.waitForRequests(1)
    await harness.clock.waitForTimer(after: 0.5)
    task.cancel()
    await results.waitForElements(1)
    #expect(results.elements.first?.error?.kind == .cancelled)
    harness.clock.advance(by: 10)
    #expect(harness.session.requests.count == 1)
  }
}
