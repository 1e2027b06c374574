@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesHTTP

/// The app's code must not run on the thread that all requests share. A marked queue stands for this thread: transfers
/// end and timers fire there.
@Suite(.leavesNothing) struct UserCallbackQueueTests {
  /// Records which code of the app runs, and whether that code wrongly runs on the shared queue.
  private final class Places: Sendable {
    private static let key = DispatchSpecificKey<Bool>()

    let shared = DispatchQueue(label: "shared by all requests")
    let notes = Collector<String>()

    init() { shared.setSpecific(key: Self.key, value: true) }

    func note(_ name: String) {
      notes.append(DispatchQueue.getSpecific(key: Self.key) == true ? "\(name) in the way" : name)
    }
  }

  private struct NotingTokenManager: WebServiceTokenManageable {
    let places: Places

    func ensureValidToken(
      ofType type: WebServiceAuthorizationType, completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
    ) {
      places.note("token")
      completion(.success(AccessToken(value: "token")))
    }

    func replaceRefusedToken(
      _ token: AccessToken, ofType type: WebServiceAuthorizationType, through service: any JsonWebServiceable,
      completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
    ) {
      places.note("replacement")
      completion(.success(AccessToken(value: "other")))
    }
  }

  private let places = Places()

  private func harness(
    _ session: HeldSession = HeldSession(), configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> VirtualHarness<HeldSession> {
    VirtualHarness.held(session, tokenManager: NotingTokenManager(places: places), configure: configure)
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

  /// Runs `work` while `UserCallbackQueue` is blocked, so that the app's code runs after `work`.
  private func holdingUserCallbacks(_ work: () -> Void) {
    let gate = DispatchSemaphore(value: 0)
    UserCallbackQueue.shared.async(flags: .barrier) { gate.wait() }
    work()
    gate.signal()
  }

  private func expectSuccess(
    _ harness: VirtualHarness<HeldSession>, _ results: Collector<WebServiceResult<City>>, notes: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await respond(harness)
    await harness.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")], sourceLocation: sourceLocation)
    #expect(places.notes.elements == notes, sourceLocation: sourceLocation)
  }

  @Test(arguments: [false, true])
  func tokenReplacementRunsOffTheSharedThread(isSigned: Bool) async {
    let harness = harness()
    let (_, results) = harness.send(authorization: isSigned ? signer() : .bearer)
    await respond(harness, 401)
    let notes = isSigned ? ["token", "signature of /a", "replacement", "signature of /a"] : ["token", "replacement"]
    await expectSuccess(harness, results, notes: notes)
  }

  @Test(arguments: [false, true])
  func redirectIsSignedOffTheSharedThread(needsToken: Bool) async {
    let harness = harness()
    let (_, results) = harness.send(authorization: signer(needsToken: needsToken))
    await respond(harness, 302, ["Location": "/b"])
    let notes = (needsToken ? ["token"] : []) + ["signature of /a", "signature of /b"]
    await expectSuccess(harness, results, notes: notes)
  }

  @Test(arguments: [307, 503])
  func bodyIsRemadeOffTheSharedThread(status: Int) async {
    let harness = harness(HeldSession(usesDataTasks: true)) { $0.retry = .standard }
    let content = PieceStream(["x"], length: 1) { [places] in if $0 == 0 { places.note("body") } }
    let body = RequestBody.stream(content, contentType: "text/plain")
    let (_, results) = harness.send(TestRequest(path: "https://api.example.com/a", method: .put, body: body))
    await respond(harness, status, ["Location": "/b"])
    places.shared.sync { harness.clock.advance(by: 1) }
    await harness.settleUserCallbacks()
    await expectSuccess(harness, results, notes: ["body", "body"])
  }

  @Test(arguments: [false, true])
  func retryIsAuthorizedOffTheSharedThread(isAtOnce: Bool) async {
    let harness = harness { $0.retry = .standard }
    let (_, results) = harness.send(authorization: signer())
    if isAtOnce {
      var error = TransportError(.connectionLost, message: "closed", mayHaveReachedServer: true)
      error.isStaleConnection = true
      places.shared.sync { harness.session.open.first?.fail(error) }
    } else {
      await respond(harness, 503)
      places.shared.sync { harness.clock.advance(by: 1) }
    }
    await harness.settleUserCallbacks()
    await expectSuccess(harness, results, notes: ["token", "signature of /a", "token", "signature of /a"])
  }

  @Test func requestAfterNetworkWaitRunsOffTheSharedThread() async {
    let harness = harness { $0.connectivity = .wait(upTo: 10, interval: 1) }
    harness.reachability.set(isConnected: false)
    let (_, results) = harness.send(authorization: signer())
    harness.reachability.set(isConnected: true)
    places.shared.sync { harness.clock.advance(by: 1) }
    await harness.settleUserCallbacks()
    await expectSuccess(harness, results, notes: ["token", "signature of /a"])
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

  @Test func plainRequestStaysOnTheSharedThread() async {
    let harness = harness { $0.retry = .standard }
    let (_, results) = harness.send(authorization: .basic(user: "u", password: "p"))
    harness.session.open.first?.respond(302, ["Location": "/b"])
    expectEqual(harness.session.transfers.count, 2)
    harness.session.open.first?.respond(503)
    harness.clock.advance(by: 1)
    expectEqual(harness.session.transfers.count, 3)
    await expectSuccess(harness, results, notes: [])
  }

  @Test(arguments: [401, 302])
  func cancelPreventsTokenReplacementAndSigning(status: Int) async {
    let harness = harness()
    let (task, results) = harness.send(authorization: signer())
    holdingUserCallbacks {
      harness.session.open.first?.respond(status, ["Location": "/b"])
      task.cancel()
    }
    await harness.settleUserCallbacks()
    await harness.settle()
    expectEqual(results.elements.map(\.error?.kind), [.cancelled])
    expectEqual(places.notes.elements, ["token", "signature of /a"])
    expectEqual(harness.session.transfers.count, 1)
  }
}
