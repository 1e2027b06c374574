@testable import WebServicesTestSupport

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

  @Test func eachStepIsSignedWithinTheOrigin() async {
    let harness = VirtualHarness.held {
      $0.retry = RetryPolicy(attemptLimit: 4)
      $0.redaction = Redaction(headerNames: ["Date"])
    }
    let (signed, signedWithoutToken) = (Collector<String>(), Collector<String>())
    let request = TestRequest(
      path: "https://api.example.com/a", method: .put, headers: ["Cookie": "a", "Date": "b", "Accept-Language": "de"],
      body: .json("x"), authorization: authorization(signed: signed))
    let (_, results) = harness.send(request)
    /// Ends the open transfer, and returns the signature of the next one.
    func next(_ status: Int, _ location: String = "") async -> [String?] {
      await harness.respond(status, ["Location": location], thenPass: status == 503 ? 2 : 0)
      return fields(harness.session.open.first)
    }
    expectEqual(fields(harness.session.open.first), ["fake-token-/a-1", "nonce-1"])
    expectEqual(await next(503), ["fake-token-/a-2", "nonce-2"])
    expectEqual(await next(307, "/b"), ["fake-token-/b-3", "nonce-3"])
    expectEqual(await next(303, "/c"), ["fake-token-/c-4", "nonce-4"])
    expectEqual(await next(503), ["fake-token-/c-5", "nonce-5"])
    expectEqual(await next(302, "https://other.example.com/d"), [nil, nil])
    let names = harness.session.open.first?.request.headers.map(\.name) ?? []
    #expect(names.contains("Accept-Language") && !names.contains("Cookie") && !names.contains("Date"))
    expectEqual(await next(503), [nil, nil])
    // A redirect back to the first origin changes nothing.
    expectEqual(await next(302, "https://api.example.com/e"), [nil, nil])
    await harness.expectCity(results)
    expectEqual(signed.elements, ["PUT /a", "PUT /a", "PUT /b", "GET /c", "GET /c"])
    expectEqual(harness.session.paths, ["/a", "/a", "/b", "/c", "/c", "/d", "/d", "/e"])
    harness.send(authorization: authorization(needsToken: false, signed: signedWithoutToken))
    expectEqual(fields(harness.session.open.first), ["none-/a-1", "nonce-1"])
    harness.session.respondToAll()
  }

  @Test(arguments: 1...3)
  func signerErrorEndsTheRequest(failing: Int) async {
    let harness = VirtualHarness.held { $0.retry = .standard }
    let (_, results) = harness.send(authorization: authorization(failsAt: failing))
    for status in [503, 302].prefix(failing - 1) {
      await harness.respond(status, ["Location": "/b"], thenPass: 0.5)
    }
    await harness.settle()
    let error = results.elements.first?.error
    expectEqual(error?.kind, .token)
    expectEqual(error?.underlying(as: Refusal.self), Refusal())
    expectEqual(harness.session.transfers.count, failing - 1)
  }

  /// The retry policy judges the 401 of any other signer, and the 401 that a signer can't respond to.
  @Test(arguments: [true, false, nil] as [Bool?])
  func onlyASignerOfChallengesGetsThe401(responds: Bool?) async {
    let harness = VirtualHarness.held { $0.retry = RetryPolicy(statusCodes: [401]) }
    let read: RequestSigner.ChallengeReading = { _, _ in responds == true }
    let signer = RequestSigner(
      named: "test", needsToken: false, signing: { _, _ in [:] }, onChallenge: responds == nil ? nil : read)
    let (_, results) = harness.send(authorization: .custom(signer))
    await harness.respond(401)
    expectEqual(harness.session.open.count, responds == true ? 1 : 0)
    await harness.respond(401, thenPass: 1)
    await harness.expectCity(results)
    expectEqual(harness.story().filter { $0.hasPrefix("received") }.count, responds == true ? 3 : 2)
    expectEqual(harness.story().filter { $0 == "retried" }.count, responds == true ? 2 : 1)
  }

  @Test func signOutEndsOnlyRequestsWithTokens() async {
    let manager = BasicAuthManager(clock: VirtualClock())
    manager.update(apiToken: "old", secondsRemaining: 600)
    let harness = VirtualHarness.held(tokenManager: manager)
    let types: [WebServiceAuthorizationType] = [
      .bearer, .apiToken, .header(named: "X-Key"), authorization(), .none, .basic(user: "me", password: "word"),
      authorization(needsToken: false),
    ]
    let results = types.map { harness.send(authorization: $0).results }
    manager.clear()
    harness.session.respondToAll()
    await harness.settle()
    let kinds: [WebServiceError.Kind?] = [.cancelled, .cancelled, .cancelled, .cancelled, nil, nil, nil]
    expectEqual(results.flatMap { $0.elements.map(\.error?.kind) }, kinds)
  }
}
