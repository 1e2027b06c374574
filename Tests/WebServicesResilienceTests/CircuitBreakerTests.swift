@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite struct CircuitBreakerTests {
  private static let policy = CircuitBreakerPolicy(failureRatio: 0.5, minimumVolume: 4, window: 10, openDuration: 5)

  /// Sends one request and reports its outcome; `false` if the circuit rejected it.
  private func send(
    _ breaker: inout CircuitBreaker, _ isWorking: Bool?, at now: TimeInterval
  ) -> Bool {
    guard let permit = breaker.admit(now: now) else { return false }
    breaker.record(isWorking, permit: permit, now: now, chance: 0)
    return true
  }

  /// A breaker that opened at time 0.
  private func opened() -> CircuitBreaker {
    var breaker = CircuitBreaker(Self.policy)
    for _ in 0..<4 { _ = send(&breaker, false, at: 0) }
    return breaker
  }

  @Test func circuitOpensAtTheFailureRatio() {
    var breaker = CircuitBreaker(Self.policy)
    for isWorking in [false, false, false, nil, false] {
      expectEqual(breaker.openUntil, nil)
      _ = send(&breaker, isWorking, at: 1)
    }
    expectEqual(breaker.openUntil, 6)
    expectEqual(breaker.admit(now: 2), nil)
  }

  @Test func successOpensNoCircuit() {
    var breaker = CircuitBreaker(Self.policy)
    for isWorking in [false, false, false, true] { _ = send(&breaker, isWorking, at: 1) }
    expectEqual(breaker.openUntil, nil)
    _ = send(&breaker, false, at: 1)
    expectEqual(breaker.openUntil, 6)
  }

  @Test func resultsOutsideTheWindowAreForgotten() {
    var breaker = CircuitBreaker(Self.policy)
    for step in 0..<1000 {
      // No ten seconds contain more than three failures.
      #expect(send(&breaker, false, at: Double(step) * 3.4))
    }
    expectEqual(breaker.openUntil, nil)
    for step in 0..<4 { _ = send(&breaker, false, at: 4000 + Double(step) * 2.5) }
    #expect(breaker.openUntil != nil)
  }

  @Test func circuitClosesAfterASuccessfulProbe() throws {
    var breaker = opened()
    expectEqual(breaker.admit(now: 4.999), nil)
    let permit = breaker.admit(now: 5)
    let probe = try #require(permit)
    expectEqual(breaker.admit(now: 6), nil)
    breaker.record(true, permit: probe, now: 6, chance: 0)
    expectEqual(breaker.openUntil, nil)
    // A circuit that closes begins without earlier failures.
    #expect(send(&breaker, false, at: 6))
    expectEqual(breaker.openUntil, nil)
  }

  @Test func lostProbeIsReplaced() {
    var breaker = opened()
    #expect(send(&breaker, nil, at: 5))
    #expect(send(&breaker, nil, at: 5))
    _ = breaker.admit(now: 5)
    expectEqual(breaker.admit(now: 9), nil)
    #expect(send(&breaker, true, at: 10))
    expectEqual(breaker.openUntil, nil)
  }

  @Test(arguments: [true, false])
  func probeThatTakesLongerThanTheOpenTimeCounts(isWorking: Bool) throws {
    var breaker = opened()
    let first = breaker.admit(now: 5)
    let second = breaker.admit(now: 10)
    let (slow, next) = (try #require(first), try #require(second))
    // A probe that was cancelled changes nothing for the others.
    let third = breaker.admit(now: 15)
    breaker.record(nil, permit: try #require(third), now: 16, chance: 0)
    breaker.record(isWorking, permit: slow, now: 17, chance: 0)
    expectEqual(breaker.openUntil, isWorking ? nil : 22)
    // The other probe is from before the change.
    let former = breaker
    breaker.record(!isWorking, permit: next, now: 18, chance: 0)
    expectEqual(breaker, former)
  }

  @Test func lateResultsAreNoProbeResults() throws {
    var breaker = CircuitBreaker(Self.policy)
    let permit = breaker.admit(now: 0)
    let early = try #require(permit)
    for _ in 0..<4 { _ = send(&breaker, false, at: 0) }
    for now in [1.0, 6] {
      if now > 5 { _ = breaker.admit(now: now) }
      let former = breaker
      for verdict in [true, false, nil] { breaker.record(verdict, permit: early, now: now, chance: 0) }
      expectEqual(breaker, former)
    }
  }

  @Test func verdictsCountOnlyTheHostsFaults() {
    typealias Ending = Result<WebServiceResponse, TransportError>
    func verdict(_ kind: TransportError.Kind) -> Bool? {
      Ending.failure(TransportError(kind, message: "", mayHaveReachedServer: true)).showsWorkingHost
    }
    for code in 100...599 {
      let response = WebServiceResponse(statusCode: code, url: cityURL)
      expectEqual(Ending.success(response).showsWorkingHost, (code < 500))
    }
    let ours: [TransportError.Kind] = [
      .cancelled, .invalidated, .notConnected, .refusedBySession, .invalidRequest, .file, .tooLarge,
    ]
    expectEqual(ours.map(verdict), ours.map { _ in nil })
    let theirs: [TransportError.Kind] = [
      .timedOut(.whole), .nameLookup, .cannotConnect, .tls, .connectionLost, .truncated, .badFraming, .other,
    ]
    expectEqual(theirs.map(verdict), theirs.map { _ in false })
  }

  @Test func numberOutsideItsRangeIsReplacedByTheNearest() {
    func policy(_ number: Double, _ volume: Int) -> CircuitBreakerPolicy {
      CircuitBreakerPolicy(failureRatio: number, minimumVolume: volume, window: number, openDuration: number)
    }
    let least = CircuitBreakerPolicy(failureRatio: 1e-6, minimumVolume: 1, window: 0.001, openDuration: 0.001)
    for number in [-1, 0, .nan] { expectEqual(policy(number, .min).normalized, least) }
    let most = CircuitBreakerPolicy(failureRatio: 1, minimumVolume: .max, window: 86_400, openDuration: 86_400)
    for number in [1e300, .infinity] { expectEqual(policy(number, .max).normalized, most) }
    var breaker = CircuitBreaker(CircuitBreakerPolicy(failureRatio: .nan, minimumVolume: 1))
    _ = send(&breaker, false, at: 0)
    expectEqual(breaker.openUntil, 5)
  }

  @Test func errorSaysWhenTheHostIsProbed() {
    let wait = CircuitBreakerPolicy.OpenError(host: "h", retryAfter: 2.5)
    expectEqual("\(wait)", "h keeps failing, so no request is sent to it for another 2.5 s")
    let probe = CircuitBreakerPolicy.OpenError(host: "h", retryAfter: 0)
    expectEqual("\(probe)", "h keeps failing, and the next request probes it")
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e-300, 1e300] as [Double])
  func invalidNumbersNeverTrap(number: Double) {
    var breaker = CircuitBreaker(
      CircuitBreakerPolicy(failureRatio: number, minimumVolume: -1, window: number, openDuration: number))
    for now in [0, 1, number, 1e18, 1e300] {
      _ = send(&breaker, false, at: now)
      _ = send(&breaker, true, at: now)
    }
    #expect(breaker.openUntil != nil || send(&breaker, true, at: 0))
  }
}
