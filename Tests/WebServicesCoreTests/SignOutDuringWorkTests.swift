@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesResilience

/// The actor of the code that awaits, which a test may block.
@globalActor private actor Caller { static let shared = Caller() }

/// A sign-out between two steps of a request, and between the requests of one piece of work.
@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct SignOutDuringWorkTests {
  private let manager = BasicAuthManager(clock: VirtualClock())

  init() {
    manager.renewTokens { _ in TestRequest(path: "https://api.example.com/renew", method: .post) }
    manager.update(apiToken: "first", secondsRemaining: 10_000)
  }

  /// Begins a renewal. The closure runs in the first completion that a sign-out causes.
  private func whenSignedOut(_ action: @escaping @Sendable () -> Void) {
    let token = AccessToken(value: "first", generation: 1)
    manager.replaceRefusedToken(token, ofType: .bearer, through: HeldService()) { _ in action() }
  }

  @Test(arguments: ["token", "signature", "response"])
  func requestEndsAlsoIfTheSignOutHasNotCancelledItYet(moment: String) async {
    let engine = Locked<Engine?>(nil)
    let pass: @Sendable (String) -> Void = { passed in
      if passed == moment { _ = engine.withLock { $0 }?.endIdentity() }
    }
    let signer = RequestSigner(named: "test", needsToken: true) { _, token in
      pass("signature")
      return ["X-Token": token?.value ?? ""]
    }
    let manager = ClosureTokenManager { completion in
      pass("token")
      completion(.success(AccessToken(value: "second")))
    }
    let harness = VirtualHarness.held(tokenManager: manager)
    engine.withLock { $0 = harness.service.engine }
    let (_, results) = harness.send(authorization: .custom(signer))
    pass("response")
    expectEqual(harness.session.transfers.count, moment == "response" ? 1 : 0)
    harness.session.respondToAll()
    await harness.settle()
    expectEqual(results.elements.map(\.error?.kind), [.cancelled])
    expectEqual(harness.story().contains("authorized"), moment == "response")
  }

  /// A request that waits for a token fails with the reason.
  @Test func queuedAndWaitingRequestsAreNotSent() async {
    let harness = VirtualHarness.held(tokenManager: manager) {
      $0.layers = [.limits(RequestLimits(concurrentRequestsPerHost: 1))]
    }
    let results = Collector<Collector<WebServiceResult<City>>>()
    for path in ["a", "b"] { results.append(harness.send(path, authorization: .bearer).results) }
    whenSignedOut { harness.session.open.first?.respond() }
    results.append(harness.send("c", authorization: .bearer).results)
    manager.clear()
    await harness.settle()
    expectEqual(harness.session.paths, ["/a"])
    expectEqual(results.elements.map { $0.elements.map(\.error?.kind) }, [[.cancelled], [.cancelled], [.token]])
  }

  @Test func requestsOfTheNextUserGoOn() {
    let harnesses = (0..<2).map { _ in VirtualHarness.held(tokenManager: manager) }
    let results = Collector<Collector<WebServiceResult<City>>>()
    whenSignedOut { [manager] in
      manager.update(apiToken: "second", secondsRemaining: 10_000)
      for harness in harnesses { results.append(harness.send(authorization: .bearer).results) }
    }
    manager.clear()
    for harness in harnesses {
      expectEqual(harness.session.transfers.map { $0.request.headers["Authorization"] }, ["Bearer second"])
      harness.session.respondToAll()
      harness.queue.sync {}
    }
    expectEqual(results.elements.map { $0.elements.map(\.error?.kind) }, [[nil], [nil]])
  }

  @Test func streamOfFormerUserDeliversNoElement() {
    let harness = VirtualHarness.held(tokenManager: manager)
    let log = Collector<String>()
    harness.queue.suspend()
    let request = TestRequest(authorization: .bearer)
    harness.service.stream(request, as: .jsonLines(City.self), callbackQueue: harness.queue) { city in
      log.append(city.name)
    } completion: { result in
      log.append(result.failure.map { "\($0.kind)" } ?? "success")
    }
    harness.session.open.first?.respond(body: #"{"name": "Bath"}"#)
    whenSignedOut {
      harness.queue.resume()
      // Each part of the response takes one block of the queue.
      for _ in 0..<5 { harness.queue.sync {} }
    }
    manager.clear()
    expectEqual(log.elements, ["cancelled"])
  }

  @Test(arguments: ["download", "page", "pages", "stream"])
  @Caller func nothingOfFormerUserSucceedsAfterTheLastWait(form: String) async throws {
    let harness = VirtualHarness.held(tokenManager: manager)
    let file = try TemporaryFile(Data("old".utf8))
    let (service, request) = (harness.service, TestRequest(authorization: .bearer))
    let work = Task {
      await thrown {
        let pages = service.pages(of: request, parser: .data)
        switch form {
        case "download": try await service.download(request, to: file.url)
        case "page": for try await _ in pages { break }
        case "stream": _ = try await service.stream(request, as: .jsonLines(City.self))
        default: _ = try await pages.collect()
        }
      }?.kind
    }
    await harness.session.waitForTransfers(1)
    harness.session.respondToAll()
    // Blocks the caller's actor, which the end of the download has to wait for.
    for _ in 0..<100 where harness.service.requestCount > 0 { usleep(1000) }
    manager.clear()
    expectEqual(await work.value, .cancelled)
    expectEqual(try Data(contentsOf: file.url), Data("old".utf8))
  }

  @Test(arguments: [false, true])
  @Caller func elementOfFormerUserIsNotGivenAfterTheLastWait(isEvent: Bool) async throws {
    let harness = VirtualHarness.held(tokenManager: manager)
    let (service, request, log) = (harness.service, TestRequest(authorization: .bearer), Collector<String>())
    let work = Task {
      await thrown {
        if isEvent { for try await event in service.serverSentEvents(request) { log.append(event.data) } }
        for try await line in try await service.stream(request, as: .lines) { log.append(line) }
      }?.kind
    }
    await harness.session.waitForTransfers(1)
    let sent = try #require(harness.session.open.first).request
    sent.receiver?.didReceive(
      head: WebServiceResponse(statusCode: 200, headers: ["Content-Type": "text/event-stream"], url: sent.url))
    let end = isEvent ? "\n\n" : "\n"
    sent.receiver?.didReceive(Data(((isEvent ? "data: a" : "a") + end).utf8)) {}
    await log.waitForElements(1)
    sent.receiver?.didReceive(Data(((isEvent ? "data: b" : "b") + end).utf8)) {}
    // Blocks the caller's actor, for which the event has to wait.
    usleep(20_000)
    manager.clear()
    expectEqual(await work.value, .cancelled)
    expectEqual(log.elements, ["a"])
  }

  @Test func nextPageIsNotRequestedAsNextUser() async throws {
    let harness = VirtualHarness.scripted(.json(#"{"name": "Bath"}"#), tokenManager: manager)
    let pages = harness.service.pages(
      of: TestRequest(authorization: .bearer), as: City.self, by: .query("page", from: 1) { $1 + 1 })
    var iterator = pages.makeAsyncIterator()
    expectEqual(try await iterator.next()?.name, "Bath")
    manager.clear()
    manager.update(apiToken: "second", secondsRemaining: 10_000)
    await #expect { try await iterator.next() } throws: { ($0 as? WebServiceError)?.kind == .cancelled }
    expectEqual(harness.session.requests.count, 1)
    var again = pages.makeAsyncIterator()
    expectEqual(try await again.next()?.name, "Bath")
  }

  @Test func cacheRefreshInProgressEndsAtSignOut() async {
    let wall = WallClock()
    let harness = VirtualHarness.held(tokenManager: manager) {
      $0.layers = [.cache(ResponseCache(MemoryResponseStore()) { wall.now })]
    }
    let fresh: HTTPHeaders = [
      "Cache-Control": "max-age=60, stale-while-revalidate=600", "Date": HTTPDate.string(from: wall.now),
    ]
    for seconds in [0, 61.0] {
      wall.advance(by: seconds)
      for authorization in [WebServiceAuthorizationType.bearer, .none] {
        harness.send(authorization: authorization)
        if seconds == 0 { harness.session.open.first?.respond(200, fresh) }
      }
    }
    await harness.settle()
    expectEqual(harness.session.open.count, 2)
    manager.clear()
    expectEqual(harness.session.open.map { $0.request.headers["Authorization"] }, [nil])
    harness.session.respondToAll()
    CacheSession.queue.sync(flags: .barrier) {}
  }
}
