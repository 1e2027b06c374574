@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesHTTP
  @testable import WebServicesTransport

  struct CurlRequestPlanTests {
    private let url = URL(string: "http://example.com/a") ?? URL(fileURLWithPath: "/")

    private func plan(_ request: TransportRequest) throws -> CurlRequestPlan {
      try CurlRequestPlan(request, defaults: TransportRequest.Timeouts(idle: 60))
    }

    @Test func timeoutsAreConverted() throws {
      var request = TransportRequest(url: url, timeouts: .init(connect: 0.0004, whole: 1.9))
      let plan = try plan(request)
      expectEqual(plan.connectTimeout, 1)
      expectEqual(plan.idleTimeout, 60_000_000_000)
      expectEqual(plan.wholeTimeout, 1_900_000_000)
      request.timeouts.idle = 0
      #expect(throws: TransportError.self) { try self.plan(request) }
    }
  }
#endif
