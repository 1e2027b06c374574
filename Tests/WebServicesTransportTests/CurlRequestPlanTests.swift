@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  struct CurlRequestPlanTests {
    @Test func timeoutsAreConverted() {
      var request = TransportRequest(url: testURL("http://example.com/a"), timeouts: .init(connect: 0.0004))
      let defaults = TransportConfiguration().timeouts
      let plan = CurlRequestPlan(request, defaults: defaults, settingOfTLS: nil)
      #expect(plan.connectTimeout == 400_000 && plan.idleTimeout == 60_000_000_000)
      request.timeouts.idle = 0
      let refusal = CurlRequestPlan(request, defaults: defaults, settingOfTLS: nil).refusal
      expectEqual(refusal?.kind, .invalidRequest)
    }
  }
#endif
