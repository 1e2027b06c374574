import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore
@testable import WebServicesResilience

/// The circuit breaker in a whole service. `CircuitBreakerSessionTests` checks the layer alone.
@Suite(.leavesNothing) struct CircuitBreakingTests {
  private let host = "api.example.com"

  /// A harness whose circuit opens for 7.5 seconds after two failures and closes after one probe.
  private func harness(configure: (inout WebServiceConfiguration) -> Void = { _ in }) -> VirtualHarness<HeldSession> {
    VirtualHarness.held { configuration in
      configuration.layers = [.circuitBreaker(CircuitBreakerPolicy(minimumVolume: 2, openDuration: 5))]
      configure(&configuration)
    }
  }

  private func fail(_ count: Int, on harness: VirtualHarness<HeldSession>) {
    for _ in 0..<count {
      harness.send()
      harness.session.open.first?.respond(500)
    }
  }

  private func state(_ harness: VirtualHarness<HeldSession>) -> CircuitBreaker.State? {
    harness.service.engine.session(of: CircuitBreakerSession.self)?.state(of: host)
  }

  @Test func openCircuitFailsAtOnceWithTheDelay() async throws {
    let harness = harness()
    fail(2, on: harness)
    let (_, results) = harness.send()
    harness.send(host: "other.example.com")
    #expect(harness.session.transfers.count == 3)
    await harness.settle()
    let error = try #require(results.elements.first?.error)
    #expect(error.kind == .circuitOpen)
    let cause = try #require(error.underlying(as: CircuitOpenError.self))
    #expect(cause.host == host)
    #expect(abs(cause.retryAfter - 7.5) < 1e-6)
    harness.session.open.first?.respond()
    await harness.settle()
  }

  @Test(arguments: [true, false])
  func probeDecidesForTheOthers(succeeds: Bool) async {
    let harness = harness()
    fail(2, on: harness)
    harness.clock.advance(by: 7.5)
    harness.send("probe")
    let (_, results) = harness.send("other")
    #expect(harness.session.open.map(\.path) == ["/probe"])
    harness.session.open.first?.respond(succeeds ? 200 : 502)
    let (_, after) = harness.send("after")
    harness.session.open.first?.respond()
    await harness.settle()
    #expect(results.elements.map(\.error?.kind) == [.circuitOpen])
    #expect(after.elements.map(\.error?.kind) == [succeeds ? nil : .circuitOpen])
    #expect((state(harness) == .closed) == succeeds)
  }

  @Test(arguments: ["sent", "queued"])
  func cancelReturnsTheProbeAndIsNotCounted(place: String) async {
    let harness = harness { configuration in
      if place == "queued" {
        configuration.layers.append(.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1)))
      }
    }
    for _ in 0..<10 {
      let (task, _) = harness.send()
      task.cancel()
    }
    #expect(state(harness) == .closed)
    let (holder, _) = harness.send("holder")
    if place == "sent" { holder.cancel() }
    fail(place == "sent" ? 2 : 0, on: harness)
    if place == "queued" {
      // Queued requests hold permits of the circuit too.
      let waiting = (0..<3).map { _ in harness.send("waiting").task }
      waiting.forEach { $0.cancel() }
      holder.cancel()
      fail(2, on: harness)
    }
    harness.clock.advance(by: 7.5)
    for _ in 0..<5 {
      let (probe, results) = harness.send("probe")
      #expect(harness.session.open.count == 1)
      probe.cancel()
      await harness.settle()
      #expect(results.elements.map(\.error?.kind) == [.cancelled])
    }
    let (_, results) = harness.send("last")
    harness.session.open.first?.respond()
    await harness.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    #expect(state(harness) == .closed)
  }

  @Test func queuedRequestMayBecomeTheProbe() async {
    let harness = harness { configuration in
      configuration.layers.append(.limits(RequestLimits(rate: RateLimit(requestsPerSecond: 0.1, burst: 3))))
    }
    harness.send("waits-not")
    fail(2, on: harness)
    harness.session.open.first?.respond()
    #expect(state(harness) != .closed)
    harness.clock.advance(by: 8)
    let (_, results) = harness.send("probe")
    harness.clock.advance(by: 10)
    #expect(harness.session.open.map(\.path) == ["/probe"])
    harness.session.open.first?.respond()
    await harness.settle()
    #expect(results.elements.map(\.error?.kind) == [nil])
    #expect(state(harness) == .closed)
  }

  @Test func timeoutsCountAsFailures() async {
    let harness = harness { $0.timeout = 3 }
    for _ in 0..<2 {
      harness.send()
      harness.clock.advance(by: 3)
    }
    #expect(state(harness) != .closed)
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
    #expect(results.elements.map(\.error?.kind) == [.circuitOpen])
    #expect(harness.session.transfers.count == 2)
  }

  @Test(arguments: TransportKind.own)
  func closedKeptConnectionsAreNoFailures(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind) {
      $0.layers = [.circuitBreaker(CircuitBreakerPolicy(failureRatio: 0.1, minimumVolume: 2))]
    }
    harness.server.route(.get, "/a", .json(#"{"name": "Bath"}"#).thenClosingOnNextRequest())
    for _ in 0..<8 {
      #expect(try await harness.service.sendRequest(TestRequest(path: "a"), as: City.self) == City(name: "Bath"))
    }
  }
}
