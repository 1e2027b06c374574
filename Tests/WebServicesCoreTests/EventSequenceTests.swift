@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite(.leavesNothing) struct EventSequenceTests {
  /// Checks that each request has one delivery, that the delivery is the last event, and that the times increase.
  ///
  /// - Returns: the events of each request in words.
  @discardableResult
  private func expectSound(
    _ harness: VirtualHarness<HeldSession>, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [[String]] {
    let stories = Dictionary(grouping: harness.events.elements, by: \.requestID).sorted { $0.key < $1.key }.map(\.value)
    for story in stories {
      let deliveries = story.filter { if case .delivered = $0.kind { true } else { false } }
      #expect(deliveries.count == 1, sourceLocation: sourceLocation)
      #expect(story.last.map { "\($0)" } == deliveries.last.map { "\($0)" }, sourceLocation: sourceLocation)
      #expect(zip(story, story.dropFirst()).allSatisfy { $0.time <= $1.time }, sourceLocation: sourceLocation)
      #expect(story.allSatisfy { $0.start <= $0.time && $0.requestID > 0 }, sourceLocation: sourceLocation)
    }
    return stories.map { $0.map(\.kind.word) }
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
          "decoded",
          "success",
        ]
      ),
    ] as [(Int, [String])])
  func firstResponseDecidesTheNextEvents(status: Int, words: [String]) async {
    let manager = HeldTokenManager()
    let harness = VirtualHarness.held(tokenManager: manager) { $0.retry = .standard }
    harness.send(authorization: .bearer)
    manager.respondToAll("old")
    harness.session.open.first?.respond(status, ["Location": "/b?token=secret"])
    await harness.settleUserCallbacks()
    harness.clock.advance(by: 1)
    await harness.settleUserCallbacks()
    manager.respondToAll("new")
    await harness.settleUserCallbacks()
    harness.session.open.first?.respond()
    await harness.settle()
    expectEqual(expectSound(harness), [["described", "waiting(token)", "authorized", "sent"] + words])
  }

  @Test func requestWithAValidTokenDoesNotWaitForIt() async {
    let clock = VirtualClock()
    let manager = BasicAuthManager(clock: clock)
    manager.update(apiToken: "first", secondsRemaining: 600)
    let harness = VirtualHarness.held(tokenManager: manager)
    harness.send(authorization: .bearer)
    expectEqual(harness.session.open.first?.request.headers["Authorization"], "Bearer first")
    harness.session.open.first?.respond()
    await harness.settle()
    expectEqual(
      expectSound(harness), [["described", "authorized", "sent", "received(200)", "decoded", "success"]])
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
    expectSound(harness)
  }

  @Test func failureAtEachStationEmitsEventsInOrder() async {
    let described = VirtualHarness.held()
    described.send(TestRequest(path: "https://"))
    let admitted = VirtualHarness.held()
    admitted.reachability.set(isConnected: false)
    admitted.send()
    let authorized = VirtualHarness.held(tokenManager: FakeTokenManager(error: URLError(.unknown)))
    authorized.send(authorization: .bearer)
    let broken = VirtualHarness.held { $0.layers = [.circuitBreaker(CircuitBreakerPolicy(minimumVolume: 1))] }
    broken.send()
    broken.session.open.first?.respond(500)
    await broken.settle()
    broken.send()
    let sent = VirtualHarness.held()
    sent.send()
    sent.session.open.first?.fail(URLError(.timedOut))
    let judged = VirtualHarness.held()
    judged.send()
    judged.session.open.first?.respond(404)
    let read = VirtualHarness.held()
    read.send()
    read.session.open.first?.respond(body: "[]")
    let closed = VirtualHarness.held()
    closed.service.invalidateAndCancel()
    closed.send()
    for harness in [described, admitted, authorized, broken, sent, judged, read, closed] {
      await harness.settle()
      expectSound(harness)
    }
    let begun = ["described", "authorized", "sent"]
    expectEqual(described.story(), ["failure(badURL)"])
    expectEqual(admitted.story(), ["described", "failure(noConnection)"])
    expectEqual(authorized.story(), ["described", "waiting(token)", "failure(token)"])
    expectEqual(
      broken.story(),
      begun + ["received(500)", "failure(statusCode(500))"]
        + ["described", "authorized", "waiting(breaker)", "failure(circuitOpen)"])
    expectEqual(sent.story(), begun + ["failure(timedOut)"])
    expectEqual(judged.story(), begun + ["received(404)", "failure(statusCode(404))"])
    expectEqual(read.story(), begun + ["received(200)", "failure(undecodableBody)"])
    expectEqual(closed.story(), ["cancelled"])
  }

  @Test func cancelAtEachStationEndsTheEvents() async {
    let manager = HeldTokenManager()
    let harness = VirtualHarness.held(tokenManager: manager) { configuration in
      configuration.retry = .standard
      configuration.layers = [.limits(RequestLimits(concurrentRequestsPerHost: 1))]
    }
    let waiting = harness.send(authorization: .bearer)
    waiting.task.cancel()
    manager.respondToAll("late")
    let sent = harness.send()
    let queued = harness.send()
    queued.task.cancel()
    sent.task.cancel()
    harness.session.transfers.first?.respondAgain()
    harness.session.transfers.first?.respondAgain(503)
    let pausing = harness.send()
    harness.session.open.first?.respond(503)
    pausing.task.cancel()
    harness.clock.advance(by: 10)
    await harness.settle()
    let begun = ["described", "authorized"]
    expectEqual(
      expectSound(harness),
      [
        ["described", "waiting(token)", "cancelled"],
        begun + ["sent", "cancelled"],
        begun + ["waiting(limit)", "cancelled"],
        begun + ["sent", "received(503)", "retried", "waiting(retryDelay)", "cancelled"],
      ])
  }

  @Test func lateFailureOfCancelledRequestCostsNoBudget() async {
    let budget = RetryPolicy.Budget(ratio: 0, burst: 1)
    let harness = VirtualHarness.held { configuration in
      configuration.retry = .standard
      configuration.retryBudget = budget
    }
    harness.send().task.cancel()
    for _ in 0..<5 { harness.session.transfers.first?.respondAgain(503) }
    let (_, results) = harness.send()
    harness.session.open.first?.respond(503)
    harness.clock.advance(by: 0.5)
    await harness.expectCity(results)
    expectSound(harness)
  }

  @Test func monitorMayCancelTheRequest() async {
    let canceller = Canceller()
    let harness = VirtualHarness.held { $0.monitors.append(canceller) }
    let (task, results) = harness.send()
    canceller.task.withLock { $0 = task }
    harness.session.open.first?.respond()
    await harness.settle()
    expectEqual(results.elements.map(\.error?.kind), [.cancelled])
    expectSound(harness)
  }
}

/// Cancels a request when its response arrives.
private final class Canceller: RequestMonitor {
  let task = Locked<WebServiceTask?>(nil)

  func record(_ event: RequestEvent) {
    if case .received = event.kind { task.withLock { $0 }?.cancel() }
  }
}
