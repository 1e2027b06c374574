import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesResilience

@Suite struct CircuitBreakerSessionTests {
  private let policy = CircuitBreakerPolicy(minimumVolume: 2, openDuration: 5, probes: 1)

  private func fail(_ count: Int, on bench: LayerBench) {
    for _ in 0..<count {
      bench.send("fails")
      bench.session.open.last?.answer(500)
    }
  }

  @Test func refusedRequestIsReportedAsUnsentWithReason() {
    let bench = LayerBench([.circuitBreaker(policy)])
    fail(2, on: bench)
    let refused = bench.send()
    #expect(refused.notes == ["waiting(breaker)"])
    #expect(refused.ends == ["circuitOpen"])
    #expect(refused.error?.mayHaveReachedServer == false)
    #expect(refused.error?.isOfAttempt == false)
    #expect((refused.error?.underlying as? CircuitOpenError)?.host == "api.example.com")
    #expect(bench.session.transfers.count == 2)
  }

  @Test func asksAgainBehindQueue() {
    let bench = LayerBench([
      .circuitBreaker(policy), .limits(RequestLimits(maximumConcurrentRequestsPerHost: 1)),
    ])
    let sent = (0..<4).map { bench.send("\($0)") }
    bench.session.open.first?.answer(500)
    bench.session.open.first?.answer(500)
    #expect(bench.session.paths == ["/0", "/1"])
    #expect(sent[2].notes == ["waiting(limit)", "waiting(breaker)"])
    #expect(sent.map(\.ends) == [["500"], ["500"], ["circuitOpen"], ["circuitOpen"]])
  }

  @Test func probeIsGivenBack() {
    let bench = LayerBench([.circuitBreaker(policy)])
    fail(2, on: bench)
    bench.clock.advance(by: 7.5)
    bench.send("probe").task.cancel()
    let refused = bench.send("refused", resumes: false)
    refused.observer.mayBeSent.withLock { $0 = false }
    refused.task.resume()
    #expect(refused.ends == ["cancelled"])
    let last = bench.send("last")
    bench.session.open.last?.answer()
    #expect(last.ends == ["200"])
    #expect((bench.layered as? CircuitBreakerSession)?.breakers.state(of: "api.example.com") == .closed)
  }

  @Test func timeoutCountsAgainstHostUnlessQueued() {
    let bench = LayerBench([
      .coalescing, .circuitBreaker(policy), .limits(RequestLimits(maximumConcurrentRequestsPerHost: 2)),
    ])
    let breakers = (bench.layered as? CoalescingSession)?.next as? CircuitBreakerSession
    let requests = (0..<4).map { number in bench.send("\(number)") { $0.timeouts.whole = 3 } }
    bench.clock.advance(by: 3)
    for request in requests.reversed() { request.task.cancel() }
    #expect(bench.session.paths == ["/0", "/1"])
    #expect(breakers?.breakers.state(of: "api.example.com") != .closed)
    let others = (0..<2).map { number in bench.send("\(number)", host: "other.example.com") }
    others.forEach { $0.task.cancel() }
    #expect(breakers?.breakers.state(of: "other.example.com") == .closed)
  }

  @Test func cachedResponseSaysNothingAboutTheHost() {
    let bench = LayerBench([.circuitBreaker(policy), .cache(ResponseCache())])
    bench.send("stored")
    bench.session.open.first?.answer(500, ["Cache-Control": "max-age=60"])
    let again = (0..<5).map { _ in bench.send("stored") }
    #expect(again.map(\.ends) == Array(repeating: ["500"], count: 5))
    #expect((bench.layered as? CircuitBreakerSession)?.breakers.state(of: "api.example.com") == .closed)
  }
}
