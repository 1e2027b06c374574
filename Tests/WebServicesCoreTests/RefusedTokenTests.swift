@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct RefusedTokenTests {
  @Test func withoutAReplacementThe401OrTheReasonIsReported() async {
    let managers: [(any WebServiceTokenManageable, WebServiceError.Kind)] = [
      (FakeTokenManager(), .statusCode(401)), (ClosureTokenManager(), .statusCode(401)),
      (ClosureTokenManager(replace: { $0(.failure(TokenError.signedOut)) }), .token),
    ]
    for (manager, kind) in managers {
      let harness = VirtualHarness.scripted(tokenManager: manager)
      harness.session.script(.post, "/cities", .json(#"{"why": "expired"}"#, status: 401))
      let request = TestRequest(method: .post, body: ["name": "Bath"], authorization: .bearer)
      let error = await harness.result(of: request).error
      expectEqual(error?.kind, kind)
      expectEqual(error?.phase, kind == .token ? .authorize : .judge)
      expectEqual(error?.underlying(as: TokenError.self), kind == .token ? .signedOut : nil)
      expectEqual(error?.response?.body, Data(#"{"why": "expired"}"#.utf8))
      #expect(error?.statusCode == 401 && error?.attemptCount == 1 && harness.session.requests.count == 1)
    }
  }
}
