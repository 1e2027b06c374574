@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesResilience

/// The circuit breaker in a whole service. `CircuitBreakerSessionTests` checks the layer alone.
@Suite(.leavesNothing) struct CircuitBreakingTests {
  private let host = "api.example.com"

  /// A harness whose circuit opens for 7.5 seconds after two failures and closes after one probe.
  private func harness(configure: (inout WebServiceConfiguration) -> Void = { _ in }) -> VirtualHarness<HeldSession> {
    let breaker = CircuitBreakerPolicy(minimumVolume: 2, openDuration: 5)
    return VirtualHarness.held(layers: [.circuitBreaker(breaker)], configure: configure)
  }

  private func fail(_ count: Int, on harness: VirtualHarness<HeldSession>) {
    for _ in 0..<count {
      harness.send()
      harness.session.open.first?.respond(500)
    }
  }

  @Test func openCircuitFailsAtOnceWithTheDelay() async throws {
    let harness = harness()
    fail(2, on: harness)
    let (_, results) = harness.send()
    harness.send(host: "other.example.com")
    expectEqual(harness.session.transfers.count, 3)
    await harness.settle()
    let error = try #require(results.elements.first?.error)
    expectEqual(error.kind, .circuitOpen)
    let cause = try #require(error.underlying(as: CircuitBreakerPolicy.OpenError.self))
    expectEqual(cause.host, host)
    #expect(abs(cause.retryAfter - 7.5) < 1e-6)
    harness.session.open.first?.respond()
    await harness.settle()
  }

  @Test func openCircuitEndsRetries() async {
    let harness = harness { $0.retry = RetryPolicy(maximumAttempts: 5) }
    let (_, results) = harness.send()
    harness.session.open.first?.respond(503)
    harness.clock.advance(by: 0.5)
    harness.session.open.first?.respond(503)
    harness.clock.advance(by: 1)
    await harness.settle()
    expectEqual(results.elements.map(\.error?.kind), [.circuitOpen])
    expectEqual(harness.session.transfers.count, 2)
  }
}
