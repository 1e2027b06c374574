@testable import WebServicesTestSupport

/// A service may be released before its requests end.
@Suite(.leavesNothing) struct EngineLifeTests {
  @Test func serviceReleasedDuringARequestStillDelivers() async throws {
    let server = try LoopbackServer.forTest()
    server.route(.get, "/cities", .json(#"{"name": "Bath"}"#))
    for _ in 0..<50 {
      let results = Collector<WebServiceResult<City>>()
      do {
        let service = JsonWebService(configuration: WebServiceConfiguration(baseURL: server.baseURL))
        service.sendRequest(TestRequest(path: "cities"), callbackQueue: .global()) { results.append($0) }
      }
      expectEqual(await results.elements(1), [.success(City(name: "Bath"))])
    }
    #expect(await server.waitForOpenConnections(count: 0, timeout: 20))
  }
}
