#if canImport(Darwin)
  import Foundation
  import Testing
  @testable import WebServicesTestSupport
  import WebServices
  import WebServicesTesting

  /// The samples of the article on Apple's systems.
  @Suite struct AppleSystemsTests {
    // sample: lowDataReason

    private struct RequestDataForStart: WebServiceRequestData {
      let path = ""
    }

    @Test func sessionWithoutExpensiveNetworksReachesThisMachine() async throws {
      let server = try LoopbackServer.forTest()
      server.route(.get, "/", .text("ok"))
      let baseURL = server.baseURL
      // sample: lowData
      #expect(try await service.sendRequest(RequestDataForStart(), parser: .text) == "ok")
      #expect(!isDueToLowDataMode(WebServiceError(.noConnection)))
      service.invalidateAndCancel()
    }
  }
#endif
