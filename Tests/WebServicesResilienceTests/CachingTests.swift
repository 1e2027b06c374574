@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesResilience

/// The cache in a whole service, and as a layer past the engine.
@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct CachingTests {
  /// A wall clock that the test advances.
  private let wall = WallClock()

  private func harness(
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(),
    store: any ResponseStore = MemoryResponseStore(), cacheScope: String? = nil,
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> VirtualHarness<HeldSession> {
    let cache = ResponseCache(store) { [wall] in wall.now }
    return VirtualHarness.held(
      HeldSession(cacheScope: cacheScope), layers: [.cache(cache)], tokenManager: tokenManager, configure: configure)
  }

  /// A harness whose stored response has just become stale.
  private func stale(
    _ control: String, configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> VirtualHarness<HeldSession> {
    let harness = harness(configure: configure)
    harness.send()
    respond(harness.session.open.first, "max-age=60, " + control)
    wall.advance(by: 61)
    return harness
  }

  private func respond(_ transfer: HeldTransfer?, _ control: String, status: Int = 200, name: String = "Bath") {
    transfer?.respond(
      status, ["Cache-Control": control, "ETag": "\"1\"", "Date": HTTPDate.string(from: wall.now)],
      body: #"{"name": "\#(name)"}"#)
  }

  @Test func retryBypassesAStoredError() async {
    let harness = harness { $0.retry = RetryPolicy(attemptLimit: 2, backoff: RetryPolicy.Backoff(base: 1)) }
    let (_, first) = harness.send()
    respond(harness.session.open.first, "max-age=60", status: 503)
    harness.clock.advance(by: 10)
    expectEqual(harness.session.transfers.count, 2)
    respond(harness.session.open.first, "max-age=60", status: 503)
    await harness.settle()
    expectEqual(first.elements.map(\.error?.response?.statusCode), [503])
    let (_, second) = harness.send()
    await harness.settle()
    // A response that the server wants stored isn't retried.
    expectEqual(second.elements.map(\.error?.response?.statusCode), [503])
    expectEqual(harness.session.transfers.count, 2)
    expectEqual(harness.story().filter { $0.hasPrefix("received") }.count, 2)
  }

  @Test(arguments: ["503", "failure", "timeout", "circuit", "offline"])
  func staleResponseStandsInForAFailure(failure: String) async {
    let harness = stale("stale-if-error=600") { configuration in
      if failure == "circuit" { configuration.layers.append(.circuitBreaker(CircuitBreakerPolicy(minimumVolume: 1))) }
      if failure == "timeout" { configuration.layers.insert(.circuitBreaker(CircuitBreakerPolicy()), at: 0) }
    }
    if failure == "circuit" {
      for _ in 0..<3 {
        harness.send("b")
        harness.session.open.first?.respond(500)
      }
    }
    harness.reachability.set(isConnected: failure != "offline")
    let (_, results) = harness.send()
    if failure == "503" { harness.session.open.first?.respond(503) }
    if failure == "failure" { harness.session.open.first?.fail(URLError(.networkConnectionLost)) }
    if failure == "timeout" { harness.clock.advance(by: 60) }
    await harness.settle()
    expectEqual(results.elements.map(\.model), [City(name: "Bath")])
    #expect(harness.story().contains("cached(stale)"))
  }

  @Test func staleResponseStandsInForTheTimeoutOfEachSharingRequest() async {
    let harness = stale("stale-if-error=600") { $0.layers.insert(.coalescing, at: 0) }
    let (_, first) = harness.send()
    harness.clock.advance(by: 30)
    let (_, second) = harness.send()
    for _ in 0..<2 { harness.clock.advance(by: 30) }
    await harness.settle()
    expectEqual((first.elements + second.elements).map(\.model), [City(name: "Bath"), City(name: "Bath")])
    expectEqual(harness.session.transfers.count, 2)
  }

  /// The stand-in has the request, whose observer is the shared transfer.
  @Test func sharedTransferWithAStandInIsReleasedAtItsEnd() {
    let harness = stale("stale-if-error=600") { $0.layers.insert(.coalescing, at: 0) }
    weak var observer: SentTransfer.Observer?
    do {
      let sent = harness.transfer()
      observer = sent.observer
      respond(harness.session.open.first, "max-age=60")
      expectEqual(sent.outcomes, ["200"])
    }
    harness.session.releaseTransfers()
    #expect(observer == nil)
  }

  @Test func sharedConfirmationIsReceivedOnce() async {
    let harness = stale("private") { $0.layers.append(.coalescing) }
    let results = (0..<2).map { _ in harness.send().results }
    expectEqual(harness.session.open.count, 1)
    respond(harness.session.open.first, "max-age=60", status: 304)
    await harness.settle()
    #expect(results.allSatisfy { $0.elements.first?.model == City(name: "Bath") })
    expectEqual(harness.story().filter { $0 == "received(304)" }.count, 1)
  }

  /// A store that counts how often a response is stored.
  private final class CountingStore: ResponseStore {
    let count = Locked(0)
    private let store = MemoryResponseStore()

    var isImmediate: Bool { true }

    func store(_ response: CachedResponse, for key: CacheKey) {
      count.withLock { $0 += 1 }
      store.store(response, for: key)
    }

    func lookup(_ key: CacheKey) -> [CachedResponse] { store.lookup(key) }
    func remove(_ key: CacheKey) { store.remove(key) }
    func removeAll(ofURL url: String) { store.removeAll(ofURL: url) }
    func removeAll() { store.removeAll() }
  }

  /// A request that joined the transfer would store the response once more, with a shorter age.
  @Test func sharedResponseIsStoredOnceWithItsWholeAge() async {
    let store = CountingStore()
    let harness = harness(store: store) { $0.layers.append(.coalescing) }
    // The second response confirms the first.
    for status in [200, 304] {
      harness.send()
      wall.advance(by: 40)
      let others = (0..<2).map { _ in harness.send().results }
      wall.advance(by: 10)
      harness.session.open.first?.respond(status, ["Cache-Control": "max-age=60", "ETag": "\"1\""])
      expectEqual(store.count.withLock { $0 }, status == 200 ? 1 : 2)
      expectEqual(harness.transfer().response?.headers["Age"], "50")
      wall.advance(by: 60)
      await harness.settle()
      for results in others { expectEqual(results.elements.map(\.model), [City(name: "Bath")]) }
    }
  }

  /// The server may have read the resource before the change. Another service that has the same cache may have made it.
  @Test(arguments: [true, false], [true, false])
  func requestAfterAChangeSharesAndStoresNoTransferFromBeforeIt(isOfAll: Bool, isFirstCancelled: Bool) async {
    let cache = ResponseCache(MemoryResponseStore()) { [wall] in wall.now }
    let harness = VirtualHarness.held(layers: [.cache(cache), .coalescing])
    let other = VirtualHarness.held(layers: [.cache(cache)])
    let (task, _) = harness.send()
    if isOfAll {
      cache.removeAll()
    } else {
      other.transfer { $0.method = .put }
      other.session.open.first?.respond(204)
    }
    let (_, later) = harness.send()
    if isFirstCancelled { task.cancel() }
    respond(harness.session.transfers.first, "max-age=60", name: "Bath")
    respond(harness.session.open.first, "max-age=60", name: "Oslo")
    let (_, last) = harness.send()
    harness.session.respondToAll()
    await harness.settle()
    expectEqual((later.elements + last.elements).map(\.model), [City(name: "Oslo"), City(name: "Oslo")])
  }

  @Test func changeOfAnotherURLLeavesATransferToBeShared() {
    let harness = harness { $0.layers.append(.coalescing) }
    harness.transfer()
    harness.transfer(host: "other.example.com") { $0.method = .put }
    harness.session.open.last?.respond(204)
    expectEqual(harness.transfer().notes, ["starts", "coalesced"])
    harness.session.respondToAll()
  }

  /// Waits until earlier work on a concurrent queue has run.
  private static func cacheQueuePassed() async {
    await withCheckedContinuation { continuation in
      CacheSession.queue.async(flags: .barrier) { continuation.resume() }
    }
  }

  @Test func responseSourceIsCacheAfterRevalidation() {
    let harness = stale("private")
    let confirmed = harness.transfer()
    respond(harness.session.open.first, "max-age=60", status: 304)
    expectEqual(confirmed.outcomes, ["200"])
    expectEqual(confirmed.response?.source, .earlierTransfer)
    expectEqual(confirmed.notes, ["starts", "sent", "received(304)", "cached(revalidated)"])
    let reloaded = harness.transfer { $0.options.cachePolicy = .reload }
    respond(harness.session.open.first, "max-age=60")
    expectEqual(reloaded.response?.source, .network)
  }

  @Test func cancelledCallerGetsNoStoredResponse() {
    let cancelled = stale("stale-if-error=600").transfer()
    cancelled.task.cancel()
    expectEqual(cancelled.outcomes, ["cancelled"])
  }

  @Test func changeWhoseResponseBreaksOffRemovesTheStoredResponse() {
    let harness = harness()
    harness.transfer()
    respond(harness.session.open.first, "max-age=60")
    let change = harness.transfer { $0.method = .put }
    let head = WebServiceResponse(statusCode: 200, url: testURL("https://api.example.com/a"))
    harness.session.open.first?.complete(with: .failure(.sent(.truncated, "the body breaks off", response: head)))
    expectEqual(change.outcomes, ["truncated"])
    harness.transfer()
    expectEqual(harness.session.open.count, 1)
    harness.session.respondToAll()
  }

  @Test func eachBackgroundRefreshHasLowPriorityAndNoEvents() async throws {
    let harness = stale("stale-while-revalidate=600")
    harness.transfer()
    respond(harness.session.open.first, "max-age=60, stale-while-revalidate=600", name: "York")
    await Self.cacheQueuePassed()
    wall.advance(by: 61)
    let sent = harness.transfer { $0.options.timeout = 7 }
    #expect(sent.outcomes == ["200"] && sent.notes == ["cached(stale)"])
    expectEqual(sent.response?.text, #"{"name": "York"}"#)
    let refresh = try #require(harness.session.open.first).request
    #expect(refresh.options.priority == .low && refresh.options.coalesces == false)
    // One refresh is enough for all.
    harness.transfer()
    harness.clock.advance(by: 6.9)
    expectEqual(harness.session.open.count, 1)
    // The refresh has the time that its request had.
    harness.clock.advance(by: 0.1)
    #expect(harness.session.open.isEmpty)
    await Self.cacheQueuePassed()
    harness.transfer { $0.context.isOffline = true }
    #expect(harness.session.open.isEmpty)
    harness.transfer()
    expectEqual(harness.session.open.count, 1)
    harness.service.engine.close()()
    #expect(harness.session.open.isEmpty)
    harness.transfer()
    #expect(harness.session.open.isEmpty)
  }

  @Test func refreshThatTakesTooLongCountsForTheCircuit() {
    let harness = stale("stale-while-revalidate=600") {
      $0.layers.append(.circuitBreaker(CircuitBreakerPolicy(minimumVolume: 1)))
    }
    harness.transfer()
    harness.clock.advance(by: 60)
    expectEqual(harness.transfer("b").outcomes, ["refusedBySession"])
  }

  /// A cache has responses while the server is down.
  @Test func storedResponseEarnsNoRetry() async {
    let budget = RetryPolicy.Budget(ratio: 1, burst: 1)
    #expect(budget.withdraw())
    let harness = harness { ($0.retry, $0.retryBudget) = (.standard, budget) }
    for isStored in [false, true] {
      let (_, results) = harness.send()
      respond(harness.session.open.first, "max-age=60")
      expectEqual(await results.elements(1).map(\.model), [City(name: "Bath")])
      expectEqual(budget.withdraw(), !isStored)
    }
  }

  @Test func servicesOfDifferentScopesShareNoResponse() {
    let store = MemoryResponseStore()
    for scope in [nil, "one", "two"] {
      let harness = harness(store: store, cacheScope: scope)
      harness.transfer()
      respond(harness.session.open.first, "max-age=60", name: scope ?? "none")
      expectEqual(harness.transfer().response?.text, #"{"name": "\#(scope ?? "none")"}"#)
      expectEqual(harness.session.transfers.count, 1)
    }
  }

  /// The field is one of those that count as harmless, unless the authorization type names it.
  @Test func usersWhoseTokenIsInAnyFieldShareNoResponse() async {
    let store = MemoryResponseStore()
    for token in ["one", "two"] {
      let harness = harness(tokenManager: FakeTokenManager(token: token), store: store)
      let (_, results) = harness.send(authorization: .header(named: "Prefer"))
      respond(harness.session.open.first, "max-age=60", name: token)
      await harness.settle()
      expectEqual(results.elements.map(\.model), [City(name: token)])
    }
  }

  private enum TenantKey: RequestOptions.Key {
    static var defaultValue: String? { nil }
  }

  @Test func signedRequestAndRequestWithAnAppsOptionPassTheCache() async {
    let harness = harness()
    let signer = RequestSigner(named: "constant", needsToken: false) { _, _ in ["X-Signature": "s"] }
    let tenant = RequestOptions { $0[TenantKey.self] = "one" }
    let requests: [(WebServiceAuthorizationType, RequestOptions)] = [
      (.custom(signer), RequestOptions()), (.none, tenant),
    ]
    for (authorization, options) in requests + requests {
      harness.send(authorization: authorization, options: options)
      expectEqual(harness.session.open.count, 1)
      respond(harness.session.open.first, "max-age=60")
    }
    await harness.settle()
  }

  @Test func requestMayOverrideTheCachePolicy() async {
    let harness = harness { $0.retry = .standard }
    let (_, missed) = harness.send(options: RequestOptions { $0.cachePolicy = .onlyIfCached })
    await harness.settle()
    // Another attempt would give the same result.
    expectEqual(missed.elements.map(\.error?.kind), [.statusCode(504)])
    harness.send()
    respond(harness.session.open.first, "max-age=60")
    let (_, hit) = harness.send(options: RequestOptions { $0.cachePolicy = .onlyIfCached })
    harness.send(options: RequestOptions { $0.bypassesLimits = true })
    expectEqual(harness.session.open.count, 1)
    respond(harness.session.open.first, "max-age=60")
    await harness.settle()
    expectEqual(hit.elements.map(\.model), [City(name: "Bath")])
  }

  @Test func streamThatMayOnlyBeCachedIsNotSentAndNoStreamIsStored() async throws {
    let folder = try TemporaryFolder()
    for store in try responseStores(in: folder) {
      let harness = harness(store: store)
      let refused = [HTTPHeaders(), ["Cache-Control": "only-if-cached"]].map { headers in
        harness.transfer {
          $0.receiver = SlowReceiver(isLetGo: true)
          $0.headers = headers
          if headers.isEmpty { $0.options.cachePolicy = .onlyIfCached }
        }
      }
      await Self.cacheQueuePassed()
      expectEqual(refused.map(\.outcomes), [["504"], ["504"]])
      harness.transfer { $0.receiver = SlowReceiver(isLetGo: true) }
      respond(harness.session.open.first, "max-age=60")
      await Self.cacheQueuePassed()
      let plain = harness.transfer()
      await Self.cacheQueuePassed()
      expectEqual(harness.session.transfers.count, 2)
      harness.session.respondToAll()
      await Self.cacheQueuePassed()
      expectEqual(plain.outcomes, ["200"])
    }
  }

  @Test func storedResponsesAndRedirectsNeedNoNetwork() async {
    let harness = harness()
    let (_, first) = harness.send("a")
    harness.session.open.first?.respond(301, ["Location": "/b", "Cache-Control": "max-age=60"], body: "")
    respond(harness.session.open.first, "max-age=60")
    harness.reachability.set(isConnected: false)
    let (_, second) = harness.send("a")
    let (_, third) = harness.send("b")
    await harness.settle()
    for results in [first, second, third] { expectEqual(results.elements.map(\.model), [City(name: "Bath")]) }
    expectEqual(harness.session.transfers.map(\.path), ["/a", "/b"])
  }

  @Test func expiredTokenFindsStoredResponsesOnlyWithoutANetwork() async {
    let clock = VirtualClock()
    let manager = BasicAuthManager(clock: clock)
    manager.update(apiToken: "t", secondsRemaining: 600)
    let cache = ResponseCache(MemoryResponseStore()) { [wall] in wall.now }
    let harness = VirtualHarness.held(layers: [.cache(cache)], tokenManager: manager, clock: clock)
    let (_, first) = harness.send(authorization: .bearer)
    respond(harness.session.open.first, "max-age=60")
    clock.advance(by: 600)
    harness.reachability.set(isConnected: false)
    let (_, offline) = harness.send(authorization: .bearer)
    harness.reachability.set(isConnected: true)
    let (_, online) = harness.send(authorization: .bearer)
    await harness.settle()
    for results in [first, offline] { expectEqual(results.elements.map(\.model), [City(name: "Bath")]) }
    expectEqual(online.elements.map(\.error?.kind), [.token])
  }

  @Test func onlyARequestThatWasAdmittedOfflineFailsWithoutAStoredResponse() {
    let harness = harness()
    harness.reachability.set(isConnected: false)
    harness.transfer()
    expectEqual(harness.session.open.count, 1)
    let offline = harness.transfer("b") { $0.context.isOffline = true }
    #expect(offline.outcomes == ["notConnected"] && offline.notes.isEmpty)
    #expect(offline.error?.mayHaveReachedServer == false && offline.error?.isOfAttempt == false)
    harness.session.respondToAll()
  }

  @Test func slowStoreBlocksNoCaller() async throws {
    let folder = try TemporaryFolder()
    let harness = harness(store: try DiskResponseStore(directory: folder.url))
    // The gate is closed, so a call that waited for the store would never return.
    let gate = DispatchSemaphore(value: 0)
    CacheSession.queue.async(flags: .barrier) { gate.wait() }
    let (_, first) = harness.send()
    #expect(harness.session.transfers.isEmpty)
    // A stream doesn't wait for the store.
    let stream = harness.transfer("stream") { $0.receiver = SlowReceiver(isLetGo: true) }
    harness.session.open.first?.respond()
    expectEqual(stream.outcomes, ["200"])
    gate.signal()
    await harness.session.waitForTransfers(2)
    CacheSession.queue.async(flags: .barrier) { gate.wait() }
    respond(harness.session.open.first, "max-age=60")
    expectEqual(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path), ["responses"])
    gate.signal()
    await first.waitForElements(1)
    let (_, second) = harness.send()
    expectEqual(await second.elements(1).map(\.model), [City(name: "Bath")])
    expectEqual(harness.session.transfers.count, 2)
  }
}
