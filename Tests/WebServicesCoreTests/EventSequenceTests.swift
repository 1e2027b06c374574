@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite(.leavesNothing) struct EventSequenceTests {
  /// Two threads may read the clock in one order and report in the other.
  @Test func timesOfEventsNeverGoBack() {
    var order = EventOrder()
    expectEqual([2, 1, 3].map { order.timeInOrder($0) }, [2, 2, 3])
  }

  @Test func eventWaitsForTheThreadThatNotifiesTheMonitors() {
    var order = EventOrder()
    let event = RequestEvent(
      requestID: 1, time: 0, start: 0, method: .get, url: RequestEvent.RedactedURL("/"), kind: .described)
    expectEqual((0..<2).map { _ in order.add(event, isLast: false) }, [true, false])
    expectEqual((0..<2).map { _ in order.next() == nil }, [false, true])
    // No event follows the delivery.
    expectEqual([true, false].map { order.add(event, isLast: $0) }, [true, false])
    #expect(order.next() == nil)
  }

  @Test(
    arguments: [
      (200, ["received(200)", "decoded", "success"]),
      (302, ["received(302)", "redirected", "sent", "received(200)", "decoded", "success"]),
      (401, ["received(401)", "retried", "authorized", "sent", "received(200)", "decoded", "success"]),
      (
        503,
        [
          "received(503)", "retried", "waiting(retryDelay)", "waiting(token)", "authorized", "sent", "received(200)",
          "decoded", "success",
        ]
      ),
    ] as [(Int, [String])])
  func firstResponseDecidesTheNextEvents(status: Int, words: [String]) async {
    let waiting = Collector<ClosureTokenManager.Completion>()
    let manager = ClosureTokenManager(ensure: waiting.append, replace: waiting.append)
    let harness = VirtualHarness.held(tokenManager: manager) { $0.retry = .standard }
    harness.send(authorization: .bearer)
    waiting.elements.first?(.success(AccessToken(value: "old")))
    await harness.respond(status, ["Location": "/b?token=secret"], thenPass: 1)
    waiting.elements.dropFirst().first?(.success(AccessToken(value: "new")))
    await harness.settleUserCallbacks()
    harness.session.open.first?.respond()
    await harness.settle()
    expectEqual(harness.story(), ["described", "waiting(token)", "authorized", "sent"] + words)
  }

  @Test func eventsBelongToTheirTransferAndAttempt() async {
    let harness = VirtualHarness.held()
    harness.send()
    harness.session.open.first?.respond(302, ["Location": "/b?token=secret"])
    harness.session.open.first?.respond()
    await harness.settle()
    let events = harness.events.elements
    expectEqual(events.map(\.transfer), [0, 0, 1, 1, 1, 2, 2, 2, 2])
    expectEqual(events.map(\.attempt), [0, 0, 1, 1, 1, 1, 1, 1, 1])
    let urls = events.map { "\($0.url)" }
    #expect(urls.prefix(4).allSatisfy { $0.hasSuffix("/a") })
    #expect(urls.dropFirst(4).allSatisfy { $0.hasSuffix("/b?token=<redacted>") })
    let (_, results) = harness.send()
    harness.session.open.first?.respond(302, ["Location": "http://api.example.com/b"])
    await harness.settle()
    expectEqual(results.elements.first?.error?.phase, .judge)
    expectEqual(harness.events.elements.compactMap(\.status), [200, 302])
  }

  /// The events of a request.
  ///
  /// - Parameters:
  ///   - prepare: runs before the request.
  ///   - end: completes the transfer.
  private func story(
    of request: TestRequest = TestRequest(),
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(error: URLError(.unknown)),
    prepare: (VirtualHarness<HeldSession>) -> Void = { _ in }, end: (HeldTransfer) -> Void = { _ in }
  ) async -> [String] {
    let harness = VirtualHarness.held(tokenManager: tokenManager)
    prepare(harness)
    harness.send(request)
    harness.session.open.first.map(end)
    await harness.settleUserCallbacks()
    await harness.settle()
    return harness.story()
  }

  @Test func failureAtEachStationEmitsEventsInOrder() async {
    let begun = ["described", "authorized", "sent"]
    expectEqual(await story(of: TestRequest(path: "https://")), ["failure(badURL)"])
    expectEqual(
      await story(prepare: { $0.reachability.set(isConnected: false) }), ["described", "failure(noConnection)"])
    expectEqual(
      await story(of: TestRequest(authorization: .bearer)), ["described", "waiting(token)", "failure(token)"])
    expectEqual(await story(end: { $0.fail(URLError(.timedOut)) }), begun + ["failure(timedOut)"])
    expectEqual(await story(end: { $0.respond(404) }), begun + ["received(404)", "failure(statusCode(404))"])
    expectEqual(await story(end: { $0.respond(body: "[]") }), begun + ["received(200)", "failure(undecodableBody)"])
    expectEqual(
      await story(prepare: { $0.service.invalidateAndCancel() }), ["described", "authorized", "cancelled"])
    // A request with a valid token doesn't wait for it.
    let manager = BasicAuthManager(clock: VirtualClock())
    manager.update(apiToken: "first", secondsRemaining: 600)
    let request = TestRequest(authorization: .bearer)
    let words = await story(of: request, tokenManager: manager, prepare: { _ in }) { transfer in
      expectEqual(transfer.request.headers["Authorization"], "Bearer first")
      transfer.respond()
    }
    expectEqual(words, begun + ["received(200)", "decoded", "success"])
  }

  /// The token is replaced for the next request.
  @Test func requestThatCannotBeSentAgainIsNotRetried() async {
    let manager = ClosureTokenManager(replace: { $0(.success(AccessToken(value: "new"))) })
    let body = RequestBody.stream(AsyncStream<Data> { nil }, contentType: "a/b")
    let request = TestRequest(method: .post, body: body, authorization: .bearer)
    let words = await story(of: request, tokenManager: manager, end: { $0.respond(401) })
    #expect(!words.contains("retried") && words.last == "failure(statusCode(401))")
  }
}
