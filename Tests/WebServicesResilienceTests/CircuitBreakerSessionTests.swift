@testable import WebServicesTestSupport
@testable import WebServicesResilience

/// The circuit breaker as a layer, and the error of a whole service.
@Suite(.leavesNothing) struct CircuitBreakerSessionTests {
  private let policy = CircuitBreakerPolicy(minimumVolume: 2, openDuration: 5)

  private func fail(_ count: Int, on harness: VirtualHarness<HeldSession>) {
    for _ in 0..<count {
      harness.transfer("fails")
      harness.session.open.last?.respond(500)
    }
  }

  /// A harness with the breaker behind other layers.
  private func harness(behind first: [any SessionLayer] = [], before last: [any SessionLayer] = [])
    -> VirtualHarness<HeldSession>
  {
    VirtualHarness.held { $0.layers = first + [.circuitBreaker(policy)] + last }
  }

  private func isClosed(_ harness: VirtualHarness<HeldSession>, _ host: String = "api.example.com") -> Bool {
    let next = (harness.layered as? CoalescingSession)?.next
    let session = (next ?? harness.layered) as? CircuitBreakerSession
    return session?.circuits.withLock { $0[host]?.openUntil } == nil
  }

  @Test func openCircuitFailsAtOnceWithTheDelay() async throws {
    let harness = harness()
    fail(2, on: harness)
    let (_, results) = harness.send()
    harness.send(host: "other.example.com")
    expectEqual(harness.session.transfers.count, 3)
    harness.session.open.first?.respond()
    await harness.settle()
    let error = try #require(results.elements.first?.error)
    expectEqual(error.kind, .circuitOpen)
    let cause = try #require(error.underlying(as: CircuitBreakerPolicy.OpenError.self))
    expectEqual(cause.host, "api.example.com")
    #expect(abs(cause.retryAfter - 7.5) < 1e-6)
  }

  @Test func openCircuitRefusesAllButTheRequestsThatOthersWaitFor() {
    // A refused request doesn't wait for a permit first.
    let harness = harness(before: [.limits(RequestLimits(rate: .init(requestsPerSecond: 0.1, burst: 2)))])
    fail(2, on: harness)
    expectEqual(harness.transfer("refused").notes, ["waiting(breaker)"])
    harness.transfer("renewal") { $0.options.bypassesLimits = true }
    expectEqual(harness.session.paths, ["/fails", "/fails", "/renewal"])
    harness.session.respondToAll()
  }

  @Test func responseThroughTheBreakerSetsCookies() {
    let jar = CookieJar()
    let harness = harness(behind: [.cookies(jar)])
    harness.transfer()
    harness.session.open.first?.respond(200, ["Set-Cookie": "a=b"])
    expectEqual(jar.count, 1)
  }

  @Test func queuedRequestIsRefusedOnceTheCircuitOpens() {
    let harness = harness(before: [.limits(RequestLimits(concurrentRequestsPerHost: 1))])
    let sent = (0..<4).map { harness.transfer("\($0)") }
    harness.session.open.first?.respond(500)
    harness.session.open.first?.respond(500)
    expectEqual(harness.session.paths, ["/0", "/1"])
    expectEqual(sent[2].notes, ["waiting(limit)", "waiting(breaker)"])
    expectEqual(sent.map(\.outcomes), [["500"], ["500"], ["refusedBySession"], ["refusedBySession"]])
  }

  @Test func queuedRequestTakesNoProbe() {
    let harness = harness(before: [.limits(RequestLimits(rate: .init(requestsPerSecond: 0.1, burst: 2)))])
    fail(2, on: harness)
    harness.clock.advance(by: 8)
    let queued = harness.transfer("queued") { $0.options.priority = .low }
    let probe = harness.transfer("probe") { $0.options.priority = .high }
    for _ in 0..<2 {
      harness.clock.advance(by: 10)
      harness.session.open.first?.respond()
    }
    expectEqual(harness.session.paths, ["/fails", "/fails", "/probe", "/queued"])
    expectEqual([probe, queued].map(\.outcomes), [["200"], ["200"]])
  }

  @Test func cancelledProbeIsReturnedForTheNextRequest() {
    let harness = harness()
    fail(2, on: harness)
    harness.clock.advance(by: 7.5)
    harness.transfer("probe").task.cancel()
    let refused = harness.transfer("refused", resumes: false)
    refused.observer.mayBeSent.withLock { $0 = false }
    refused.task.resume()
    expectEqual(refused.outcomes, ["cancelled"])
    let last = harness.transfer("last")
    harness.session.open.last?.respond()
    expectEqual(last.outcomes, ["200"])
    #expect(isClosed(harness))
  }

  @Test func timeoutCountsAgainstHostUnlessQueued() {
    let harness = harness(behind: [.coalescing], before: [.limits(RequestLimits(concurrentRequestsPerHost: 2))])
    let requests = (0..<4).map { harness.transfer("\($0)") }
    for request in requests[2...] { request.timeOut() }
    #expect(isClosed(harness))
    for request in requests[..<2] { request.timeOut() }
    expectEqual(harness.session.paths, ["/0", "/1"])
    #expect(!isClosed(harness))
  }

  @Test(arguments: [false, true])
  func lastCallerOfASharedTransferSaysWhyItEnds(isTimeout: Bool) {
    let harness = harness(behind: [.coalescing])
    for _ in 0..<2 {
      let callers = (0..<2).map { _ in harness.transfer() }
      isTimeout ? callers[0].task.cancel() : callers[0].timeOut()
      isTimeout ? callers[1].timeOut() : callers[1].task.cancel()
    }
    #expect(isClosed(harness) != isTimeout)
  }

  @Test func sharedTransferCountsOnce() {
    let harness = harness(before: [.coalescing])
    let callers = (0..<2).map { _ in harness.transfer() }
    harness.session.open.last?.respond(500)
    expectEqual(callers.map(\.outcomes), [["500"], ["500"]])
    #expect(isClosed(harness))
    fail(1, on: harness)
    #expect(!isClosed(harness))
  }

  @Test func requestThatLeavesASharedTransferCountsByItsOwnEnd() {
    let harness = harness(before: [.coalescing])
    for _ in 0..<2 {
      let callers = (0..<2).map { _ in harness.transfer() }
      callers[0].timeOut()
      callers[1].task.cancel()
    }
    #expect(!isClosed(harness))
  }

  @Test(arguments: [false, true])
  func timeLimitBehindARedirectCountsForTheHostThatWasSilent(isDeadline: Bool) async {
    let harness = harness()
    for _ in 0..<2 { harness.send(options: RequestOptions { isDeadline ? ($0.deadline = 10) : ($0.timeout = 10) }) }
    harness.clock.advance(by: 6)
    harness.session.open.forEach { $0.respond(302, ["Location": "https://silent.example.com/"]) }
    harness.clock.advance(by: 4)
    let (_, results) = harness.send(host: "silent.example.com")
    await harness.settle()
    expectEqual(results.elements.map(\.error?.kind), [.circuitOpen])
    #expect(isClosed(harness))
  }

  @Test func cancelOfARetryDoesNotHideTheTimeoutBeforeIt() async {
    let harness = VirtualHarness.held(layers: [.circuitBreaker(policy)]) { $0.retry = .standard }
    for _ in 0..<2 {
      let (task, _) = harness.send(options: RequestOptions(timeout: 3))
      for pause in [3.0, 1] { harness.clock.advance(by: pause) }
      task.cancel()
    }
    let (_, results) = harness.send()
    await harness.settle()
    expectEqual(results.elements.map(\.error?.kind), [.circuitOpen])
  }

  @Test(arguments: [false, true])
  func closedKeptConnectionCountsOnlyInTheRepetition(isRepeated: Bool) {
    let harness = harness()
    var error = TransportError(.connectionLost, message: "", mayHaveReachedServer: true)
    error.isStaleConnection = true
    for _ in 0..<4 {
      harness.transfer { $0.needsNewConnection = isRepeated }
      harness.session.open.last?.fail(error)
    }
    #expect(isClosed(harness) != isRepeated)
  }

  @Test func cachedResponseIsNotCountedForTheHost() {
    let harness = harness(before: [.cache(ResponseCache())])
    harness.transfer("stored")
    harness.session.open.first?.respond(500, ["Cache-Control": "max-age=60"])
    let again = (0..<5).map { _ in harness.transfer("stored") }
    expectEqual(again.map(\.outcomes), Array(repeating: ["500"], count: 5))
    #expect(isClosed(harness))
  }

  @Test func staleResponseHidesNoFailureOfTheHost() {
    let harness = harness(before: [.cache(ResponseCache(staleIfError: 60))])
    harness.transfer("stored")
    harness.session.open.first?.respond(200, ["Cache-Control": "max-age=0"])
    let stale = harness.transfer("stored")
    harness.session.open.first?.respond(503)
    expectEqual(stale.outcomes, ["200"])
    #expect(!isClosed(harness))
  }

  @Test func numberOfHostsIsBounded() throws {
    let harness = harness()
    let session = try #require(harness.layered as? CircuitBreakerSession)
    func end(_ host: String, _ isWorking: Bool) {
      if let permit = session.admit(host).permit { session.record(isWorking, host: host, permit: permit) }
    }
    for number in 0..<2 {
      end("bad", false)
      end("good \(number)", true)
    }
    // A known host needs no room, and the table is full.
    for number in 0..<CircuitBreakerSession.hostLimit - 3 { end("host \(number)", number > 0) }
    end("host 0", false)
    #expect(!isClosed(harness, "host 0"))
    for number in 0..<3000 { end("host \(number)", true) }
    #expect(session.circuits.withLock { $0.count } <= CircuitBreakerSession.hostLimit)
    #expect(!isClosed(harness, "bad"))
    for number in 0..<3000 { for _ in 0..<2 { end("bad \(number)", false) } }
    #expect(session.circuits.withLock { $0.count } <= CircuitBreakerSession.hostLimit)
  }
}
