import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesHTTP
@testable import WebServicesCore
@testable import WebServicesResilience

@Suite struct CachingTests {
  /// A wall clock that the test advances.
  private let wall = Locked(Date(timeIntervalSince1970: 1_790_000_000))

  private func bench(
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(),
    store: any ResponseStore = MemoryResponseStore(),
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> HeldBench {
    HeldBench(tokenManager: tokenManager) { configuration in
      configuration.layers = [.cache(ResponseCache(store: store) { [wall] in wall.withLock { $0 } })]
      configure(&configuration)
    }
  }

  private func answer(_ exchange: HeldExchange?, _ control: String, name: String = "Bath") {
    exchange?.answer(
      200, ["Cache-Control": control, "ETag": "\"1\"", "Date": HTTPDate.string(from: wall.withLock { $0 })],
      body: #"{"name": "\#(name)"}"#)
  }

  private func wait(_ seconds: TimeInterval) {
    wall.withLock { $0 += seconds }
  }

  @Test func freshResponseNeedsNoNetwork() async {
    let bench = bench()
    bench.send()
    answer(bench.session.open.first, "max-age=60")
    bench.reachability.set(isConnected: false)
    let (_, results) = bench.send()
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    #expect(bench.session.exchanges.count == 1)
    bench.expectNothingLeft()
  }

  @Test func retryAsksTheServerPastAStoredError() async {
    let bench = bench { $0.retry = RetryPolicy(maximumAttempts: 2, backoff: Backoff(base: 1)) }
    let (_, first) = bench.send()
    answer503(bench.session.open.first)
    bench.clock.advance(by: 10)
    #expect(bench.session.exchanges.count == 2)
    answer503(bench.session.open.first)
    await bench.settle()
    #expect(first.elements.map(\.error?.response?.statusCode) == [503])
    let (_, second) = bench.send()
    await bench.settle()
    // A response that the server wants stored isn't retried.
    #expect(second.elements.map(\.error?.response?.statusCode) == [503])
    #expect(bench.session.exchanges.count == 2)
    bench.expectNothingLeft()
  }

  private func answer503(_ exchange: HeldExchange?) {
    let date = HTTPDate.string(from: wall.withLock { $0 })
    exchange?.answer(503, ["Cache-Control": "max-age=60", "Date": date], body: "down")
  }

  @Test func missFailsAtOnceWithoutNetwork() async {
    let bench = bench { $0.retry = .standard }
    bench.reachability.set(isConnected: false)
    let (_, results) = bench.send()
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [.noConnection])
    #expect(!bench.story().contains("waiting(connectivity)"))
    bench.expectNothingLeft()
  }

  @Test func missWaitsForTheNetworkIfAllowed() async {
    let bench = bench { $0.connectivity = .wait(upTo: 10, interval: 1) }
    bench.reachability.set(isConnected: false)
    let (_, results) = bench.send()
    let (cancelled, _) = bench.send("b")
    bench.clock.advance(by: 3)
    cancelled.cancel()
    #expect(bench.session.exchanges.isEmpty)
    bench.reachability.set(isConnected: true)
    bench.clock.advance(by: 1)
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    #expect(bench.session.exchanges.count == 1)
    bench.expectNothingLeft()
  }

  @Test func staleResponseIsConfirmedBy304() async {
    let bench = bench()
    bench.send()
    answer(bench.session.open.first, "max-age=60")
    wait(61)
    let (_, results) = bench.send()
    #expect(bench.session.open.first?.request.value(forHTTPHeaderField: "If-None-Match") == "\"1\"")
    bench.session.open.first?.answer(304, ["ETag": "\"1\"", "Cache-Control": "max-age=60"], body: "")
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    bench.send()
    #expect(bench.session.exchanges.count == 2)
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test(arguments: ["503", "failure", "circuit", "offline"])
  func staleResponseStandsInForAFailure(failure: String) async {
    let bench = bench { configuration in
      if failure == "circuit" { configuration.layers.append(.circuitBreaker(CircuitBreakerPolicy(minimumVolume: 1))) }
    }
    bench.send()
    answer(bench.session.open.first, "max-age=60, stale-if-error=600")
    wait(61)
    if failure == "circuit" {
      for _ in 0..<3 {
        bench.send("b")
        bench.session.open.first?.answer(500)
      }
    }
    bench.reachability.set(isConnected: failure != "offline")
    let (_, results) = bench.send()
    if failure == "503" { bench.session.open.first?.answer(503) }
    if failure == "failure" { bench.session.open.first?.fail(URLError(.networkConnectionLost)) }
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    #expect(bench.story().contains("cached(stale)"))
    bench.expectNothingLeft()
  }

  @Test func staleResponseIsServedDuringRefresh() async {
    let bench = bench()
    bench.send()
    answer(bench.session.open.first, "max-age=60, stale-while-revalidate=600")
    wait(61)
    let requests = (0..<3).map { _ in bench.send().results }
    await bench.settle()
    for result in requests { #expect(result.elements.map(\.model) == [City(name: "Bath")]) }
    #expect(bench.service.requestCount == 0)
    #expect(bench.session.open.count == 1)
    let cache = bench.service.engine.session(of: CacheSession.self)?.cache
    answer(bench.session.open.first, "max-age=60", name: "Rome")
    await Self.cacheQueuePassed()
    #expect(cache?.statistics.stores == 2)
    let (_, results) = bench.send()
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Rome")])
    #expect(bench.session.exchanges.count == 2)
    bench.expectNothingLeft()
  }

  /// Waits until earlier work on a concurrent queue has run.
  private static func cacheQueuePassed() async {
    await withCheckedContinuation { continuation in
      CacheSession.queue.async(flags: .barrier) { continuation.resume() }
    }
  }

  @Test func identitiesNeverShareAResponse() async {
    let manager = BasicAuthManager(storage: InMemoryTokenStorage(), clock: VirtualClock())
    let bench = bench(tokenManager: manager)
    var answers: [Collector<WebServiceResult<City>>] = []
    for token in ["one", "two", "one", "two"] {
      manager.update(apiToken: token, secondsRemaining: 10_000)
      answers.append(bench.send(authorization: .header(named: "X-Key")).results)
      answer(bench.session.open.first, "public, max-age=60", name: token)
    }
    answers.append(bench.send().results)
    answer(bench.session.open.first, "max-age=60", name: "nobody")
    await bench.settle()
    #expect(answers.flatMap(\.elements).map(\.model?.name) == ["one", "two", "one", "two", "nobody"])
    #expect(bench.session.exchanges.count == 3)
    bench.expectNothingLeft()
  }

  @Test func unsafeRequestInvalidatesTheStored() async {
    let bench = bench()
    bench.send()
    answer(bench.session.open.first, "max-age=60")
    bench.send(TestRequest(path: "https://api.example.com/a", method: .put))
    bench.session.open.first?.answer(204, body: "")
    bench.send()
    #expect(bench.session.open.count == 1)
    answer(bench.session.open.first, "max-age=60")
    await bench.settle()
    bench.expectNothingLeft()
  }

  @Test func requestMayOverrideTheCachePolicy() async {
    let bench = bench { $0.retry = .standard }
    let (_, missed) = bench.send(options: RequestOptions { $0.cachePolicy = .onlyIfCached })
    await bench.settle()
    // Another attempt would give the same result.
    #expect(missed.elements.map(\.error?.kind) == [.statusCode(504)])
    bench.send()
    answer(bench.session.open.first, "max-age=60")
    for policy in [CachePolicy.reload, .revalidate, .noStore] {
      bench.send(options: RequestOptions { $0.cachePolicy = policy })
      #expect(bench.session.open.count == 1, "\(policy)")
      answer(bench.session.open.first, "max-age=60")
    }
    let (_, hit) = bench.send(options: RequestOptions { $0.cachePolicy = .onlyIfCached })
    bench.send(options: RequestOptions { $0.bypassesLimits = true })
    #expect(bench.session.open.count == 1)
    answer(bench.session.open.first, "max-age=60")
    await bench.settle()
    #expect(hit.elements.map(\.model) == [City(name: "Bath")])
    bench.expectNothingLeft()
  }

  @Test func redirectsAreFollowedFromTheStore() async {
    let bench = bench()
    let (_, first) = bench.send("a")
    bench.session.open.first?.answer(301, ["Location": "/b", "Cache-Control": "max-age=60"], body: "")
    answer(bench.session.open.first, "max-age=60")
    let (_, second) = bench.send("a")
    let (_, third) = bench.send("b")
    await bench.settle()
    for results in [first, second, third] { #expect(results.elements.map(\.model) == [City(name: "Bath")]) }
    #expect(bench.session.exchanges.map(\.path) == ["/a", "/b"])
    bench.expectNothingLeft()
  }

  @Test func refusedTokenIsReplacedAndNotCached() async {
    let manager = BasicAuthManager(storage: InMemoryTokenStorage(), clock: VirtualClock())
    manager.renewTokens { _ in TestRequest(path: "https://api.example.com/renew", method: .post) }
    manager.update(apiToken: "old", secondsRemaining: 600)
    let bench = bench(tokenManager: manager)
    let (_, results) = bench.send(authorization: .bearer)
    bench.session.open.first?.answer(401, ["Cache-Control": "max-age=60"])
    await bench.session.waitForExchanges(2)
    bench.session.open.first?.answer(body: #"{"apiToken": "new", "secondsRemaining": 600}"#)
    await bench.session.waitForExchanges(3)
    answer(bench.session.open.first, "max-age=60")
    await results.waitForElements(1)
    let (_, again) = bench.send(authorization: .bearer)
    await bench.settle()
    #expect(again.elements.map(\.model) == [City(name: "Bath")])
    #expect(bench.session.exchanges.count == 3)
    bench.expectNothingLeft()
  }

  @Test func slowStoreBlocksNobody() async throws {
    let store = SlowStore()
    let bench = bench(store: store)
    // The gate is closed, so a call that waited for the store would never return.
    store.close()
    let (_, first) = bench.send()
    #expect(bench.session.exchanges.isEmpty)
    store.open()
    await bench.session.waitForExchanges(1)
    store.close()
    answer(bench.session.open.first, "max-age=60")
    store.open()
    await first.waitForElements(1)
    let (_, second) = bench.send()
    await second.waitForElements(1)
    #expect(second.elements.map(\.model) == [City(name: "Bath")])
    #expect(bench.session.exchanges.count == 1)
    store.close()
    let (task, cancelled) = bench.send("b")
    task.cancel()
    await bench.settle()
    #expect(cancelled.elements.map(\.error?.kind) == [.cancelled])
    store.open()
    await Self.cacheQueuePassed()
    #expect(bench.session.exchanges.count == 1)
    bench.expectNothingLeft()
  }
}

/// Keeps responses in memory. Lookups and stores block while the test has closed the gate.
private final class SlowStore: ResponseStore {
  private let store = MemoryResponseStore()
  private let gate = DispatchSemaphore(value: 1)

  var salt: Data { store.salt }
  var isImmediate: Bool { false }

  func close() { gate.wait() }
  func open() { gate.signal() }

  private func pass() {
    close()
    open()
  }

  func lookup(_ key: CacheKey) -> [CachedResponse] {
    pass()
    return store.lookup(key)
  }

  func store(_ response: CachedResponse, for key: CacheKey) {
    pass()
    store.store(response, for: key)
  }

  func remove(_ key: CacheKey) { store.remove(key) }
  func removeAll(ofURL url: String) { store.removeAll(ofURL: url) }
  func removeAll() { store.removeAll() }
}
