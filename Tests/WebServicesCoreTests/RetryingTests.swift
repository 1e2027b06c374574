import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

@Suite struct RetryingTests {
  private let path = "/cities"

  /// A bench with this retry policy.
  private func bench(
    _ policy: RetryPolicy = .standard, budget: RetryBudget.Policy = .unlimited, deadline: TimeInterval? = nil
  ) -> Bench {
    Bench { configuration in
      configuration.retry = policy
      configuration.retryBudget = RetryBudget(budget)
      configuration.deadline = deadline
      configuration.random = .fixed(1)
      configuration.timeout = 1000
    }
  }

  @Test func lastAttemptsResponseCounts() async throws {
    let bench = bench()
    bench.session.script(.get, path, .response(status: 503))
    bench.session.script(.get, path, .failure(URLError(.networkConnectionLost)))
    bench.session.script(.get, path, .json(#"{"name": "Bath"}"#))
    async let result = bench.result(of: TestRequest())
    // Random delays have their maximum here: half a second, then a second.
    for (sent, seconds) in [(1, 0.5), (2, 1.0)] {
      await bench.session.waitForRequests(sent)
      await bench.clock.waitForTimer(after: seconds)
      bench.clock.advance(by: seconds - 0.01)
      #expect(bench.session.requests.count == sent)
      bench.clock.advance(by: 0.01)
    }
    #expect(await result.model == City(name: "Bath"))
    #expect(bench.session.requests.count == 3)
    bench.expectNothingLeft()
  }

  @Test func threeAttemptsOnFreshService() async {
    let bench = bench(budget: .standard)
    bench.session.script(.get, path, .response(status: 503))
    async let result = bench.result(of: TestRequest())
    for (sent, seconds) in [(1, 0.5), (2, 1.0)] {
      await bench.session.waitForRequests(sent)
      await bench.clock.waitForTimer(after: seconds)
      bench.clock.advance(by: seconds)
    }
    #expect(await result.error?.attemptCount == 3)
    bench.expectNothingLeft()
  }

  @Test func lastFailureHasTheNumberOfAttempts() async {
    let bench = bench(RetryPolicy(maximumAttempts: 2))
    bench.session.script(.get, path, .json(#"{"detail": "busy"}"#, status: 503))
    async let result = bench.result(of: TestRequest())
    await bench.session.waitForRequests(1)
    await bench.clock.waitForTimer(after: 0.5)
    bench.clock.advance(by: 0.5)
    let error = await result.error
    #expect(error?.kind == .statusCode(503))
    #expect(error?.attemptCount == 2)
    #expect(error?.response?.body == Data(#"{"detail": "busy"}"#.utf8))
    bench.expectNothingLeft()
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
      let bench = bench(RetryPolicy(maximumAttempts: 2, backoff: Backoff(base: 0)))
      bench.session.script(request.method, path, .failure(URLError(.networkConnectionLost)))
      async let result = bench.result(of: request)
      for sent in 1...count {
        await bench.session.waitForRequests(sent)
        if sent < count {
          await bench.clock.waitForTimer(after: 0)
          bench.clock.advance(by: 0)
        }
      }
      let error = await result.error
      #expect(error?.attemptCount == count)
      #expect(bench.session.requests.count == count)
      bench.expectNothingLeft()
    }
  }

  @Test func retryAfterHeaderDelaysNextAttempt() async {
    let bench = bench(RetryPolicy(maximumAttempts: 2, backoff: Backoff(base: 0)))
    bench.session.script(.get, path, .response(status: 429, headers: ["Retry-After": "7"]))
    bench.session.script(.get, path, .json(#"{"name": "Bath"}"#))
    async let result = bench.result(of: TestRequest())
    await bench.session.waitForRequests(1)
    // The policy adds a tenth, so that not all clients come back at the same time.
    await bench.clock.waitForTimer(after: 7.7)
    bench.clock.advance(by: 7.69)
    #expect(bench.session.requests.count == 1)
    bench.clock.advance(by: 0.02)
    #expect(await result.model == City(name: "Bath"))
    bench.expectNothingLeft()
  }

  @Test func requestPolicyOverridesConfiguration() async {
    let bench = bench(.standard)
    bench.session.script(.get, path, .response(status: 503))
    let result = await bench.result(of: TestRequest(options: RequestOptions { $0.retry = RetryPolicy.none }))
    #expect(result.error?.attemptCount == 1)
    bench.expectNothingLeft()
  }

  @Test func sharedBudgetEndsRetries() async {
    let bench = bench(budget: RetryBudget.Policy(ratio: 0.1, burst: 1, window: 1))
    bench.session.script(.get, path, .response(status: 503))
    async let first = bench.result(of: TestRequest())
    await bench.session.waitForRequests(1)
    await bench.clock.waitForTimer(after: 0.5)
    bench.clock.advance(by: 0.5)
    #expect(await first.error?.attemptCount == 2)
    for _ in 0..<10 { #expect(await bench.result(of: TestRequest()).error?.attemptCount == 1) }
    #expect(bench.session.requests.count == 12)
    bench.expectNothingLeft()
  }

  @Test func deadlineDuringDelayNamesTheCause() async {
    let bench = bench(RetryPolicy(maximumAttempts: 9, backoff: Backoff(base: 3, factor: 1)), deadline: 5)
    bench.session.script(.get, path, .response(status: 503, headers: ["X-Cause": "real"]))
    bench.session.script(.get, path, .never)
    async let result = bench.result(of: TestRequest())
    await bench.session.waitForRequests(1)
    await bench.clock.waitForTimer(after: 3)
    bench.clock.advance(by: 3)
    await bench.session.waitForRequests(2)
    bench.clock.advance(by: 2)
    let error = await result.error
    #expect(error?.kind == .timedOut)
    #expect(error?.message.contains("statusCode(503)") == true)
    #expect(error?.response?.headers["X-Cause"] == "real")
    #expect(error?.attemptCount == 2)
    await bench.session.waitUntilIdle()
    bench.expectNothingLeft()
  }

  @Test func delayBeyondTheDeadlineIsSkipped() async {
    let bench = bench(RetryPolicy(maximumAttempts: 9, backoff: Backoff(base: 10)), deadline: 5)
    bench.session.script(.get, path, .response(status: 503))
    let error = await bench.result(of: TestRequest()).error
    #expect(error?.kind == .statusCode(503))
    bench.expectNothingLeft()
  }

  @Test
  @MainActor
  func cancelDuringDelayEndsTheRequest() async {
    let bench = bench()
    bench.session.script(.get, path, .response(status: 503))
    let results = Collector<WebServiceResult<City>>()
    let task = bench.service.sendRequest(TestRequest(), callbackQueue: .global()) { results.append($0) }
    await bench.session.waitForRequests(1)
    await bench.clock.waitForTimer(after: 0.5)
    task.cancel()
    await results.waitForElements(1)
    #expect(results.elements.first?.error?.kind == .cancelled)
    bench.clock.advance(by: 10)
    #expect(bench.session.requests.count == 1)
    bench.expectNothingLeft()
  }
}
