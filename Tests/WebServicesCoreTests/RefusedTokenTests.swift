@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct RefusedTokenTests {
  private let path = "/cities"
  private static let city = MockResponse.json(#"{"name": "Bath"}"#)

  private func harness(_ manager: any WebServiceTokenManageable, _ method: HTTPMethod = .get) -> VirtualHarness<
    MockURLSession
  > {
    let harness = VirtualHarness.scripted(tokenManager: manager)
    harness.session.script(method, path, .json(#"{"why": "expired"}"#, status: 401))
    return harness
  }

  private func tokens(_ harness: VirtualHarness<MockURLSession>) -> [String?] {
    harness.session.requests.map { $0.value(forHTTPHeaderField: "api-token") }
  }

  @Test(arguments: [HTTPMethod.get, .post])
  func refusedTokenIsReplacedOnce(method: HTTPMethod) async {
    let manager = ReplacingTokenManager()
    let harness = harness(manager, method)
    harness.session.script(method, path, Self.city)
    let body: RequestBody? = method == .post ? ["name": "Bath"] : nil
    let result = await harness.result(of: TestRequest(method: method, body: body, authorization: .apiToken))
    expectEqual(result, .success(City(name: "Bath")))
    expectEqual(manager.refused.elements, ["token-0"])
    expectEqual(tokens(harness), ["token-0", "token-1"])
    expectEqual(
      harness.session.requests.map(\.httpBody), Array(repeating: harness.session.requests[0].httpBody, count: 2))
    expectEqual((harness.session.requests[0].httpBody != nil), (method == .post))
  }

  @Test func secondRefusalFailsWith401AndHidesTokens() async {
    let manager = ReplacingTokenManager()
    let harness = harness(manager)
    harness.session.script(.get, path, .json(#"{"why": "token-0 and token-1"}"#, status: 401))
    let error = await harness.result(of: TestRequest(authorization: .apiToken)).error
    expectEqual(error?.kind, .statusCode(401))
    expectEqual(error?.attemptCount, 2)
    expectEqual(manager.refused.elements, ["token-0"])
    expectEqual(tokens(harness), ["token-0", "token-1"])
    expectEqual(error.map { "\($0)".contains("token-0") || "\($0)".contains("token-1") }, false)
  }

  @Test func managerWithoutReplacementLeavesThe401() async {
    for manager in [FakeTokenManager(), ReplacingTokenManager(error: TokenError.expired)]
      as [any WebServiceTokenManageable]
    {
      let harness = harness(manager)
      let error = await harness.result(of: TestRequest(authorization: .bearer)).error
      expectEqual(error?.kind, .statusCode(401))
      expectEqual(error?.response?.body, Data(#"{"why": "expired"}"#.utf8))
      expectEqual(error?.attemptCount, 1)
      expectEqual(harness.session.requests.count, 1)
    }
  }

  @Test func failedReplacementReportsReasonAndResponse() async {
    let harness = harness(ReplacingTokenManager(error: TokenError.signedOut))
    let error = await harness.result(of: TestRequest(authorization: .bearer)).error
    expectEqual(error?.kind, .token)
    expectEqual(error?.phase, .authorize)
    expectEqual(error?.underlying(as: TokenError.self), .signedOut)
    expectEqual(error?.statusCode, 401)
  }

  @Test func redirected401ReplacesOnlyOnTheSameOrigin() async {
    for (host, count) in [("other.example.com", 0), ("api.example.com", 1)] {
      let manager = ReplacingTokenManager()
      let harness = harness(manager)
      harness.session.script(
        .get, "/old", .status(302, headers: ["Location": "https://\(host)\(path)"]))
      let request = TestRequest(path: "https://api.example.com/old", authorization: .apiToken)
      expectEqual(await harness.result(of: request).error?.kind, .statusCode(401))
      expectEqual(manager.refused.elements.count, count)
      // The redirect was followed, so the retry sends the refused step again.
      expectEqual(
        harness.session.requests.compactMap(\.url?.path), ["/old", path] + Array(repeating: path, count: count))
    }
  }
}
