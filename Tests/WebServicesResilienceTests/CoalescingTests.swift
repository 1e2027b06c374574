import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore
@testable import WebServicesObservability

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Shared transfers in a whole service. `CoalescingSessionTests` checks the layer alone.
@Suite(.leavesNothing) struct CoalescingTests {
  private func harness(
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(),
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> VirtualHarness<HeldSession> {
    VirtualHarness.held(tokenManager: tokenManager) { configuration in
      configuration.layers = [.coalescing]
      configure(&configuration)
    }
  }

  @Test func hundredEqualRequestsShareOneTransfer() async {
    let harness = harness()
    let results = (0..<100).map { _ in harness.send("a", authorization: .bearer).results }
    harness.send("b").task.cancel()
    #expect(harness.session.transfers.map(\.path) == ["/a", "/b"])
    harness.session.open.first?.respond()
    await harness.settle()
    for result in results { #expect(result.elements.map(\.model) == [City(name: "Bath")]) }
    harness.send("a", authorization: .bearer)
    #expect(harness.session.open.count == 1)
    harness.session.open.first?.respond()
    await harness.settle()
  }

  @Test func virtualHostsShareNoResponse() async {
    let harness = harness { $0.layers.insert(.cache(ResponseCache()), at: 0) }
    let hosts = ["a.example.com", "b.example.com"]
    let results = hosts.map { harness.send(TestRequest(headers: ["Host": $0])).results }
    #expect(harness.session.open.count == 2)
    for (transfer, host) in zip(harness.session.open, hosts) {
      transfer.respond(200, ["Cache-Control": "max-age=60"], body: #"{"name": "\#(host)"}"#)
    }
    let again = hosts.map { harness.send(TestRequest(headers: ["Host": $0])).results }
    await harness.settle()
    for results in [results, again] { #expect(results.map { $0.elements.first?.model?.name } == hosts) }
    #expect(harness.session.transfers.count == 2)
  }

  @Test func joinerOutlivesTheOpener() async {
    let harness = harness { $0.timeout = 10 }
    let first = harness.send()
    harness.clock.advance(by: 6)
    let second = harness.send()
    harness.clock.advance(by: 4)
    await harness.settle()
    #expect(first.results.elements.map(\.error?.kind) == [.timedOut])
    harness.clock.advance(by: 5.9)
    #expect(harness.session.open.count == 1)
    harness.session.open.first?.respond()
    await harness.settle()
    #expect(second.results.elements.map(\.model) == [City(name: "Bath")])
  }

  @Test(
    arguments: TransportKind.own
  )
  func openersTimeoutLeavesTheTransferToTheJoiner(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind) { $0.layers = [.coalescing] }
    let gate = LoopbackServer.Gate()
    let response = LoopbackServer.Response.json(#"{"name": "Bath"}"#)
    harness.server.route(.get, "/a", LoopbackServer.Response([.wait(gate)] + response.steps))
    func request(timeout: TimeInterval) -> TestRequest {
      TestRequest(path: "a", options: RequestOptions { $0.timeout = timeout })
    }
    async let opener = harness.error { try await harness.service.sendRequest(request(timeout: 0.1), as: City.self) }
    await gate.waitUntilReached()
    async let joiner: City? = harness.service.sendRequest(request(timeout: 30))
    await harness.clock.waitForTimers(2)
    harness.clock.advance(by: 0.1)
    #expect(await opener?.kind == .timedOut)
    gate.open()
    #expect(try await joiner == City(name: "Bath"))
  }

  @Test func sharedFailureIsRetriedTogether() async {
    let harness = harness { $0.retry = .standard }
    let results = (0..<10).map { _ in harness.send().results }
    harness.session.open.first?.respond(503)
    harness.clock.advance(by: 0.5)
    #expect(harness.session.transfers.count == 2)
    harness.session.open.first?.respond()
    await harness.settle()
    for result in results { #expect(result.elements.map(\.model) == [City(name: "Bath")]) }
  }

  @Test func sharedTransferIsCountedOnce() async {
    let metrics = RequestMetrics()
    let harness = harness { $0.monitors = [metrics] }
    for _ in 0..<10 { harness.send() }
    harness.session.open.first?.respond()
    await harness.settle()
    let snapshot = metrics.snapshot()
    #expect(snapshot.transfers == 1)
    #expect(snapshot.coalesced == 9)
    #expect(snapshot.bytesReceived == 16)
    #expect(snapshot.successes == 10)
  }
}
