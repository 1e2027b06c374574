@testable import WebServicesTestSupport
@testable import WebServicesHTTP
@testable import WebServicesCore
@testable import WebServicesResilience

/// Requests that join a shared transfer while other requests leave it.
@Suite(.serialized, .leavesNothing)
struct SharedTransferRaceTests {
  /// The layers between the requests and the network, besides coalescing.
  enum OtherLayers: CaseIterable {
    case nothing, cache, limits, all
  }

  private func harness(_ others: OtherLayers) -> VirtualHarness<MockURLSession> {
    VirtualHarness.scripted { configuration in
      if others == .cache || others == .all { configuration.layers.append(.cache(ResponseCache())) }
      configuration.layers.append(.coalescing)
      if others == .limits || others == .all {
        configuration.layers += [
          .circuitBreaker(.standard), .limits(RequestLimits(concurrentRequestsPerHost: 1)),
        ]
      }
    }
  }

  @Test(arguments: OtherLayers.allCases)
  func remainingRequestsGetTheResponse(_ others: OtherLayers) async {
    let harness = harness(others)
    let city = City(name: "Bath")
    harness.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let queue = DispatchQueue(label: "completions", attributes: .concurrent)
    let (stayed, left) = (Collector<WebServiceResult<City>>(), Collector<WebServiceResult<City>>())
    // Four threads run neighboring indexes at the same time. Requests with odd numbers cancel, possibly before they
    // have joined a transfer.
    await concurrently(2_000) { index in
      let isLeaving = index % 2 == 1
      let task = harness.service.sendRequest(TestRequest(), callbackQueue: queue) { (result: WebServiceResult<City>) in
        (isLeaving ? left : stayed).append(result)
      }
      if isLeaving { task.cancel() }
    }
    await stayed.waitForElements(1_000)
    await left.waitForElements(1_000)
    await withCheckedContinuation { continuation in
      queue.async(flags: .barrier) { continuation.resume() }
    }
    expectEqual(stayed.elements.map(\.model), Array(repeating: city, count: 1_000))
    expectEqual(left.elements.count, 1_000)
    await harness.session.waitUntilIdle()
  }
}
