@testable import WebServicesTestSupport
@testable import WebServicesHTTP
@testable import WebServicesCore
@testable import WebServicesObservability

/// Shared transfers in a whole service. `CoalescingSessionTests` checks the layer alone.
@Suite(.leavesNothing) struct CoalescingTests {
  private func harness(configure: (inout WebServiceConfiguration) -> Void = { _ in }) -> VirtualHarness<HeldSession> {
    VirtualHarness.held(layers: [.coalescing], configure: configure)
  }

  @Test func joinerOutlivesTheOpener() async {
    let harness = harness { $0.timeout = 10 }
    let first = harness.send()
    harness.clock.advance(by: 6)
    let second = harness.send()
    harness.clock.advance(by: 4)
    await harness.settle()
    expectEqual(first.results.elements.map(\.error?.kind), [.timedOut])
    harness.clock.advance(by: 5.9)
    expectEqual(harness.session.open.count, 1)
    harness.session.open.first?.respond()
    await harness.settle()
    expectEqual(second.results.elements.map(\.model), [City(name: "Bath")])
  }

  @Test func sharedFailureIsRetriedTogether() async {
    let harness = harness { $0.retry = .standard }
    let results = (0..<10).map { _ in harness.send().results }
    harness.session.open.first?.respond(503)
    harness.clock.advance(by: 0.5)
    expectEqual(harness.session.transfers.count, 2)
    harness.session.open.first?.respond()
    await harness.settle()
    for result in results { expectEqual(result.elements.map(\.model), [City(name: "Bath")]) }
  }

  @Test func sharedTransferIsCountedOnce() async {
    let metrics = RequestMetrics()
    let harness = harness { $0.monitors = [metrics] }
    for _ in 0..<10 { harness.send() }
    harness.session.open.first?.respond()
    await harness.settle()
    let snapshot = metrics.snapshot()
    expectEqual(snapshot.transfers, 1)
    expectEqual(snapshot.coalesced, 9)
    expectEqual(snapshot.bytesReceived, 16)
    expectEqual(snapshot.successes, 10)
  }

  @Test func virtualHostsShareNoResponse() async {
    let harness = harness { $0.layers.insert(.cache(ResponseCache()), at: 0) }
    let hosts = ["a.example.com", "b.example.com"]
    let results = hosts.map { harness.send(TestRequest(headers: ["Host": $0])).results }
    expectEqual(harness.session.open.count, 2)
    for (transfer, host) in zip(harness.session.open, hosts) {
      transfer.respond(200, ["Cache-Control": "max-age=60"], body: #"{"name": "\#(host)"}"#)
    }
    let again = hosts.map { harness.send(TestRequest(headers: ["Host": $0])).results }
    await harness.settle()
    for results in [results, again] { expectEqual(results.map { $0.elements.first?.model?.name }, hosts) }
    expectEqual(harness.session.transfers.count, 2)
  }
}
