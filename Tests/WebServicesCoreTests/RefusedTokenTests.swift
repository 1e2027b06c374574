import Dispatch
import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

@Suite struct RefusedTokenTests {
  private let path = "/cities"
  private static let city = MockResponse.json(#"{"name": "Bath"}"#)

  private func bench(_ manager: any WebServiceTokenManageable, _ method: HTTPMethod = .get) -> Bench {
    let bench = Bench(tokenManager: manager)
    bench.session.script(method, path, .json(#"{"why": "expired"}"#, status: 401))
    return bench
  }

  private func tokens(_ bench: Bench) -> [String?] {
    bench.session.requests.map { $0.value(forHTTPHeaderField: "api-token") }
  }

  @Test(arguments: [HTTPMethod.get, .post])
  func refusedTokenIsReplacedOnce(method: HTTPMethod) async {
    let manager = ReplacingTokenManager()
    let bench = bench(manager, method)
    bench.session.script(method, path, Self.city)
    let body: RequestBody? = method == .post ? ["name": "Bath"] : nil
    let result = await bench.result(of: TestRequest(method: method, body: body, authorization: .apiToken))
    #expect(result == .success(City(name: "Bath")))
    #expect(manager.refused.elements == ["token-0"])
    #expect(tokens(bench) == ["token-0", "token-1"])
    #expect(bench.session.requests.map(\.httpBody) == Array(repeating: bench.session.requests[0].httpBody, count: 2))
    #expect((bench.session.requests[0].httpBody != nil) == (method == .post))
    bench.expectNothingLeft()
  }

  @Test func secondRefusalIsTheResponseWithoutTokens() async {
    let manager = ReplacingTokenManager()
    let bench = bench(manager)
    bench.session.script(.get, path, .json(#"{"why": "token-0 and token-1"}"#, status: 401))
    let error = await bench.result(of: TestRequest(authorization: .apiToken)).error
    #expect(error?.kind == .statusCode(401))
    #expect(error?.attemptCount == 2)
    #expect(manager.refused.elements == ["token-0"])
    #expect(tokens(bench) == ["token-0", "token-1"])
    #expect(error.map { "\($0)".contains("token-0") || "\($0)".contains("token-1") } == false)
    bench.expectNothingLeft()
  }

  @Test func managerWithoutReplacementLeavesThe401() async {
    for manager in [FakeTokenManager(), ReplacingTokenManager(error: TokenError.expired)]
      as [any WebServiceTokenManageable]
    {
      let bench = bench(manager)
      let error = await bench.result(of: TestRequest(authorization: .bearer)).error
      #expect(error?.kind == .statusCode(401))
      #expect(error?.response?.body == Data(#"{"why": "expired"}"#.utf8))
      #expect(error?.attemptCount == 1)
      #expect(bench.session.requests.count == 1)
      bench.expectNothingLeft()
    }
  }

  @Test func failedReplacementReportsReasonAndResponse() async {
    let bench = bench(ReplacingTokenManager(error: TokenError.signedOut))
    let error = await bench.result(of: TestRequest(authorization: .bearer)).error
    #expect(error?.kind == .token)
    #expect(error?.phase == .authorize)
    #expect(error?.underlying(as: TokenError.self) == .signedOut)
    #expect(error?.statusCode == 401)
    bench.expectNothingLeft()
  }

  @Test func otherCredentialsReplaceNoToken() async {
    for type in [WebServiceAuthorizationType.none, .basic(user: "u", password: "p")] {
      let manager = ReplacingTokenManager()
      let bench = bench(manager)
      #expect(await bench.result(of: TestRequest(authorization: type)).error?.kind == .statusCode(401))
      #expect(manager.refused.elements.isEmpty)
      bench.expectNothingLeft()
    }
  }

  @Test func redirected401ReplacesOnlyOnTheSameOrigin() async {
    for (host, count) in [("other.example.com", 0), ("api.example.com", 1)] {
      let manager = ReplacingTokenManager()
      let bench = bench(manager)
      bench.session.script(
        .get, "/old", .response(status: 302, headers: ["Location": "https://\(host)\(path)"]))
      let request = TestRequest(path: "https://api.example.com/old", authorization: .apiToken)
      #expect(await bench.result(of: request).error?.kind == .statusCode(401))
      #expect(manager.refused.elements.count == count)
      // The redirect was followed, so the retry sends the refused step again.
      #expect(bench.session.requests.compactMap(\.url?.path) == ["/old", path] + Array(repeating: path, count: count))
      bench.expectNothingLeft()
    }
  }

  private enum End: CaseIterable { case cancel, timeout, reset }

  @Test(arguments: 0..<3)
  func endDuringReplacementEndsOnce(index: Int) async {
    let manager = ReplacingTokenManager(isHeld: true)
    // Each held completion retains the request and through it the manager.
    defer { manager.held.forgetAll() }
    let bench = bench(manager)
    let kinds = Collector<WebServiceError.Kind?>()
    let queue = DispatchQueue(label: "ended")
    let task = bench.service.sendRequest(TestRequest(authorization: .bearer), callbackQueue: queue) {
      (result: WebServiceResult<City>) in kinds.append(result.error?.kind)
    }
    await manager.held.waitForElements(1)
    await bench.clock.waitForTimers(1)
    switch End.allCases[index] {
    case .cancel: task.cancel()
    case .timeout: bench.clock.advance(by: 60)
    case .reset: bench.service.invalidateAndCancel()
    }
    await kinds.waitForElements(1)
    for completion in manager.held.elements {
      completion(.success(AccessToken(value: "late")))
      completion(.failure(TokenError.expired))
    }
    queue.sync {}
    #expect(kinds.elements == [index == 1 ? .timedOut : .cancelled])
    #expect(bench.session.requests.count == 1)
    bench.expectNothingLeft()
  }

  @Test func secondReplacementIsIgnored() async {
    let manager = ReplacingTokenManager(isHeld: true)
    // Each held completion retains the request and through it the manager.
    defer { manager.held.forgetAll() }
    let bench = bench(manager)
    bench.session.script(.get, path, Self.city.delayed(by: 1))
    let results = Collector<WebServiceResult<City>>()
    bench.service.sendRequest(TestRequest(authorization: .apiToken), callbackQueue: .global()) { results.append($0) }
    await manager.held.waitForElements(1)
    guard let completion = manager.held.elements.first else { return }
    completion(.success(AccessToken(value: "token-1")))
    completion(.failure(TokenError.expired))
    completion(.failure(TokenError.signedOut))
    completion(.success(AccessToken(value: "token-2")))
    await bench.session.waitForRequests(2)
    bench.clock.advance(by: 1)
    await results.waitForElements(1)
    #expect(results.elements == [.success(City(name: "Bath"))])
    #expect(tokens(bench) == ["token-0", "token-1"])
    bench.expectNothingLeft()
  }
}
