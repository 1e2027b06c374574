import Foundation
import Testing
@testable import WebServicesTestSupport

import WebServices
@testable import WebServicesResilience

@Suite struct CircuitBreakerTests {
  private static let policy = CircuitBreakerPolicy(
    failureRatio: 0.5, minimumVolume: 4, window: 10, openDuration: 5)

  /// Sends one request and reports its outcome; `false` if the circuit rejected it.
  private func send(
    _ breaker: inout CircuitBreaker, _ verdict: CircuitBreaker.Verdict, at now: TimeInterval
  ) -> Bool {
    guard case .admitted(let permit) = breaker.admit(now: now) else { return false }
    breaker.record(verdict, permit: permit, now: now, chance: 0)
    return true
  }

  /// A breaker that opened at time 0.
  private func opened() -> CircuitBreaker {
    var breaker = CircuitBreaker(Self.policy)
    for _ in 0..<4 { _ = send(&breaker, .failure, at: 0) }
    return breaker
  }

  @Test func circuitOpensAtTheFailureRatio() {
    var breaker = CircuitBreaker(Self.policy)
    for verdict in [CircuitBreaker.Verdict.failure, .failure, .failure] { _ = send(&breaker, verdict, at: 1) }
    #expect(breaker.state == .closed)
    _ = send(&breaker, .none, at: 1)
    #expect(breaker.state == .closed)
    _ = send(&breaker, .failure, at: 1)
    #expect(breaker.state == .open(until: 6))
    #expect(breaker.admit(now: 2) == .refused(retryAfter: 4))
  }

  @Test func circuitStaysClosedBelowTheFailureRatio() {
    var breaker = CircuitBreaker(Self.policy)
    for step in 0..<1000 {
      #expect(send(&breaker, step % 5 < 3 ? .success : .failure, at: Double(step) * 0.01))
    }
    #expect(breaker.state == .closed)
  }

  @Test func resultsOutsideTheWindowAreForgotten() {
    var breaker = CircuitBreaker(Self.policy)
    for step in 0..<1000 {
      // No ten seconds contain more than three failures.
      #expect(send(&breaker, .failure, at: Double(step) * 3.4))
    }
    #expect(breaker.state == .closed)
    for step in 0..<4 { _ = send(&breaker, .failure, at: 4000 + Double(step) * 2.5) }
    #expect(breaker.state != .closed)
  }

  @Test func circuitClosesAfterASuccessfulProbe() {
    var breaker = opened()
    #expect(breaker.admit(now: 4.999) != .refused(retryAfter: 0))
    guard case .admitted(let probe) = breaker.admit(now: 5) else {
      Issue.record("no probe was let through")
      return
    }
    #expect(breaker.admit(now: 6) == .refused(retryAfter: 4))
    breaker.record(.success, permit: probe, now: 6, chance: 0)
    #expect(breaker.state == .closed)
    // A circuit that closes begins without earlier failures.
    #expect(send(&breaker, .failure, at: 6))
    #expect(breaker.state == .closed)
  }

  @Test func circuitReopensAfterAFailedProbe() {
    var breaker = opened()
    #expect(send(&breaker, .failure, at: 6))
    #expect(breaker.state == .open(until: 11))
  }

  @Test func lostProbeIsReplaced() {
    var breaker = opened()
    #expect(send(&breaker, .none, at: 5))
    #expect(send(&breaker, .none, at: 5))
    _ = breaker.admit(now: 5)
    #expect(breaker.admit(now: 9) == .refused(retryAfter: 1))
    #expect(send(&breaker, .success, at: 10))
    #expect(breaker.state == .closed)
  }

  @Test func lateResultsAreNoProbeResults() {
    var breaker = CircuitBreaker(Self.policy)
    guard case .admitted(let early) = breaker.admit(now: 0) else { return }
    for _ in 0..<4 { _ = send(&breaker, .failure, at: 0) }
    let open = breaker
    breaker.record(.success, permit: early, now: 1, chance: 0)
    #expect(breaker == open)
    _ = breaker.admit(now: 5)
    let probing = breaker
    for verdict in [CircuitBreaker.Verdict.success, .failure, .none] {
      breaker.record(verdict, permit: early, now: 6, chance: 0)
      #expect(breaker == probing)
    }
  }

  @Test func openTimeIsRandomized() {
    for (number, end) in [(0.0, 5.0), (0.5, 6.25), (1.0, 7.5)] {
      var breaker = CircuitBreaker(Self.policy)
      for _ in 0..<4 {
        guard case .admitted(let permit) = breaker.admit(now: 0) else { return }
        breaker.record(.failure, permit: permit, now: 0, chance: number)
      }
      #expect(breaker.state == .open(until: end))
    }
  }

  @Test func verdictsCountOnlyTheHostsFaults() {
    func verdict(_ kind: TransportError.Kind) -> CircuitBreaker.Verdict {
      CircuitBreaker.Verdict(.failure(TransportError(kind, message: "", mayHaveReachedServer: true)))
    }
    for code in 100...599 {
      let response = WebServiceResponse(statusCode: code, url: cityURL)
      #expect(CircuitBreaker.Verdict(.success(response)) == (code < 500 ? .success : .failure))
    }
    for kind in [TransportError.Kind.cancelled, .invalidated, .notConnected, .invalidRequest, .file, .tooLarge] {
      #expect(verdict(kind) == .none)
    }
    for kind in [
      TransportError.Kind.timedOut(.whole), .nameLookup, .cannotConnect, .tls, .connectionLost, .truncated, .badFraming,
      .other,
    ] {
      #expect(verdict(kind) == .failure)
    }
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e-300, 1e300] as [Double])
  func invalidNumbersNeverTrap(number: Double) {
    var breaker = CircuitBreaker(
      CircuitBreakerPolicy(
        failureRatio: number, minimumVolume: -1, window: number, openDuration: number))
    for now in [0, 1, number, 1e18, 1e300] {
      _ = send(&breaker, .failure, at: now)
      _ = send(&breaker, .success, at: now)
    }
    #expect(breaker.state != .closed || send(&breaker, .success, at: 0))
  }

  @Test func probesNeverExceedTheirNumber() {
    for seed in 0..<50 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var breaker = CircuitBreaker(Self.policy)
      var outstanding: [CircuitBreaker.Permit] = []
      var probes = 0
      var now = 0.0
      for _ in 0..<2000 {
        now += Double.random(in: 0...0.3, using: &generator)
        if breaker.state == .closed { probes = 0 }
        if outstanding.isEmpty || Bool.random(using: &generator) {
          if case .admitted(let permit) = breaker.admit(now: now) {
            outstanding.append(permit)
            if breaker.state != .closed { probes += 1 }
          }
        } else {
          let permit = outstanding.remove(at: Int.random(in: 0..<outstanding.count, using: &generator))
          let verdict = [CircuitBreaker.Verdict.success, .failure].randomElement(using: &generator) ?? .none
          breaker.record(verdict, permit: permit, now: now, chance: 0)
        }
        if case .open(let end) = breaker.state { #expect(end <= now + 7.5) }
        // One probe, and one more for each 5 seconds without an outcome.
        #expect(probes <= 1 + Int(now / 5))
      }
    }
  }
}
