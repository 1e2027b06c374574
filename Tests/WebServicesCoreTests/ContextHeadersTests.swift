@testable import WebServicesTestSupport

/// The header fields that a closure of the configuration makes for each request.
@Suite(.leavesNothing) struct ContextHeadersTests {
  @TaskLocal private static var trace = "none"

  private func harness() -> VirtualHarness<HeldSession> {
    VirtualHarness.held {
      $0.baseURL = URL(string: "https://api.example.com")
      $0.contextHeaders = { ["traceparent": Self.trace, "X-Tenant": "north"] }
      $0.retry = .standard
    }
  }

  private func fields(of transfer: HeldTransfer?) -> [String?] {
    [transfer?.request.headers["traceparent"], transfer?.request.headers["X-Tenant"]]
  }

  @Test func awaitedRequestReadsTaskLocalValues() async throws {
    let harness = harness()
    async let city = Self.$trace.withValue("awaited") {
      try await harness.service.sendRequest(TestRequest(path: "cities"), as: City.self)
    }
    await harness.session.waitForTransfers(1)
    expectEqual(fields(of: harness.session.open.first), ["awaited", "north"])
    harness.session.respondToAll()
    expectEqual(try await city, City(name: "Bath"))
  }

  @Test func fieldsStayForAttemptsAndRedirectsToTheSameOrigin() async {
    let harness = harness()
    let results = Self.$trace.withValue("called") { harness.send("a").results }
    await harness.respond(503, thenPass: 0.5)
    harness.session.open.first?.respond(302, ["Location": "/b"])
    for transfer in harness.session.transfers { expectEqual(fields(of: transfer), ["called", "north"]) }
    harness.session.open.first?.respond(302, ["Location": "https://other.example.com/c"])
    expectEqual(fields(of: harness.session.open.first), [nil, nil])
    harness.session.respondToAll()
    await results.waitForElements(1)
    expectEqual(harness.session.paths, ["/a", "/a", "/b", "/c"])
    #expect(harness.events.elements.allSatisfy { $0.contextHeaders["traceparent"] == "called" })
  }

  @Test(arguments: [("cities", "south"), ("https://other.example.com/a", nil)] as [(String, String?)])
  func fieldsOfTheRequestWinAndOtherOriginsGetNone(path: String, tenant: String?) async {
    let harness = harness()
    let headers: HTTPHeaders = tenant.map { ["X-Tenant": $0] } ?? [:]
    let results = harness.send(TestRequest(path: path, headers: headers)).results
    expectEqual(fields(of: harness.session.open.first), ["none", tenant])
    harness.session.respondToAll()
    await results.waitForElements(1)
  }
}
