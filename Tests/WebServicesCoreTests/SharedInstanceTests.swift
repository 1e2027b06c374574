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
}
