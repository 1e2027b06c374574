#if canImport(Darwin)
  import Foundation
  import Testing
  @testable import WebServicesTestSupport
  import WebServices
  import WebServicesTesting

  /// The samples of the article on Apple's systems.
  @Suite struct AppleSystemsTests {
    // sample: lowDataReason
    func isDueToLowDataMode(_ error: WebServiceError) -> Bool {
      error.underlying(as: URLError.self)?.networkUnavailableReason == .constrained
    }
    // end of sample

    private struct RequestDataForStart: WebServiceRequestData {
      let path = ""
    }

    @Test func sessionWithoutExpensiveNetworksReachesThisMachine() async throws {
      let server = try LoopbackServer.forTest()
      server.route(.get, "/", .text("ok"))
      let baseURL = server.baseURL
      // sample: lowData
      let quiet = URLSessionConfiguration.webServices
      quiet.allowsConstrainedNetworkAccess = false
      quiet.allowsExpensiveNetworkAccess = false
      let service = JsonWebService(
        session: FoundationSession(configuration: quiet), configuration: WebServiceConfiguration(baseURL: baseURL))
      // end of sample
      #expect(try await service.sendRequest(RequestDataForStart(), parser: .text) == "ok")
      #expect(!isDueToLowDataMode(WebServiceError(.noConnection)))
      service.invalidateAndCancel()
    }
  }
#endif
