@testable import WebServicesTestSupport
@testable import WebServicesObservability

@Suite struct RequestMetricsTests {
  private typealias Latencies = RequestMetrics.Snapshot.Latencies

  @Test(arguments: 0..<20)
  func percentilesArePrecise(seed: UInt64) throws {
    var generator = Chance(seed: seed)
    var histogram = Latencies()
    let values = (0..<500).map { _ in exp(Double.random(in: log(1e-5)...log(4000), using: &generator)) }
    values.forEach { histogram.record($0) }
    let sorted = values.sorted()
    for percentile in [0.0, 1, 25, 50, 90, 99, 99.9, 100] {
      let exact = sorted[max(0, Int((percentile / 100 * 500).rounded(.up)) - 1)]
      let found = try #require(histogram.duration(atPercentile: percentile))
      #expect(abs(found - exact) <= exact * 0.022 + 1e-6, "\(percentile): \(found) instead of \(exact)")
    }
    expectEqual(histogram.count, 500)
    let (mean, sum) = (try #require(histogram.mean), values.reduce(0, +))
    #expect(abs(mean - sum / 500) < 1e-3)
    expectEqual(histogram.duration(atPercentile: 100), sorted.last)
    expectEqual(histogram.duration(atPercentile: 0), sorted.first)
  }

  @Test func extremeValuesNeverTrap() throws {
    var histogram = Latencies()
    expectEqual(histogram.duration(atPercentile: 50), nil)
    expectEqual(histogram.mean, nil)
    histogram.record(.nan)
    expectEqual(histogram.count, 0)
    for value in [-1, 0, -.infinity, .infinity, 1e300, 1e-300, 4294.967295] as [TimeInterval] {
      histogram.record(value)
    }
    expectEqual(histogram.count, 7)
    expectEqual(histogram.duration(atPercentile: -5), 0)
    expectEqual(histogram.duration(atPercentile: .infinity), 4294.967295)
    expectEqual(histogram.duration(atPercentile: .nan), nil)
    expectEqual(histogram.mean, 4294.967295 * 3 / 7)
    var equal = Latencies()
    for _ in 0..<3 { equal.record(0.1) }
    expectEqual(equal.duration(atPercentile: 50), 0.1)
  }

  private func event(
    _ kind: RequestEvent.Kind, _ url: String = "https://h/p", time: TimeInterval = 0.25
  ) -> RequestEvent {
    RequestEvent(requestID: 1, time: time, url: RequestEvent.RedactedURL(url), kind: kind)
  }

  @Test func everyEventIsCounted() throws {
    let metrics = RequestMetrics()
    let opened = WebServiceResponse.Metrics(total: 0.125, bytesSent: 10, bytesReceived: 100)
    let reused = WebServiceResponse.Metrics(total: 0.125, isReusedConnection: true, bytesSent: 1, bytesReceived: 2)
    let kinds: [RequestEvent.Kind] = [
      .described, .waiting(.token), .authorized, .sent, .sent, .redirected(to: RequestEvent.RedactedURL("")), .decoded,
      .coalesced, .retried(after: 1, cause: .status(503)), .retried(after: 1, cause: .unauthorized), .cached(.hit),
      .cached(.hit), .cached(.stale), .cached(.revalidated), .received(status: 200, bytes: 500, metrics: opened),
      .received(status: 200, bytes: 500, metrics: reused), .received(status: 200, bytes: 500, metrics: nil),
      .delivered(.success), .delivered(.success), .delivered(.cancelled),
      .delivered(.failure(WebServiceError(.timedOut))), .delivered(.failure(WebServiceError(.statusCode(404)))),
      .delivered(.failure(WebServiceError(.statusCode(404)))),
    ]
    kinds.forEach { metrics.record(event($0)) }
    let snapshot = metrics.snapshot()
    let counts: [(count: KeyPath<RequestMetrics.Snapshot, UInt64>, expected: UInt64)] = [
      (\.requests, 6), (\.successes, 2), (\.cancellations, 1), (\.transfers, 2), (\.redirects, 1), (\.retries, 1),
      (\.renewals, 1), (\.cacheHits, 2), (\.staleCacheHits, 1), (\.cacheRevalidations, 1), (\.coalesced, 1),
      (\.connectionsOpened, 1), (\.connectionsReused, 1),
    ]
    for (count, expected) in counts { expectEqual("\(count): \(snapshot[keyPath: count])", "\(count): \(expected)") }
    expectEqual([snapshot.bytesSent, snapshot.bytesReceived], [11, 602])
    expectEqual(snapshot.failures, ["timedOut": 1, "statusCode(404)": 2])
    let host = try #require(snapshot.hosts["h"])
    expectEqual([host.requests.count, host.transfers.count, host.failures], [5, 2, 3])
    expectEqual([host.requests.mean, host.transfers.mean], [0.25, 0.125])
    expectEqual(metrics.reset(), snapshot)
    expectEqual(metrics.snapshot(), RequestMetrics.Snapshot())
  }

  @Test func numberOfHostsIsBounded() {
    let metrics = RequestMetrics(hostLimit: 2)
    metrics.record(event(.delivered(.failure(WebServiceError(.timedOut))), "/p"))
    for number in [0, 1, 0, 2, 3, 4, 5, 6, 7, 1] { metrics.record(event(.delivered(.success), "https://h\(number)/p")) }
    let snapshot = metrics.snapshot()
    expectEqual(Set(snapshot.hosts.keys), ["h0", "h1", "other"])
    expectEqual(["h0", "h1", "other"].map { snapshot.hosts[$0]?.requests.count }, [2, 2, 7])
  }

  @Test func resetsLoseNoEventOfAnotherThread() async {
    let metrics = RequestMetrics()
    let reported = Locked<UInt64>(0)
    await concurrently(8000) { index in
      metrics.record(event(.delivered(.failure(WebServiceError(.statusCode(400 + index % 100)))), "https://h/p"))
      guard index % 8 == 0 else { return }
      let count = metrics.reset().failureCount
      reported.withLock { $0 += count }
    }
    expectEqual(reported.withLock { $0 } + metrics.snapshot().failureCount, 8000)
  }
}
