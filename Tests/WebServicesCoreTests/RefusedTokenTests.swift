@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct RefusedTokenTests {
  private func harness(_ manager: any WebServiceTokenManageable) -> VirtualHarness<MockURLSession> {
    let harness = VirtualHarness.scripted(tokenManager: manager)
    harness.session.script(.post, "/cities", .json(#"{"why": "expired"}"#, status: 401))
    return harness
  }

  private func request(_ authorization: WebServiceAuthorizationType = .apiToken) -> TestRequest {
    TestRequest(method: .post, body: ["name": "Bath"], authorization: authorization)
  }

  @Test func refusedTokenIsReplacedOnce() async {
    let manager = ReplacingTokenManager()
    let harness = harness(manager)
    harness.session.script(.post, "/cities", .json(#"{"name": "Bath"}"#))
    expectEqual(await harness.result(of: request()), .success(City(name: "Bath")))
    expectEqual(manager.refused.elements, ["token-0"])
    let requests = harness.session.requests
    expectEqual(requests.map { $0.value(forHTTPHeaderField: "api-token") }, ["token-0", "token-1"])
    expectEqual(requests.map(\.httpBody), Array(repeating: Data(#"{"name":"Bath"}"#.utf8), count: 2))
  }

  @Test func withoutAReplacementThe401OrTheReasonIsReported() async {
    let managers: [(any WebServiceTokenManageable, WebServiceError.Kind)] = [
      (FakeTokenManager(), .statusCode(401)), (ReplacingTokenManager(error: TokenError.expired), .statusCode(401)),
      (ReplacingTokenManager(error: TokenError.signedOut), .token),
    ]
    for (manager, kind) in managers {
      let harness = harness(manager)
      let error = await harness.result(of: request(.bearer)).error
      expectEqual(error?.kind, kind)
      expectEqual(error?.phase, kind == .token ? .authorize : .judge)
      expectEqual(error?.underlying(as: TokenError.self), kind == .token ? .signedOut : nil)
      expectEqual(error?.response?.body, Data(#"{"why": "expired"}"#.utf8))
      #expect(error?.statusCode == 401 && error?.attemptCount == 1 && harness.session.requests.count == 1)
    }
  }
}
