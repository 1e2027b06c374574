@testable import WebServicesTestSupport
@testable import WebServicesCore

/// The app's code must not run on the thread that all requests share. A marked queue stands for this thread: transfers
/// end and timers fire there.
@Suite(.leavesNothing) struct UserCallbackQueueTests {
  /// Records which code of the app runs, and whether that code wrongly runs on the shared queue.
  private final class Places: ReachabilityCheckable {
    private static let key = DispatchSpecificKey<Bool>()

    let shared = DispatchQueue(label: "shared by all requests")
    let notes = Collector<String>()

    init() { shared.setSpecific(key: Self.key, value: true) }

    func note(_ name: String) {
      notes.append(DispatchQueue.getSpecific(key: Self.key) == true ? "\(name) in the way" : name)
    }

    func isConnected() -> Bool {
      note("network")
      return true
    }
  }

  private let places = Places()

  private func harness(
    _ session: HeldSession = HeldSession(), configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> VirtualHarness<HeldSession> {
    let manager = ClosureTokenManager { [places] completion in
      places.note("token")
      completion(.success(AccessToken(value: "token")))
    } replace: { [places] completion in
      places.note("replacement")
      completion(.success(AccessToken(value: "other")))
    }
    return VirtualHarness.held(session, tokenManager: manager, configure: configure)
  }

  private func signer(needsToken: Bool = true) -> WebServiceAuthorizationType {
    .custom(
      RequestSigner(named: "noting", needsToken: needsToken) { [places] request, _ in
        places.note("signature of \(request.url.path)")
        return ["X-Signature": request.url.path]
      })
  }

  /// Completes the one open transfer on the shared queue, and waits for the consequences.
  private func respond(_ harness: VirtualHarness<HeldSession>, _ status: Int = 200, _ headers: HTTPHeaders = [:]) async
  {
    places.shared.sync { harness.session.open.first?.respond(status, headers) }
    await harness.settleUserCallbacks()
  }

  private func expectSuccess(
    _ harness: VirtualHarness<HeldSession>, _ results: Collector<WebServiceResult<City>>, notes: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await respond(harness)
    await harness.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")], sourceLocation: sourceLocation)
    #expect(places.notes.elements == notes, sourceLocation: sourceLocation)
    places.notes.removeAll()
  }

  @Test func anotherTransferIsPreparedOffTheSharedThread() async {
    func request(_ authorization: WebServiceAuthorizationType) -> TestRequest {
      TestRequest(path: "https://api.example.com/a", authorization: authorization)
    }
    var stale = TransportError(.connectionLost, message: "closed", mayHaveReachedServer: true)
    stale.isStaleConnection = true
    let content = PieceStream(["x"], length: 1) { [places] in if $0 == 0 { places.note("body") } }
    var put = request(.none)
    (put.method, put.body) = (.put, .stream(content, contentType: "text/plain"))
    let signed = ["token", "signature of /a"]
    let ends: [(TestRequest, end: (HeldTransfer) -> Void, notes: [String])] = [
      (request(.bearer), { $0.respond(401) }, ["token", "replacement"]),
      (request(signer()), { $0.respond(401) }, signed + ["replacement", "signature of /a"]),
      (request(signer()), { $0.respond(302, ["Location": "/b"]) }, signed + ["signature of /b"]),
      (
        request(signer(needsToken: false)), { $0.respond(302, ["Location": "/b"]) },
        ["signature of /a", "signature of /b"]
      ),
      (request(signer()), { $0.respond(503) }, signed + signed),
      (request(signer(needsToken: false)), { $0.respond(503) }, ["signature of /a", "signature of /a"]),
      (request(signer()), { [stale] in $0.complete(with: .failure(stale)) }, signed + signed),
      (put, { $0.respond(307, ["Location": "/b"]) }, ["body", "body"]), (put, { $0.respond(503) }, ["body", "body"]),
    ]
    for (request, end, notes) in ends {
      let harness = harness(HeldSession(usesDataTasks: request.body != nil)) { $0.retry = .standard }
      let results = harness.send(request).results
      await harness.session.waitForTransfers(1)
      places.shared.sync { harness.session.open.first.map(end) }
      await harness.settleUserCallbacks()
      places.shared.sync { harness.clock.advance(by: 1) }
      await harness.session.waitForTransfers(2)
      let isStale = harness.events.elements.contains {
        if case .retried(_, .transport) = $0.kind { true } else { false }
      }
      expectEqual(harness.session.open.first?.request.needsNewConnection, isStale)
      await expectSuccess(harness, results, notes: notes)
    }
  }

  @Test func requestAfterNetworkWaitRunsOffTheSharedThread() async {
    let harness = harness()
    harness.reachability.set(isConnected: false)
    let wait = RequestOptions { $0.connectivity = .wait(upTo: 10, interval: 1) }
    let (_, results) = harness.send(authorization: signer(), options: wait)
    for passed in [5.0, 1] {
      #expect(harness.session.transfers.isEmpty)
      places.shared.sync { harness.clock.advance(by: passed) }
      harness.reachability.set(isConnected: true)
    }
    await harness.settleUserCallbacks()
    expectEqual(harness.story().filter { $0 == "waiting(connectivity)" }.count, 1)
    await expectSuccess(harness, results, notes: ["token", "signature of /a"])
    harness.reachability.set(isConnected: false)
    harness.send(options: wait).task.cancel()
    await harness.settle()
  }

  @Test func networkIsCheckedOffTheSharedThreadBeforeARetry() async {
    let (session, clock, results) = (HeldSession(), VirtualClock(), Collector<Bool>())
    let service = JsonWebService(
      session: session, tokenManager: FakeTokenManager(), reachability: places,
      configuration: WebServiceConfiguration(retry: .standard, clock: clock))
    let request = TestRequest(authorization: .bearer)
    service.sendRequest(request, parser: .nothing, callbackQueue: .global()) { results.append($0.failure == nil) }
    session.open.first?.respond(503)
    places.shared.sync { clock.advance(by: 60) }
    await session.waitForTransfers(2)
    session.open.first?.respond()
    expectEqual(await results.elements(1), [true])
    expectEqual(places.notes.elements, ["network", "network"])
  }

  @Test func readingAndCompletionsRunOffTheSharedThread() async {
    let places = places
    let harness = harness { configuration in
      configuration.validators = [ResponseValidator { _ in places.note("validator") }]
    }
    let parser = ResponseParser<Int> { response in
      places.note("parser")
      return response.statusCode
    }
    let results = Collector<Int?>()
    harness.service.sendRequest(TestRequest(), parser: parser, callbackQueue: harness.queue) { result in
      places.note("completion")
      results.append(try? result.get())
    }
    await respond(harness)
    await harness.settle()
    expectEqual(results.elements, [200])
    expectEqual(places.notes.elements, ["validator", "parser", "completion"])
  }

  @Test(arguments: [401, 302])
  func cancelPreventsTokenReplacementAndSigning(status: Int) async {
    let harness = harness()
    let (task, results) = harness.send(authorization: signer())
    let gate = DispatchSemaphore(value: 0)
    UserCallbackQueue.shared.async(flags: .barrier) { gate.wait() }
    harness.session.open.first?.respond(status, ["Location": "/b"])
    task.cancel()
    gate.signal()
    await harness.settleUserCallbacks()
    await harness.settle()
    expectEqual(results.elements.map(\.error?.kind), [.cancelled])
    expectEqual(places.notes.elements, ["token", "signature of /a"])
    expectEqual(harness.session.transfers.count, 1)
  }

  /// A manager may call back within its call, on the caller's thread or on another one.
  @Test(arguments: [false, true])
  func callbackWithinTheCallSendsTheRequest(usesOtherThread: Bool) async {
    let (session, sent) = (HeldSession(), Collector<Int>())
    let manager = ClosureTokenManager { completion in
      let hasCalled = DispatchSemaphore(value: 0)
      let call = { @Sendable () -> Void in
        completion(.success(AccessToken(value: "token")))
        hasCalled.signal()
      }
      if usesOtherThread { Thread.detachNewThread(call) } else { call() }
      hasCalled.wait()
      sent.append(session.transfers.count)
    }
    let harness = VirtualHarness.held(session, tokenManager: manager)
    let (_, results) = harness.send(authorization: .bearer)
    expectEqual(sent.elements, [1])
    await harness.expectCity(results)
  }

  /// A storage that blocks one renewal must not delay another. A barrier of another test may come between both blocks.
  @Test func blockedCodeDelaysNoOther() {
    let hasMet = (0..<50).contains { _ in
      let (met, ended, hasMet) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Locked(false))
      UserCallbackQueue.shared.async {
        let isSuccess = met.wait(timeout: .now() + 0.2) == .success
        hasMet.withLock { $0 = isSuccess }
        ended.signal()
      }
      UserCallbackQueue.shared.async { met.signal() }
      ended.wait()
      return hasMet.withLock { $0 }
    }
    #expect(hasMet)
  }
}
