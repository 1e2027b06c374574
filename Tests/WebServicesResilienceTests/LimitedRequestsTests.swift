import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore

@Suite struct LimitedRequestsTests {
  private func bench(
    _ limits: RequestLimits = RequestLimits(maximumConcurrentRequestsPerHost: 1),
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(),
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> HeldBench {
    HeldBench(tokenManager: tokenManager) { configuration in
      configuration.layers = [.limits(limits)]
      configure(&configuration)
    }
  }

  @Test func concurrencyIsLimitedPerHost() async {
    let bench = bench(RequestLimits(maximumConcurrentRequestsPerHost: 2))
    for index in 0..<5 { bench.send("\(index)") }
    bench.send("other", host: "other.example.com")
    #expect(bench.session.exchanges.map(\.path) == ["/0", "/1", "/other"])
    bench.session.exchanges[1].answer()
    bench.session.exchanges[0].fail(URLError(.networkConnectionLost))
    #expect(bench.session.exchanges.map(\.path) == ["/0", "/1", "/other", "/2", "/3"])
    while let next = bench.session.open.first { next.answer() }
    #expect(bench.session.exchanges.count == 6)
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test func prioritiesOrderTheQueueWithoutStarvation() async {
    let bench = bench(RequestLimits(maximumConcurrentRequestsPerHost: 1, aging: 5))
    bench.send("first")
    bench.send("low", options: RequestOptions { $0.priority = .low })
    bench.clock.advance(by: 1)
    bench.send("normal")
    bench.send("high", options: RequestOptions { $0.priority = .high })
    bench.clock.advance(by: 10)
    bench.send("late", options: RequestOptions { $0.priority = .high })
    while let next = bench.session.open.first { next.answer() }
    #expect(bench.session.exchanges.map(\.path) == ["/first", "/high", "/normal", "/low", "/late"])
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test func rateIsLimitedPerSecond() async {
    let bench = bench(RequestLimits(rate: RateLimit(requestsPerSecond: 2, burst: 1)))
    for index in 0..<3 { bench.send("\(index)") }
    #expect(bench.session.exchanges.count == 1)
    bench.clock.advance(by: 0.49)
    #expect(bench.session.exchanges.count == 1)
    bench.clock.advance(by: 0.02)
    #expect(bench.session.exchanges.count == 2)
    bench.clock.advance(by: 0.5)
    #expect(bench.session.exchanges.count == 3)
    bench.session.open.forEach { $0.answer() }
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test func cancelledWaiterLosesNoPermit() async {
    let bench = bench()
    bench.send("first")
    let (task, results) = bench.send("second")
    let (_, thirdResults) = bench.send("third")
    task.cancel()
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [.cancelled])
    bench.session.exchanges[0].answer()
    #expect(bench.session.exchanges.map(\.path) == ["/first", "/third"])
    bench.session.exchanges[1].answer()
    await bench.settle()
    #expect(thirdResults.elements.map(\.model) == [City(name: "Bath")])
    bench.expectNothingLeft()
  }

  @Test func timeoutStartsWhenSentAndDeadlineWithTheCall() async {
    let bench = bench { $0.timeout = 10 }
    bench.send("first", options: RequestOptions { $0.timeout = 100 })
    let (_, patient) = bench.send("patient", authorization: .bearer)
    let (_, hurried) = bench.send("hurried", options: RequestOptions { $0.deadline = 15 })
    bench.clock.advance(by: 14.9)
    await bench.settle()
    #expect(patient.elements.isEmpty && hurried.elements.isEmpty)
    bench.clock.advance(by: 0.1)
    await bench.settle()
    #expect(hurried.elements.map(\.error?.kind) == [.timedOut])
    bench.session.exchanges[0].answer()
    #expect(bench.session.exchanges.count == 2)
    bench.clock.advance(by: 9.9)
    await bench.settle()
    #expect(patient.elements.isEmpty)
    bench.clock.advance(by: 0.1)
    await bench.settle()
    #expect(patient.elements.map(\.error?.kind) == [.timedOut])
    bench.expectNothingLeft()
  }

  @Test func shutDownEmptiesTheQueue() async {
    let bench = bench()
    let results = (0..<5).map { bench.send("\($0)").results }
    bench.service.engine.shutDown(invalidatingInjectedSession: false)
    await bench.settle()
    for result in results { #expect(result.elements.map(\.error?.kind) == [.cancelled]) }
    #expect(bench.session.exchanges.count == 1)
    bench.expectNothingLeft()
  }

  @Test(arguments: [429, 503])
  func retryAfterPausesOneHost(status: Int) async {
    let bench = bench(RequestLimits(maximumConcurrentRequestsPerHost: 10))
    bench.send("first")
    bench.session.exchanges[0].answer(status, ["Retry-After": "7"])
    bench.send("second")
    bench.send("other", host: "other.example.com")
    #expect(bench.session.exchanges.map(\.path) == ["/first", "/other"])
    bench.clock.advance(by: 6.9)
    #expect(bench.session.exchanges.count == 2)
    bench.clock.advance(by: 0.2)
    #expect(bench.session.exchanges.map(\.path) == ["/first", "/other", "/second"])
    bench.session.open.forEach { $0.answer() }
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test(arguments: [true, false])
  func renewalBypassesAFullLimiter(isRefused: Bool) async {
    let clock = VirtualClock(now: 1000)
    let manager = BasicAuthManager(storage: InMemoryTokenStorage(), clock: clock)
    manager.renewTokens { _ in TestRequest(path: "https://api.example.com/renew", method: .post) }
    manager.update(apiToken: "old", secondsRemaining: isRefused ? 600 : 0)
    let bench = HeldBench(tokenManager: manager, clock: clock) { configuration in
      configuration.layers = [.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))]
    }
    // A request without a token holds the only permit all the time.
    if !isRefused { bench.send("long", options: RequestOptions { $0.timeout = 1000 }) }
    let results = (0..<5).map { bench.send("\($0)", authorization: .bearer).results }
    if isRefused { bench.session.exchanges[0].answer(401) }
    await bench.session.waitForExchanges(2)
    if isRefused {
      // The next request takes the permit of the refused one and is refused too.
      while let next = bench.session.open.first(where: { $0.path != "/renew" }) { next.answer(401) }
      await bench.passAppCode()
    }
    let renewal = bench.session.exchanges.first { $0.path == "/renew" }
    #expect(renewal?.isOver == false)
    renewal?.answer(body: #"{"apiToken": "new", "secondsRemaining": 600}"#)
    await clock.waitForTimers(1)
    if !isRefused { bench.session.exchanges[0].answer() }
    for count in 1...5 {
      await bench.session.waitForExchanges((isRefused ? 6 : 2) + count)
      #expect(bench.session.open.count == 1)
      bench.session.open.first?.answer()
    }
    for result in results { await result.waitForElements(1) }
    await bench.settle()
    for result in results { #expect(result.elements.map(\.model) == [City(name: "Bath")]) }
    #expect(bench.session.exchanges.filter { $0.path == "/renew" }.count == 1)
    manager.clear()
    bench.expectNothingLeft()
  }
}
