@testable import WebServicesTestSupport

/// These tests change the shared instance, so they run one after another.
@Suite(.serialized, .leavesNothing)
struct SharedInstanceTests {
  @Test func resetCancelsFormerRequestsOnce() async {
    let session = MockURLSession()
    session.script(.get, "/cities", .never)
    JsonWebService.resetSharedInstance(session: session, reachability: FakeReachability())
    let former = JsonWebService.shared
    let kinds = Collector<WebServiceError.Kind?>()
    let queue = DispatchQueue(label: "reset")
    for _ in 0..<100 {
      JsonWebService.shared.sendRequest(TestRequest(), callbackQueue: queue) {
        (result: WebServiceResult<City>) in kinds.append(result.error?.kind)
      }
    }
    expectEqual(session.openTaskCount, 100)
    JsonWebService.resetSharedInstance()
    await kinds.waitForElements(100)
    queue.sync {}
    expectEqual(kinds.elements, Array(repeating: .cancelled, count: 100))
    expectEqual(former.requestCount, 0)
    #expect(former !== JsonWebService.shared)
    #expect(!session.isInvalidated, "an injected session belongs to who made it")
  }

  @Test
  @MainActor
  func noLateSuccessWhenAwaited() async {
    for _ in 0..<50 {
      let (isRead, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let session = MockURLSession()
      session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
      JsonWebService.resetSharedInstance(session: session, reachability: FakeReachability())
      let parser = ResponseParser<Int> { _ in
        isRead.signal()
        mayGoOn.wait()
        return 1
      }
      let request = Task { @MainActor in try await JsonWebService.shared.sendRequest(TestRequest(), parser: parser) }
      await session.waitForRequests(1)
      Self.block(until: isRead)
      mayGoOn.signal()
      // The response gets some time to advance as far as it can without the main thread.
      for _ in 0..<20 { DispatchQueue.global().sync {} }
      JsonWebService.resetSharedInstance()
      let result = await request.result
      #expect { try result.get() } throws: { ($0 as? WebServiceError)?.kind == .cancelled }
    }
  }

  /// Blocks the main thread, as an app's own work could.
  @MainActor
  private static func block(until semaphore: DispatchSemaphore) { semaphore.wait() }
}
