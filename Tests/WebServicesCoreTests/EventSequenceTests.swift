import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore

@Suite struct EventSequenceTests {
  private func bench(
    tokenManager: any WebServiceTokenManageable = FakeTokenManager(),
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> HeldBench {
    HeldBench(tokenManager: tokenManager, configure: configure)
  }

  /// Checks that each request has one delivery, that it is the last event, and that the times increase.
  private func expectSound(_ bench: HeldBench, sourceLocation: SourceLocation = #_sourceLocation) {
    let stories = Dictionary(grouping: bench.events.elements, by: \.requestID)
    for story in stories.values {
      let deliveries = story.filter { if case .delivered = $0.kind { true } else { false } }
      #expect(deliveries.count == 1, sourceLocation: sourceLocation)
      #expect(story.last.map { "\($0)" } == deliveries.last.map { "\($0)" }, sourceLocation: sourceLocation)
      #expect(zip(story, story.dropFirst()).allSatisfy { $0.time <= $1.time }, sourceLocation: sourceLocation)
      #expect(story.allSatisfy { $0.start <= $0.time && $0.requestID > 0 }, sourceLocation: sourceLocation)
    }
    bench.expectNothingLeft(sourceLocation: sourceLocation)
  }

  @Test func monitorGetsOnlyTheEventsItWants() async {
    let some = Collector<RequestEvent>()
    let bench = bench { $0.monitors.append(EventCollector(events: some, wantedEvents: [.received, .redirected])) }
    bench.send()
    bench.session.open.first?.answer(302, ["Location": "/b?token=secret"])
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(some.elements.map(\.kind.word) == ["received(302)", "redirected", "received(200)"])
    #expect(some.elements.map(\.exchange) == [1, 1, 2])
    let urls = some.elements.map { "\($0.url)" }
    #expect(urls.map { $0.hasSuffix("/a") } == [true, false, false])
    #expect(urls.last?.hasSuffix("/b?token=<redacted>") == true)
    expectSound(bench)
  }

  @Test func successHasItsEvents() async {
    let bench = bench()
    bench.send(authorization: .bearer)
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(
      bench.story() == [
        "described", "waiting(token)", "authorized", "sent", "received(200)", "decoded", "success",
      ])
    expectSound(bench)
  }

  @Test func redirectHasItsEvents() async {
    let bench = bench()
    bench.send()
    bench.session.open.first?.answer(302, ["Location": "/b"])
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(
      bench.story() == [
        "described", "authorized", "sent", "received(302)", "redirected", "sent", "received(200)", "decoded", "success",
      ])
    #expect(bench.events.elements.map(\.exchange) == [0, 0, 1, 1, 1, 2, 2, 2, 2])
    #expect(bench.events.elements.map(\.attempt) == [0, 0, 1, 1, 1, 1, 1, 1, 1])
    expectSound(bench)
  }

  @Test func renewalHasItsEvents() async {
    let manager = HeldTokenManager()
    let bench = bench(tokenManager: manager)
    bench.send(authorization: .bearer)
    manager.answerAll("old")
    bench.session.open.first?.answer(401)
    await bench.passAppCode()
    manager.answerAll("new")
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(
      bench.story() == [
        "described", "waiting(token)", "authorized", "sent", "received(401)", "retried", "authorized", "sent",
        "received(200)", "decoded", "success",
      ])
    expectSound(bench)
  }

  @Test func retryHasItsEvents() async {
    let bench = bench { $0.retry = .standard }
    bench.send()
    bench.session.open.first?.fail(URLError(.networkConnectionLost))
    bench.clock.advance(by: 0.5)
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(
      bench.story() == [
        "described", "authorized", "sent", "retried", "waiting(retryDelay)", "authorized", "sent", "received(200)",
        "decoded", "success",
      ])
    expectSound(bench)
  }

  @Test func cachedResponseHasItsEvents() async {
    let wall = Locked(Date(timeIntervalSince1970: 1_790_000_000))
    let bench = bench { $0.layers = [.cache(ResponseCache { wall.withLock { $0 } })] }
    let headers = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
    bench.send()
    bench.session.open.first?.answer(200, headers)
    await bench.settle()
    bench.send()
    await bench.settle()
    wall.withLock { $0 += 61 }
    bench.send()
    bench.session.open.first?.answer(304, headers, body: "")
    await bench.settle()
    let stories = Dictionary(grouping: bench.events.elements, by: \.requestID).sorted { $0.key < $1.key }
      .map { $0.value.map(\.kind.word) }
    #expect(
      stories == [
        ["described", "authorized", "sent", "received(200)", "decoded", "success"],
        ["described", "authorized", "cached(hit)", "decoded", "success"],
        ["described", "authorized", "sent", "received(304)", "cached(revalidated)", "decoded", "success"],
      ])
    expectSound(bench)
  }

  @Test func sharedTransferHasItsEvents() async {
    let bench = bench { $0.layers = [.coalescing] }
    bench.send()
    bench.send()
    bench.session.open.first?.answer()
    await bench.settle()
    let stories = Dictionary(grouping: bench.events.elements, by: \.requestID).sorted { $0.key < $1.key }
      .map { $0.value.map(\.kind.word) }
    #expect(
      stories == [
        ["described", "authorized", "sent", "received(200)", "decoded", "success"],
        ["described", "authorized", "coalesced", "decoded", "success"],
      ])
    expectSound(bench)
  }

  @Test func failureAtEachStationHasItsEvents() async {
    let described = bench()
    described.send(TestRequest(path: "https://"))
    let admitted = bench()
    admitted.reachability.set(isConnected: false)
    admitted.send()
    let authorized = bench(tokenManager: FakeTokenManager(error: URLError(.unknown)))
    authorized.send(authorization: .bearer)
    let broken = bench { $0.layers = [.circuitBreaker(CircuitBreakerPolicy(minimumVolume: 1))] }
    broken.send()
    broken.session.open.first?.answer(500)
    await broken.settle()
    broken.send()
    let sent = bench()
    sent.send()
    sent.session.open.first?.fail(URLError(.timedOut))
    let judged = bench()
    judged.send()
    judged.session.open.first?.answer(404)
    let read = bench()
    read.send()
    read.session.open.first?.answer(body: "[]")
    let closed = bench()
    closed.service.invalidateAndCancel()
    closed.send()
    for bench in [described, admitted, authorized, broken, sent, judged, read, closed] {
      await bench.settle()
      expectSound(bench)
    }
    let begun = ["described", "authorized", "sent"]
    #expect(described.story() == ["failure(badURL)"])
    #expect(admitted.story() == ["described", "failure(noConnection)"])
    #expect(authorized.story() == ["described", "waiting(token)", "failure(token)"])
    #expect(
      broken.story() == begun + ["received(500)", "failure(statusCode(500))"]
        + ["described", "authorized", "waiting(breaker)", "failure(circuitOpen)"])
    #expect(sent.story() == begun + ["failure(timedOut)"])
    #expect(judged.story() == begun + ["received(404)", "failure(statusCode(404))"])
    #expect(read.story() == begun + ["received(200)", "failure(undecodableBody)"])
    #expect(closed.story() == ["cancelled"])
  }

  @Test func cancelAtEachStationEndsTheEvents() async {
    let manager = HeldTokenManager()
    let bench = bench(tokenManager: manager) { configuration in
      configuration.retry = .standard
      configuration.layers = [.limits(RequestLimits(maximumConcurrentRequestsPerHost: 1))]
    }
    let waiting = bench.send(authorization: .bearer)
    waiting.task.cancel()
    manager.answerAll("late")
    let sent = bench.send()
    let queued = bench.send()
    queued.task.cancel()
    sent.task.cancel()
    bench.session.exchanges.first?.answerLate()
    bench.session.exchanges.first?.answerLate(503)
    let pausing = bench.send()
    bench.session.open.first?.answer(503)
    pausing.task.cancel()
    bench.clock.advance(by: 10)
    await bench.settle()
    let stories = Dictionary(grouping: bench.events.elements, by: \.requestID).sorted { $0.key < $1.key }
      .map { $0.value.map(\.kind.word) }
    let begun = ["described", "authorized"]
    #expect(
      stories == [
        ["described", "waiting(token)", "cancelled"],
        begun + ["sent", "cancelled"],
        begun + ["waiting(limit)", "cancelled"],
        begun + ["sent", "received(503)", "retried", "waiting(retryDelay)", "cancelled"],
      ])
    expectSound(bench)
  }

  @Test func lateFailureOfCancelledRequestCostsNoBudget() async {
    let budget = RetryBudget(RetryBudget.Policy(ratio: 0, burst: 1, window: 1))
    let bench = bench { configuration in
      configuration.retry = .standard
      configuration.retryBudget = budget
    }
    bench.send().task.cancel()
    for _ in 0..<5 { bench.session.exchanges.first?.answerLate(503) }
    let (_, results) = bench.send()
    bench.session.open.first?.answer(503)
    bench.clock.advance(by: 0.5)
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.model) == [City(name: "Bath")])
    expectSound(bench)
  }

  @Test func monitorMayCancelTheRequest() async {
    let canceller = Canceller()
    let bench = bench { $0.monitors.append(canceller) }
    let (task, results) = bench.send()
    canceller.task.withLock { $0 = task }
    bench.session.open.first?.answer()
    await bench.settle()
    #expect(results.elements.map(\.error?.kind) == [.cancelled])
    expectSound(bench)
  }
}

/// Cancels a request when its response arrives.
private final class Canceller: RequestMonitor {
  let task = Locked<WebServiceTask?>(nil)

  func record(_ event: RequestEvent) {
    if case .received = event.kind { task.withLock { $0 }?.cancel() }
  }
}
