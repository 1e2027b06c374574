@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct TimeoutTests {
  /// A session that completes twice, before its task is resumed.
  private struct SynchronousSession: URLSessionProtocol {
    func dataTask(
      with request: URLRequest,
      completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> FinishedTask {
      let response = request.url.flatMap {
        HTTPURLResponse(url: $0, statusCode: 200, httpVersion: nil, headerFields: nil)
      }
      completionHandler(Data(#"{"name": "Bath"}"#.utf8), response, nil)
      completionHandler(nil, nil, URLError(.badServerResponse))
      return FinishedTask()
    }
  }

  @Test func synchronousSessionCompletesOnceAfterTheCall() async {
    let (clock, results) = (VirtualClock(), Collector<WebServiceResult<City>>())
    let service = JsonWebService(
      session: SynchronousSession(), reachability: FakeReachability(),
      configuration: WebServiceConfiguration(timeout: 30, clock: clock))
    let queue = DispatchQueue(label: "synchronous")
    service.sendRequest(TestRequest(), callbackQueue: queue) { results.append($0) }
    await results.waitForElements(1)
    queue.sync {}
    expectEqual(results.elements, [.success(City(name: "Bath"))])
    expectEqual([service.requestCount, clock.pendingTimerCount], [0, 0])
  }

  @Test func systemClockKeepsMilliseconds() async {
    let fired = Collector<TimeInterval>()
    let start = SystemClock.shared.now
    _ = SystemClock.shared.schedule(after: 0.030) { fired.append(SystemClock.shared.now - start) }
    let cancelled = SystemClock.shared.schedule(after: 0.010) { fired.append(-1) }
    cancelled.cancel()
    _ = SystemClock.shared.schedule(after: 0.020) { fired.append(SystemClock.shared.now - start) }
    await fired.waitForElements(2)
    #expect(fired.elements.allSatisfy { $0 >= 0.020 })
    #expect(fired.elements[0] <= fired.elements[1])
    #expect(fired.elements[1] >= 0.030)
  }
}
