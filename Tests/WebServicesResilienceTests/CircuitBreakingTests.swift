import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore
@testable import WebServicesResilience

@Suite struct CircuitBreakingTests {
  private let host = "api.example.com"

  /// A bench whose circuit opens for 7.5 seconds after two failures and closes after one probe.
  private func bench(configure: (inout WebServiceConfiguration) -> Void = { _ in }) -> HeldBench {
    HeldBench { configuration in
      configuration.layers = [.circuitBreaker(CircuitBreakerPolicy(minimumVolume: 2, openDuration: 5, probes: 1))]
      configure(&configuration)
    }
  }

  private func fail(_ count: Int, on bench: HeldBench) {
    for _ in 0..<count {
      bench.send()
      bench.session.open.first?.answer(500)
    }
  }

  private func state(_ bench: HeldBench) -> CircuitBreaker.State? {
    bench.service.engine.session(of: CircuitBreakerSession.self)?.breakers.state(of: host)
  }

  @Test func openCircuitFailsAtOnceWithTheDelay() async throws {
    let bench = bench()
    fail(2, on: bench)
    let (_, results) = bench.send()
    bench.send(host: "other.example.com")
    #expect(bench.session.exchanges.count == 3)
    await bench.settle()
    let error = try #require(results.elements.first?.error)
    #expect(error.kind == .circuitOpen)
    let cause = try #require(error.underlying(as: CircuitOpenError.self))
    #expect(cause.host == host)
    #expect(abs(cause.retryAfter - 7.5) < 1e-6)
    bench.session.open.first?.answer()
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test(arguments: [true, false])
  func probeDecidesForTheOthers(succeeds: Bool) async {
    let bench = bench()
    fail(2, on: bench)
    bench.clock.advance(by: 7.5)
    bench.send("probe")
    let (_, results) = bench.send("other")
    #expect(bench.session.open.map(\.path) == ["/probe"])
    bench.session.open.first?.answer(succeeds ? 200 : 502)
    let (_, after) = bench.send("after")
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [.circuitOpen])
    #expect(after.elements.map(\.error?.kind) == [succeeds ? nil : .circuitOpen])
    #expect((state(bench) == .closed) == succeeds)
    bench.expectNothingLeft()
  }

  @Test(arguments: ["sent", "queued"])
  func cancelReturnsTheProbeAndSaysNothing(place: String) async {
    let bench = bench { configuration in
      if place == "queued" {
        configuration.layers.append(.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1)))
      }
    }
    for _ in 0..<10 {
      let (task, _) = bench.send()
      task.cancel()
    }
    #expect(state(bench) == .closed)
    let (holder, _) = bench.send("holder")
    if place == "sent" { holder.cancel() }
    fail(place == "sent" ? 2 : 0, on: bench)
    if place == "queued" {
      // Queued requests hold permits of the circuit too.
      let waiting = (0..<3).map { _ in bench.send("waiting").task }
      waiting.forEach { $0.cancel() }
      holder.cancel()
      fail(2, on: bench)
    }
    bench.clock.advance(by: 7.5)
    for _ in 0..<5 {
      let (probe, results) = bench.send("probe")
      #expect(bench.session.open.count == 1)
      probe.cancel()
      await bench.settle()
      #expect(results.elements.map(\.error?.kind) == [.cancelled])
    }
    let (_, results) = bench.send("last")
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    #expect(state(bench) == .closed)
    bench.expectNothingLeft()
  }

  @Test func queuedRequestIsNotSentAfterOpening() async {
    let bench = bench { $0.layers.append(.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))) }
    let results = (0..<4).map { bench.send("\($0)").results }
    bench.session.open.first?.answer(500)
    bench.session.open.first?.answer(500)
    #expect(bench.session.exchanges.map(\.path) == ["/0", "/1"])
    await bench.settle()
    #expect(results.map { $0.elements.map(\.error?.kind) }.dropFirst(2) == [[.circuitOpen], [.circuitOpen]])
    bench.expectNothingLeft()
  }

  @Test func queuedRequestMayBecomeTheProbe() async {
    let bench = bench { configuration in
      configuration.layers.append(.limits(RequestLimits(rate: RateLimit(requestsPerSecond: 0.1, burst: 3))))
    }
    bench.send("waits-not")
    fail(2, on: bench)
    bench.session.open.first?.answer()
    #expect(state(bench) != .closed)
    bench.clock.advance(by: 8)
    let (_, results) = bench.send("probe")
    bench.clock.advance(by: 10)
    #expect(bench.session.open.map(\.path) == ["/probe"])
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [nil])
    #expect(state(bench) == .closed)
    bench.expectNothingLeft()
  }

  @Test func timeoutsCountAsFailures() async {
    let bench = bench { $0.timeout = 3 }
    for _ in 0..<2 {
      bench.send()
      bench.clock.advance(by: 3)
    }
    #expect(state(bench) != .closed)
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test func openCircuitEndsRetries() async {
    let bench = bench { $0.retry = RetryPolicy(maximumAttempts: 5) }
    let (_, results) = bench.send()
    bench.session.open.first?.answer(503)
    bench.clock.advance(by: 0.5)
    bench.session.open.first?.answer(503)
    bench.clock.advance(by: 1)
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [.circuitOpen])
    #expect(bench.session.exchanges.count == 2)
    bench.expectNothingLeft()
  }

  @Test(arguments: [400, 401, 404, 429])
  func refusedRequestAnd404AreNoFailures(status: Int) async {
    let bench = bench()
    for _ in 0..<10 {
      bench.send()
      bench.session.open.first?.answer(status)
    }
    #expect(state(bench) == .closed)
    await bench.settle()
    bench.expectNothingLeft()
  }
}
