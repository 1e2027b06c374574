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

@Suite struct CoalescingTests {
  private func bench(
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(),
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> HeldBench {
    HeldBench(tokenManager: tokenManager) { configuration in
      configuration.layers = [.coalescing]
      configure(&configuration)
    }
  }

  @Test func hundredEqualRequestsShareOneTransfer() async {
    let bench = bench()
    let results = (0..<100).map { _ in bench.send("a", authorization: .bearer).results }
    bench.send("b").task.cancel()
    #expect(bench.session.exchanges.map(\.path) == ["/a", "/b"])
    bench.session.open.first?.answer()
    await bench.settle()
    for result in results { #expect(result.elements.map(\.model) == [City(name: "Bath")]) }
    bench.send("a", authorization: .bearer)
    #expect(bench.session.open.count == 1)
    bench.session.open.first?.answer()
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test func virtualHostsAreApart() async {
    let bench = bench { $0.layers.insert(.cache(ResponseCache()), at: 0) }
    let hosts = ["a.example.com", "b.example.com"]
    let results = hosts.map { bench.send(TestRequest(headers: ["Host": $0])).results }
    #expect(bench.session.open.count == 2)
    for (exchange, host) in zip(bench.session.open, hosts) {
      exchange.answer(200, ["Cache-Control": "max-age=60"], body: #"{"name": "\#(host)"}"#)
    }
    let again = hosts.map { bench.send(TestRequest(headers: ["Host": $0])).results }
    await bench.settle()
    for results in [results, again] { #expect(results.map { $0.elements.first?.model?.name } == hosts) }
    #expect(bench.session.exchanges.count == 2)
    bench.expectNothingLeft()
  }

  @Test(arguments: 0..<3)
  func lastCancelEndsTheTransfer(first: Int) async {
    let bench = bench()
    let requests = (0..<3).map { _ in bench.send() }
    for (count, index) in [first, (first + 1) % 3].enumerated() {
      requests[index].task.cancel()
      await bench.settle()
      #expect(requests[index].results.elements.map(\.error?.kind) == [.cancelled])
      #expect(bench.session.open.count == 1)
      #expect(bench.service.requestCount == 2 - count)
    }
    requests[(first + 2) % 3].task.cancel()
    #expect(bench.session.open.isEmpty)
    await bench.settle()
    for request in requests { #expect(request.results.elements.map(\.error?.kind) == [.cancelled]) }
    bench.expectNothingLeft()
  }

  @Test func joinerOutlivesTheOpener() async {
    let bench = bench { $0.timeout = 10 }
    let first = bench.send()
    bench.clock.advance(by: 6)
    let second = bench.send()
    bench.clock.advance(by: 4)
    await bench.settle()
    #expect(first.results.elements.map(\.error?.kind) == [.timedOut])
    bench.clock.advance(by: 5.9)
    #expect(bench.session.open.count == 1)
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(second.results.elements.map(\.model) == [City(name: "Bath")])
    bench.expectNothingLeft()
  }

  @Test func sessionGetsNoTimeout() async {
    let bench = bench { $0.timeout = 10 }
    let tasks = (0..<2).map { _ in bench.send().task }
    bench.send("b", options: RequestOptions { $0.coalesces = false }).task.cancel()
    #expect(bench.session.exchanges.map(\.request.timeoutInterval) == [URLRequest.timeoutCeiling, 11])
    tasks.forEach { $0.cancel() }
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test func timeoutOfJoinerBeginsWithSending() async {
    let bench = bench { configuration in
      configuration.timeout = 10
      configuration.layers.append(.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1)))
    }
    bench.send("other", options: RequestOptions { $0.timeout = 100 })
    let opener = bench.send()
    let joiner = bench.send(options: RequestOptions { $0.timeout = 5 })
    bench.clock.advance(by: 50)
    await bench.settle()
    #expect(joiner.results.elements.isEmpty)
    bench.session.open.first?.answer()
    #expect(bench.session.exchanges.map(\.path) == ["/other", "/a"])
    bench.clock.advance(by: 4.9)
    let late = bench.send(options: RequestOptions { $0.timeout = 8 })
    bench.clock.advance(by: 0.1)
    await bench.settle()
    #expect(joiner.results.elements.map(\.error?.kind) == [.timedOut])
    bench.clock.advance(by: 5)
    await bench.settle()
    #expect(opener.results.elements.map(\.error?.kind) == [.timedOut])
    bench.clock.advance(by: 2.8)
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(late.results.elements.map(\.model) == [City(name: "Bath")])
    bench.expectNothingLeft()
  }

  @Test func backgroundRefreshKeepsTheTransportsTimeout() async {
    let bench = bench { configuration in
      configuration.timeout = 10
      configuration.layers.insert(.cache(ResponseCache()), at: 0)
    }
    bench.send()
    bench.session.open.first?.answer(200, ["Cache-Control": "max-age=0, stale-while-revalidate=60", "ETag": "\"1\""])
    bench.send()
    #expect(bench.session.exchanges.map(\.request.timeoutInterval) == [URLRequest.timeoutCeiling, 11])
    bench.session.open.first?.answer()
    await bench.settle()
  }

  @Test(
    arguments: TransportKind.own
  )
  func openersTimeoutOnTransport(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind) { $0.layers = [.coalescing] }
    let gate = LoopbackServer.Gate()
    let answer = LoopbackServer.Response.json(#"{"name": "Bath"}"#)
    stage.server.route(.get, "/a", LoopbackServer.Response([.wait(gate)] + answer.steps))
    func request(timeout: TimeInterval, coalesces: Bool = true) -> TestRequest {
      TestRequest(
        path: "a",
        options: RequestOptions {
          $0.timeout = timeout
          $0.coalesces = coalesces
        })
    }
    async let opener = stage.error { try await stage.service.sendRequest(request(timeout: 0.1), as: City.self) }
    await gate.waitUntilReached()
    async let joiner: City? = stage.service.sendRequest(request(timeout: 30))
    await stage.clock.waitForTimers(2)
    // This timeout of 0.2 s runs on the transport's clock. Once it has passed, the opener's 0.1 s have passed there too.
    let alone = await stage.error {
      try await stage.service.sendRequest(request(timeout: 0.2, coalesces: false), as: City.self)
    }
    #expect(alone?.kind == .timedOut)
    stage.clock.advance(by: 0.1)
    #expect(await opener?.kind == .timedOut)
    gate.open()
    #expect(try await joiner == City(name: "Bath"))
    await stage.expectNothingLeft()
  }

  @Test func unequalRequestsShareNothing() async {
    let manager = BasicAuthManager(storage: InMemoryTokenStorage(), clock: VirtualClock())
    let bench = bench(tokenManager: manager)
    for token in ["one", "two"] {
      manager.update(apiToken: token, secondsRemaining: 10_000)
      bench.send("a", authorization: .bearer)
    }
    bench.send("a", authorization: .basic(user: "me", password: "one"))
    bench.send("a", authorization: .basic(user: "me", password: "two"))
    bench.send("a")
    bench.send("a", options: RequestOptions { $0.coalesces = false })
    for _ in 0..<2 { bench.send(TestRequest(path: "https://api.example.com/a", method: .post)) }
    bench.send(TestRequest(path: "https://api.example.com/a", headers: ["Accept-Language": "de"]))
    bench.send(TestRequest(path: "https://api.example.com/a", queryItems: [URLQueryItem(name: "q", value: "1")]))
    #expect(bench.session.open.count == 10)
    for (index, exchange) in bench.session.open.enumerated() { exchange.answer(body: #"{"name": "\#(index)"}"#) }
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test func sharedFailureIsRetriedTogether() async {
    let bench = bench { $0.retry = .standard }
    let results = (0..<10).map { _ in bench.send().results }
    bench.session.open.first?.answer(503)
    bench.clock.advance(by: 0.5)
    #expect(bench.session.exchanges.count == 2)
    bench.session.open.first?.answer()
    await bench.settle()
    for result in results { #expect(result.elements.map(\.model) == [City(name: "Bath")]) }
    bench.expectNothingLeft()
  }

  @Test func sharedRedirectIsFollowedTogether() async {
    let bench = bench()
    let results = (0..<10).map { _ in bench.send("a").results }
    bench.session.open.first?.answer(302, ["Location": "/b"])
    #expect(bench.session.exchanges.map(\.path) == ["/a", "/b"])
    bench.session.open.first?.answer()
    await bench.settle()
    for result in results { #expect(result.elements.map(\.model) == [City(name: "Bath")]) }
    bench.expectNothingLeft()
  }

  @Test func sharedTransferIsCountedOnce() async {
    let metrics = RequestMetrics()
    let bench = bench { $0.monitors = [metrics] }
    for _ in 0..<10 { bench.send() }
    bench.session.open.first?.answer()
    await bench.settle()
    let snapshot = metrics.snapshot()
    #expect(snapshot.exchanges == 1)
    #expect(snapshot.coalesced == 9)
    #expect(snapshot.bytesReceived == 16)
    #expect(snapshot.successes == 10)
  }
}
