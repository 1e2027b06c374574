@testable import WebServicesTestSupport

/// The lifetimes of a service, of an injected session and of a completion.
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
      await results.waitForElements(1)
      expectEqual(results.elements, [.success(City(name: "Bath"))])
    }
    #expect(await server.waitForOpenConnections(count: 0, timeout: 20))
  }

  @Test func completionIsReleasedAfterItsRun() async {
    final class Witness: Sendable {
      let gone: Collector<Void>
      init(_ gone: Collector<Void>) { self.gone = gone }
      deinit { gone.append(()) }
    }
    let harness = VirtualHarness.scripted(.json(#"{"name": "Bath"}"#))
    let gone = Collector<Void>()
    var witness: Witness? = Witness(gone)
    let task = harness.service.sendRequest(TestRequest(), callbackQueue: .global()) {
      [witness] (_: WebServiceResult<City>) in _ = witness
    }
    witness = nil
    await gone.waitForElements(1)
    task.cancel()
  }
}
