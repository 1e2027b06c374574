import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesResilience

/// The circuit breaker as a layer, without an engine. `CircuitBreakingTests` checks a whole service.
@Suite(.leavesNothing) struct CircuitBreakerSessionTests {
  private let policy = CircuitBreakerPolicy(minimumVolume: 2, openDuration: 5)

  private func fail(_ count: Int, on harness: VirtualHarness<HeldSession>) {
    for _ in 0..<count {
      harness.transfer("fails")
      harness.session.open.last?.respond(500)
    }
  }

  @Test func refusedRequestIsReportedAsUnsentWithReason() {
    let harness = VirtualHarness.held { $0.layers = [.circuitBreaker(policy)] }
    fail(2, on: harness)
    let refused = harness.transfer()
    #expect(refused.notes == ["waiting(breaker)"])
    #expect(refused.outcomes == ["circuitOpen"])
    #expect(refused.error?.mayHaveReachedServer == false)
    #expect(refused.error?.isOfAttempt == false)
    #expect((refused.error?.underlying as? CircuitOpenError)?.host == "api.example.com")
    #expect(harness.session.transfers.count == 2)
  }

  @Test func queuedRequestIsRefusedOnceTheCircuitOpens() {
    let harness = VirtualHarness.held {
      $0.layers = [
        .circuitBreaker(policy), .limits(RequestLimits(maximumConcurrentRequestsPerHost: 1)),
      ]
    }
    let sent = (0..<4).map { harness.transfer("\($0)") }
    harness.session.open.first?.respond(500)
    harness.session.open.first?.respond(500)
    #expect(harness.session.paths == ["/0", "/1"])
    #expect(sent[2].notes == ["waiting(limit)", "waiting(breaker)"])
    #expect(sent.map(\.outcomes) == [["500"], ["500"], ["circuitOpen"], ["circuitOpen"]])
  }

  @Test func cancelledProbeIsReturnedForTheNextRequest() {
    let harness = VirtualHarness.held { $0.layers = [.circuitBreaker(policy)] }
    fail(2, on: harness)
    harness.clock.advance(by: 7.5)
    harness.transfer("probe").task.cancel()
    let refused = harness.transfer("refused", resumes: false)
    refused.observer.mayBeSent.withLock { $0 = false }
    refused.task.resume()
    #expect(refused.outcomes == ["cancelled"])
    let last = harness.transfer("last")
    harness.session.open.last?.respond()
    #expect(last.outcomes == ["200"])
    #expect((harness.layered as? CircuitBreakerSession)?.state(of: "api.example.com") == .closed)
  }

  @Test func timeoutCountsAgainstHostUnlessQueued() {
    let harness = VirtualHarness.held {
      $0.layers = [
        .coalescing, .circuitBreaker(policy), .limits(RequestLimits(maximumConcurrentRequestsPerHost: 2)),
      ]
    }
    let breakers = (harness.layered as? CoalescingSession)?.next as? CircuitBreakerSession
    let requests = (0..<4).map { number in harness.transfer("\(number)") { $0.options.timeout = 3 } }
    harness.clock.advance(by: 3)
    for request in requests.reversed() { request.task.cancel() }
    #expect(harness.session.paths == ["/0", "/1"])
    #expect(breakers?.state(of: "api.example.com") != .closed)
    let others = (0..<2).map { number in harness.transfer("\(number)", host: "other.example.com") }
    others.forEach { $0.task.cancel() }
    #expect(breakers?.state(of: "other.example.com") == .closed)
  }

  @Test(arguments: [false, true])
  func closedKeptConnectionCountsOnlyInTheRepetition(isRepeated: Bool) {
    let harness = VirtualHarness.held { $0.layers = [.circuitBreaker(policy)] }
    var error = TransportError(.connectionLost, message: "", mayHaveReachedServer: true)
    error.isStaleConnection = true
    for _ in 0..<4 {
      harness.transfer { $0.needsNewConnection = isRepeated }
      harness.session.open.last?.fail(error)
    }
    let breakers = harness.layered as? CircuitBreakerSession
    #expect((breakers?.state(of: "api.example.com") == .closed) != isRepeated)
  }

  @Test func cachedResponseIsNotCountedForTheHost() {
    let harness = VirtualHarness.held { $0.layers = [.circuitBreaker(policy), .cache(ResponseCache())] }
    harness.transfer("stored")
    harness.session.open.first?.respond(500, ["Cache-Control": "max-age=60"])
    let again = (0..<5).map { _ in harness.transfer("stored") }
    #expect(again.map(\.outcomes) == Array(repeating: ["500"], count: 5))
    #expect((harness.layered as? CircuitBreakerSession)?.state(of: "api.example.com") == .closed)
  }

  /// A session whose circuits are asked directly.
  private func circuits(_ harness: VirtualHarness<HeldSession>) throws -> CircuitBreakerSession {
    try #require(harness.layered as? CircuitBreakerSession)
  }

  @Test func numberOfHostsIsBounded() throws {
    let circuits = try circuits(VirtualHarness.held { $0.layers = [.circuitBreaker(policy)] })
    func end(_ host: String, _ verdict: CircuitBreaker.Verdict) {
      if case .admitted(let permit) = circuits.admit(host) { circuits.record(verdict, host: host, permit: permit) }
    }
    for _ in 0..<2 { end("bad", .failure) }
    for number in 0..<3000 { end("host \(number)", .success) }
    #expect(circuits.hostCount <= CircuitBreakerSession.hostLimit)
    #expect(circuits.state(of: "bad") != .closed)
    for number in 0..<3000 { for _ in 0..<2 { end("bad \(number)", .failure) } }
    #expect(circuits.hostCount <= CircuitBreakerSession.hostLimit)
  }

  @Test func circuitsAreSharedByThreads() async throws {
    let circuits = try circuits(VirtualHarness.held { $0.layers = [.circuitBreaker(policy)] })
    let admitted = Locked(0)
    await concurrently(2000) { _ in
      guard case .admitted(let permit) = circuits.admit("h") else { return }
      admitted.withLock { $0 += 1 }
      circuits.record(.failure, host: "h", permit: permit)
    }
    // Four threads run at the same time, so each may have had a request in progress at the second failure.
    #expect((2...5).contains(admitted.withLock { $0 }))
    #expect(circuits.state(of: "h") != .closed)
  }
}
