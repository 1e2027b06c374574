@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  struct CurlRequestPlanTests {
    @Test func timeoutsAreConverted() {
      var request = TransportRequest(url: testURL("http://example.com/a"), timeouts: .init(connect: 0.0004))
      let plan = CurlRequestPlan(request, TransportConfiguration())
      #expect(plan.connectTimeout == 400_000 && plan.idleTimeout == 60_000_000_000)
      request.timeouts.idle = 0
      expectEqual(CurlRequestPlan(request, TransportConfiguration()).refusal?.kind, .invalidRequest)
    }
  }
#endif
