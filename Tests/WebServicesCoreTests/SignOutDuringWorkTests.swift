@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesHTTP
@testable import WebServicesResilience
@testable import WebServicesStreaming

/// A sign-out between two requests of a download, an event stream, a page sequence or a cache refresh.
@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct SignOutDuringWorkTests {
  private let manager = BasicAuthManager(clock: VirtualClock())

  init() {
    manager.update(apiToken: "first", secondsRemaining: 10_000)
  }

  private func changeUser() {
    manager.clear()
    manager.update(apiToken: "second", secondsRemaining: 10_000)
  }

  // MARK: Between a sign-out and its cancels

  /// Runs an action, and then delivers a token.
  private struct LateTokenManager: WebServiceTokenManageable {
    let action: @Sendable () -> Void

    func ensureValidToken(
      ofType type: WebServiceAuthorizationType, completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
    ) {
      action()
      completion(.success(AccessToken(value: "second")))
    }
  }

  @Test(arguments: ["token", "signature", "response"])
  func requestEndsAlsoIfTheSignOutHasNotCancelledItYet(moment: String) async {
    let registry = Locked<RunRegistry?>(nil)
    let pass: @Sendable (String) -> Void = { passed in
      if passed == moment { _ = registry.withLock { $0 }?.changeIdentity() }
    }
    let signer = RequestSigner(named: "test", needsToken: true) { _, token in
      pass("signature")
      return ["X-Token": token?.value ?? ""]
    }
    let harness = VirtualHarness.held(tokenManager: LateTokenManager { pass("token") })
    registry.withLock { $0 = harness.service.engine.registry }
    let (_, results) = harness.send(authorization: .custom(signer))
    pass("response")
    expectEqual(harness.session.transfers.count, moment == "response" ? 1 : 0)
    harness.session.respondToAll()
    await harness.settle()
    expectEqual(results.elements.map(\.error?.kind), [.cancelled])
    expectEqual(harness.story().contains("authorized"), moment != "token")
  }

  // MARK: Downloads

  /// The outcome of a download whose connection breaks once. `meanwhile` runs before the download resumes.
  private func download(
    _ authorization: WebServiceAuthorizationType, meanwhile: @escaping @Sendable () -> Void
  ) async throws -> (harness: SocketHarness, error: WebServiceError?) {
    let data = pattern(100_000)
    let harness = try SocketHarness(TransportKind.own[0], tokenManager: manager) { configuration in
      configuration.retry.backoff = RetryPolicy.Backoff(base: 1)
      // The retry delay is drawn between the end of one request and the next request.
      configuration.random = RetryPolicy.RandomSource {
        meanwhile()
        return 0
      }
    }
    let headers: HTTPHeaders = ["ETag": "\"v1\"", "Content-Length": "\(data.count)"]
    let rest: HTTPHeaders = ["Content-Range": "bytes 50000-99999/100000"]
    harness.server.script(
      .get, "/file",
      [
        [.head(status: 200, headers: headers), .body(data.prefix(50_000)), .close],
        .data(data.dropFirst(50_000), status: 206, headers: rest),
      ])
    let (_, results) = harness.download(TestRequest(path: "file", authorization: authorization))
    await results.waitForElements(1)
    return (harness, results.elements[0].failure)
  }

  @Test(arguments: [WebServiceAuthorizationType.bearer, .none])
  func onlyDownloadWithoutTokenIsResumed(authorization: WebServiceAuthorizationType) async throws {
    let hasToken = authorization == .bearer
    let (harness, error) = try await download(authorization, meanwhile: changeUser)
    expectEqual(error?.kind, (hasToken ? .cancelled : nil))
    expectEqual(
      harness.server.requests.map { $0.headers["Authorization"] }, (hasToken ? ["Bearer first"] : [nil, nil]))
    expectEqual(harness.content, (hasToken ? nil : pattern(100_000)))
    expectEqual(harness.names.isEmpty, hasToken)
  }

  // MARK: Event streams

  private func streamHarness() -> VirtualHarness<MockURLSession> {
    let harness = VirtualHarness.scripted(tokenManager: manager)
    let headers: HTTPHeaders = ["Content-Type": "text/event-stream"]
    for body in ["id: 7\ndata: a\n\n", "data: b\n\n"] {
      harness.session.script(.get, "/cities", .data(Data(body.utf8), headers: headers))
    }
    harness.session.script(.get, "/cities", .status(204))
    return harness
  }

  /// The second event of a stream. `meanwhile` runs while the stream waits for its reconnection.
  private func secondEvent(
    of service: any JsonWebServiceable, _ harness: VirtualHarness<MockURLSession>,
    _ authorization: WebServiceAuthorizationType,
    meanwhile: () -> Void
  ) async throws -> Result<ServerSentEvent?, WebServiceError> {
    var events = service.serverSentEvents(TestRequest(authorization: authorization)).makeAsyncIterator()
    expectEqual(try await events.next()?.data, "a")
    let second = Task { [events] in
      var events = events
      do throws(WebServiceError) {
        return Result<ServerSentEvent?, WebServiceError>.success(try await events.next())
      } catch {
        return .failure(error)
      }
    }
    await harness.clock.waitForTimer(after: 3)
    meanwhile()
    harness.clock.advance(by: 3)
    return await second.value
  }

  @Test(arguments: [WebServiceAuthorizationType.bearer, .none])
  func onlyEventStreamWithoutTokenReconnectsAfterSignOut(authorization: WebServiceAuthorizationType) async throws {
    let hasToken = authorization == .bearer
    let harness = streamHarness()
    let second = try await secondEvent(of: harness.service, harness, authorization, meanwhile: changeUser)
    expectEqual(second.failure?.kind, (hasToken ? .cancelled : nil))
    if !hasToken { expectEqual(try second.get()?.data, "b") }
    let requests = harness.session.requests
    expectEqual(requests.map { $0.value(forHTTPHeaderField: "Last-Event-ID") }, (hasToken ? [nil] : [nil, "7"]))
    expectEqual(requests.first?.value(forHTTPHeaderField: "Authorization"), (hasToken ? "Bearer first" : nil))
  }

  /// Sends everything through the service that is current at that moment.
  private final class Forwarder: JsonWebServiceable {
    let target: Locked<JsonWebService>
    init(_ target: JsonWebService) { self.target = Locked(target) }

    func sendRequest<Value: Sendable>(
      _ requestData: some WebServiceRequestData, parser: ResponseParser<Value>, callbackQueue: DispatchQueue,
      completion: @escaping @Sendable (Result<Value, WebServiceError>) -> Void
    ) -> WebServiceTask {
      target.withLock { $0 }.sendRequest(
        requestData, parser: parser, callbackQueue: callbackQueue, completion: completion)
    }
  }

  @Test(
    arguments: [WebServiceAuthorizationType.none, .bearer])
  func eventStreamDoesNotReconnectThroughNextService(authorization: WebServiceAuthorizationType) async throws {
    let (former, next) = (streamHarness(), streamHarness())
    let forwarder = Forwarder(former.service)
    let second = try await secondEvent(of: forwarder, former, authorization) {
      former.service.invalidateAndCancel()
      forwarder.target.withLock { $0 = next.service }
    }
    expectEqual(second.failure?.kind, .cancelled)
    #expect(next.session.requests.isEmpty)
  }

  // MARK: Pages

  @Test func nextPageIsNotRequestedAsNextUser() async throws {
    let harness = VirtualHarness.scripted(.json(#"{"name": "Bath"}"#), tokenManager: manager)
    let pages = harness.service.pages(
      of: TestRequest(authorization: .bearer), as: City.self, by: .query("page", from: 1) { $1 + 1 })
    var iterator = pages.makeAsyncIterator()
    expectEqual(try await iterator.next()?.name, "Bath")
    changeUser()
    await #expect { try await iterator.next() } throws: { ($0 as? WebServiceError)?.kind == .cancelled }
    expectEqual(harness.session.requests.count, 1)
    var again = pages.makeAsyncIterator()
    expectEqual(try await again.next()?.name, "Bath")
  }

  // MARK: The cache

  /// Keeps responses in memory. Lookups block while the test has closed the gate.
  private final class HeldStore: ResponseStore {
    private let store = MemoryResponseStore()
    private let gate = DispatchSemaphore(value: 1)

    var isImmediate: Bool { false }

    func close() { gate.wait() }
    func open() { gate.signal() }

    func lookup(_ key: CacheKey) -> [CachedResponse] {
      gate.wait()
      defer { gate.signal() }
      return store.lookup(key)
    }

    func store(_ response: CachedResponse, for key: CacheKey) { store.store(response, for: key) }
    func remove(_ key: CacheKey) { store.remove(key) }
    func removeAll(ofURL url: String) { store.removeAll(ofURL: url) }
    func removeAll() { store.removeAll() }
  }

  @Test(
    arguments: [WebServiceAuthorizationType.bearer, .none])
  func cacheIsNotRefreshedAfterSignOut(authorization: WebServiceAuthorizationType) async throws {
    let (store, wall) = (HeldStore(), WallClock())
    let harness = VirtualHarness.held(tokenManager: manager) { configuration in
      configuration.layers = [.cache(ResponseCache(store) { wall.now })]
    }
    let (_, first) = harness.send(authorization: authorization)
    await harness.session.waitForTransfers(1)
    harness.session.open.first?.respond(200, staleSoon(wall))
    await first.waitForElements(1)
    wall.advance(by: 61)
    store.close()
    let (_, second) = harness.send(authorization: authorization)
    changeUser()
    store.open()
    await second.waitForElements(1)
    await Self.cacheQueuePassed()
    let isSignedOut = authorization == .bearer
    expectEqual(second.elements.map(\.error?.kind), [isSignedOut ? .cancelled : nil])
    expectEqual(harness.session.transfers.count, (isSignedOut ? 1 : 2))
    for transfer in harness.session.open { transfer.respond() }
    await Self.cacheQueuePassed()
  }

  @Test func cacheRefreshInProgressEndsAtSignOut() async throws {
    let wall = WallClock()
    let harness = VirtualHarness.held(tokenManager: manager) { configuration in
      configuration.layers = [.cache(ResponseCache(MemoryResponseStore()) { wall.now })]
    }
    for round in 0..<2 {
      for authorization in [WebServiceAuthorizationType.bearer, .none] {
        harness.send(authorization: authorization)
        guard round == 0 else { continue }
        harness.session.open.first?.respond(200, staleSoon(wall))
      }
      wall.advance(by: 61)
    }
    await harness.settle()
    expectEqual(harness.session.open.count, 2)
    changeUser()
    expectEqual(harness.session.open.map { $0.request.headers["Authorization"] }, [nil])
    for transfer in harness.session.open { transfer.respond() }
    await Self.cacheQueuePassed()
  }

  /// The header fields of a response that is fresh for a minute, and served for ten more while it is refreshed.
  private func staleSoon(_ wall: WallClock) -> HTTPHeaders {
    ["Cache-Control": "max-age=60, stale-while-revalidate=600", "Date": HTTPDate.string(from: wall.now)]
  }

  private static func cacheQueuePassed() async {
    await withCheckedContinuation { continuation in
      CacheSession.queue.async(flags: .barrier) { continuation.resume() }
    }
  }
}
