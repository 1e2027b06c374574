@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesHTTP

@Suite(.leavesNothing) struct SigningTests {
  private struct Refusal: Error, Equatable {}

  /// Signs each time with a new number, in two header fields.
  private func authorization(
    needsToken: Bool = true, failsAt failing: Int = .max, signed: Collector<String> = Collector()
  ) -> WebServiceAuthorizationType {
    .custom(
      RequestSigner(named: "test", needsToken: needsToken) { request, token in
        let count = signed.elements.count + 1
        guard count < failing else { throw Refusal() }
        #expect(request.headers["X-Signature"] == nil && request.headers["X-Nonce"] == nil)
        signed.append("\(request.method) \(request.url.path)")
        return ["X-Signature": "\(token?.value ?? "none")-\(request.url.path)-\(count)", "X-Nonce": "nonce-\(count)"]
      })
  }

  private func fields(_ transfer: HeldTransfer?) -> [String?] {
    ["X-Signature", "X-Nonce"].map { transfer?.request.headers[$0] }
  }

  @Test(arguments: [true, false])
  func eachAttemptIsSigned(needsToken: Bool) async {
    let harness = VirtualHarness.held { $0.retry = RetryPolicy(attemptLimit: 3) }
    let signed = Collector<String>()
    let (_, results) = harness.send(authorization: authorization(needsToken: needsToken, signed: signed))
    let token = needsToken ? "fake-token" : "none"
    for attempt in 1...3 {
      expectEqual(fields(harness.session.open.first), ["\(token)-/a-\(attempt)", "nonce-\(attempt)"])
      harness.session.open.first?.respond(attempt == 3 ? 200 : 503)
      harness.clock.advance(by: attempt == 3 ? 0 : 1)
      await harness.settleUserCallbacks()
    }
    await harness.settle()
    expectEqual(results.elements.map(\.model), [City(name: "Bath")])
    expectEqual(signed.elements, ["GET /a", "GET /a", "GET /a"])
  }

  @Test func redirectIsSignedOnlyWithinTheOrigin() async {
    let harness = VirtualHarness.held()
    let signed = Collector<String>()
    let request = TestRequest(
      path: "https://api.example.com/a", method: .post, body: .json("x"),
      authorization: authorization(signed: signed))
    let (_, results) = harness.send(request)
    harness.session.open.first?.respond(307, ["Location": "/b"])
    await harness.settleUserCallbacks()
    expectEqual(fields(harness.session.open.first), ["fake-token-/b-2", "nonce-2"])
    harness.session.open.first?.respond(303, ["Location": "/c"])
    await harness.settleUserCallbacks()
    expectEqual(fields(harness.session.open.first), ["fake-token-/c-3", "nonce-3"])
    harness.session.open.first?.respond(302, ["Location": "https://other.example.com/d"])
    expectEqual(fields(harness.session.open.first), [nil, nil])
    harness.session.open.first?.respond(302, ["Location": "https://api.example.com/e"])
    expectEqual(fields(harness.session.open.first), [nil, nil])
    await harness.expectCity(results)
    expectEqual(signed.elements, ["POST /a", "POST /b", "GET /c"])
  }

  @Test func challengeLeadsToOneMoreSignature() async {
    let harness = VirtualHarness.held()
    let challenges = Collector<String?>()
    let signer = RequestSigner(named: "test", needsToken: false) { _, _ in
      ["X-Signature": (challenges.elements.last ?? nil) ?? "none"]
    } onChallenge: { response, _ in
      challenges.append(response.headers["WWW-Authenticate"])
      return true
    }
    let (_, results) = harness.send(authorization: .custom(signer))
    for challenge in ["first", "second"] {
      harness.session.open.first?.respond(401, ["WWW-Authenticate": challenge])
      await harness.settleUserCallbacks()
    }
    await harness.settle()
    expectEqual(results.elements.first?.error?.statusCode, 401)
    expectEqual(challenges.elements, ["first"])
    expectEqual(harness.session.transfers.map { $0.request.headers["X-Signature"] }, ["none", "first"])
  }

  @Test(arguments: 1...3)
  func signerErrorEndsTheRequest(failing: Int) async {
    let harness = VirtualHarness.held { $0.retry = .standard }
    let (_, results) = harness.send(authorization: authorization(failsAt: failing))
    if failing > 1 {
      harness.session.open.first?.respond(503)
      harness.clock.advance(by: 0.5)
      await harness.settleUserCallbacks()
    }
    if failing > 2 { harness.session.open.first?.respond(302, ["Location": "/b"]) }
    await harness.settleUserCallbacks()
    await harness.settle()
    let error = results.elements.first?.error
    expectEqual(error?.kind, .token)
    expectEqual(error?.underlying(as: Refusal.self), Refusal())
    expectEqual(harness.session.transfers.count, failing - 1)
  }

  @Test func signOutEndsOnlyRequestsWithTokens() async {
    let manager = BasicAuthManager(storage: InMemoryTokenStorage(), clock: VirtualClock())
    manager.update(apiToken: "old", secondsRemaining: 600)
    let harness = VirtualHarness.held(tokenManager: manager) { $0.retry = .standard }
    let kinds: [WebServiceAuthorizationType] = [
      .bearer, .apiToken, .header(named: "X-Key"), authorization(), .none, .basic(user: "me", password: "word"),
      authorization(needsToken: false),
    ]
    let results = kinds.enumerated().map { harness.send("\($0)", authorization: $1).results }
    let (_, pausing) = harness.send("pausing", authorization: .bearer)
    harness.session.open.last?.respond(503)
    let (_, responded) = harness.send("responded", authorization: .bearer)
    // The responses have arrived, but the queue of the completions is blocked.
    let gate = DispatchSemaphore(value: 0)
    harness.queue.async { gate.wait() }
    harness.session.open.last?.respond()
    let transfers = harness.session.transfers
    manager.clear()
    gate.signal()
    await harness.settle()
    for transfer in transfers { transfer.respondAgain() }
    transfers.forEach { $0.respond() }
    harness.clock.advance(by: 100)
    await harness.settle()
    let cancelled = results.prefix(4) + [pausing, responded]
    for result in cancelled { expectEqual(result.elements.map(\.error?.kind), [.cancelled]) }
    for result in results.dropFirst(4) { expectEqual(result.elements.map(\.model), [City(name: "Bath")]) }
  }
}
