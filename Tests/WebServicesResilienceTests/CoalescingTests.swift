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

  @Test func sessionGetsNoTimeout() async {
    let harness = harness { $0.timeout = 10 }
    let task = harness.send().task
    #expect(harness.session.transfers.map(\.request.timeouts.whole) == [TransportTimeouts.longest])
    task.cancel()
    await harness.settle()
  }

  @Test func timeoutOfJoinerBeginsWithSending() async {
    let harness = harness { configuration in
      configuration.timeout = 10
      configuration.layers.append(.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1)))
    }
    harness.send("other", options: RequestOptions { $0.timeout = 100 })
    let opener = harness.send()
    let joiner = harness.send(options: RequestOptions { $0.timeout = 5 })
    harness.clock.advance(by: 50)
    await harness.settle()
    #expect(joiner.results.elements.isEmpty)
    harness.session.open.first?.respond()
    #expect(harness.session.transfers.map(\.path) == ["/other", "/a"])
    harness.clock.advance(by: 4.9)
    let late = harness.send(options: RequestOptions { $0.timeout = 8 })
    harness.clock.advance(by: 0.1)
    await harness.settle()
    #expect(joiner.results.elements.map(\.error?.kind) == [.timedOut])
    harness.clock.advance(by: 5)
    await harness.settle()
    #expect(opener.results.elements.map(\.error?.kind) == [.timedOut])
    harness.clock.advance(by: 2.8)
    harness.session.open.first?.respond()
    await harness.settle()
    #expect(late.results.elements.map(\.model) == [City(name: "Bath")])
  }

  @Test func backgroundRefreshKeepsTheTransportsTimeout() async {
    let harness = harness { configuration in
      configuration.timeout = 10
      configuration.layers.insert(.cache(ResponseCache()), at: 0)
    }
    harness.send()
    harness.session.open.first?.respond(
      200, ["Cache-Control": "max-age=0, stale-while-revalidate=60", "ETag": "\"1\""])
    harness.send()
    #expect(harness.session.transfers.map(\.request.timeouts.whole) == [TransportTimeouts.longest, 10])
    harness.session.open.first?.respond()
    await harness.settle()
  }

  @Test(
    arguments: TransportKind.own
  )
  func openersTimeoutLeavesTheTransferToTheJoiner(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind) { $0.layers = [.coalescing] }
    let gate = LoopbackServer.Gate()
    let response = LoopbackServer.Response.json(#"{"name": "Bath"}"#)
    harness.server.route(.get, "/a", LoopbackServer.Response([.wait(gate)] + response.steps))
    func request(timeout: TimeInterval, coalesces: Bool = true) -> TestRequest {
      TestRequest(
        path: "a",
        options: RequestOptions {
          $0.timeout = timeout
          $0.coalesces = coalesces
        })
    }
    async let opener = harness.error { try await harness.service.sendRequest(request(timeout: 0.1), as: City.self) }
    await gate.waitUntilReached()
    async let joiner: City? = harness.service.sendRequest(request(timeout: 30))
    await harness.clock.waitForTimers(2)
    // This timeout of 0.2 s runs on the transport's clock. Once it has passed, the opener's 0.1 s have passed there too.
    let alone = await harness.error {
      try await harness.service.sendRequest(request(timeout: 0.2, coalesces: false), as: City.self)
    }
    #expect(alone?.kind == .timedOut)
    harness.clock.advance(by: 0.1)
    #expect(await opener?.kind == .timedOut)
    gate.open()
    #expect(try await joiner == City(name: "Bath"))
  }

  @Test func unequalRequestsShareNoTransfer() async {
    let manager = BasicAuthManager(clock: VirtualClock())
    let harness = harness(tokenManager: manager)
    for token in ["one", "two"] {
      manager.update(apiToken: token, secondsRemaining: 10_000)
      harness.send("a", authorization: .bearer)
    }
    harness.send("a", authorization: .basic(user: "me", password: "one"))
    harness.send("a", authorization: .basic(user: "me", password: "two"))
    harness.send("a")
    harness.send("a", options: RequestOptions { $0.coalesces = false })
    for _ in 0..<2 { harness.send(TestRequest(path: "https://api.example.com/a", method: .post)) }
    harness.send(TestRequest(path: "https://api.example.com/a", headers: ["Accept-Language": "de"]))
    harness.send(TestRequest(path: "https://api.example.com/a", queryItems: [URLQueryItem(name: "q", value: "1")]))
    #expect(harness.session.open.count == 10)
    for (index, transfer) in harness.session.open.enumerated() { transfer.respond(body: #"{"name": "\#(index)"}"#) }
    await harness.settle()
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

  @Test func sharedRedirectIsFollowedTogether() async {
    let harness = harness()
    let results = (0..<10).map { _ in harness.send("a").results }
    harness.session.open.first?.respond(302, ["Location": "/b"])
    #expect(harness.session.transfers.map(\.path) == ["/a", "/b"])
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
