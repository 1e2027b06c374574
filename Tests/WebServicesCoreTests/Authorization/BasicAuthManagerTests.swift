import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

@Suite struct BasicAuthManagerTests {
  private static let renewed = #"{"apiToken": "new", "secondsRemaining": 600}"#

  /// A bench whose manager is signed in with a token that lasts this long.
  private func bench(
    secondsRemaining: Int, renewal: BasicAuthManager.Renewal? = { RequestDataForRenewToken(apiToken: $0) },
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> (BasicAuthManager, Bench) {
    let clock = VirtualClock()
    let manager = BasicAuthManager(clock: clock, renewal: renewal)
    let bench = Bench(tokenManager: manager, clock: clock) {
      $0.baseURL = URL(string: "https://api.example.com")
      configure(&$0)
    }
    manager.update(apiToken: "old", secondsRemaining: secondsRemaining)
    return (manager, bench)
  }

  private let request = TestRequest(authorization: .apiToken)

  @Test func validTokenIsUsed() async {
    let (manager, bench) = bench(secondsRemaining: 61)
    bench.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    #expect(await bench.result(of: request).model == City(name: "Bath"))
    #expect(bench.session.requests.map { $0.value(forHTTPHeaderField: "api-token") } == ["old"])
    #expect(manager.isSessionExpired == false)
    #expect(manager.secondsRemaining == 61)
  }

  @Test func tokenIsRenewedInItsLastMinute() async {
    let (manager, bench) = bench(secondsRemaining: 61)
    bench.session.script(.post, "/renew", .json(Self.renewed))
    bench.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    bench.clock.advance(by: 1.5)
    #expect(manager.isSessionExpired)
    #expect(await bench.result(of: request).model == City(name: "Bath"))
    #expect(bench.session.requests.map { $0.url?.path } == ["/renew", "/cities"])
    #expect(bench.session.requests.map { $0.value(forHTTPHeaderField: "api-token") } == ["old", "new"])
    #expect(manager.apiToken == "new")
    bench.expectNothingLeft()
  }

  @Test func tenThousandRequestsMakeOneRenewal() async {
    let (_, bench) = bench(secondsRemaining: 10)
    bench.session.script(.post, "/renew", .json(Self.renewed).delayed(by: 1))
    bench.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let results = Collector<WebServiceResult<City>>()
    await concurrently(10_000) { [request] _ in
      bench.service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    }
    #expect(bench.session.requests.count == 1)
    bench.clock.advance(by: 1)
    await results.waitForElements(10_000)
    #expect(results.elements.allSatisfy { $0 == .success(City(name: "Bath")) })
    #expect(bench.session.requests.filter { $0.url?.path == "/renew" }.count == 1)
    let tokens = Set(
      bench.session.requests.filter { $0.url?.path == "/cities" }.map {
        $0.value(forHTTPHeaderField: "api-token")
      })
    #expect(tokens == ["new"])
    bench.expectNothingLeft()
  }

  @Test func refusedTokenIsRenewedOnce() async {
    let (manager, bench) = bench(secondsRemaining: 600)
    bench.session.script(.get, "/cities", .response(status: 401))
    bench.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    bench.session.script(.post, "/renew", .json(Self.renewed))
    #expect(await bench.result(of: request).model == City(name: "Bath"))
    #expect(bench.session.requests.map { $0.url?.path } == ["/cities", "/renew", "/cities"])
    #expect(bench.session.requests.map { $0.value(forHTTPHeaderField: "api-token") } == ["old", "old", "new"])
    #expect(manager.apiToken == "new")
    bench.expectNothingLeft()
  }

  @Test func refusalWithoutRenewalFailsWith401() async {
    let (_, bench) = bench(secondsRemaining: 600, renewal: nil)
    bench.session.script(.get, "/cities", .response(status: 401))
    #expect(await bench.result(of: request).error?.kind == .statusCode(401))
    #expect(bench.session.requests.count == 1)
    bench.expectNothingLeft()
  }

  @Test func failedRenewalFailsAllWaiters() async throws {
    let (manager, bench) = bench(secondsRemaining: 10)
    bench.session.script(.post, "/renew", .response(status: 403).delayed(by: 1))
    let results = Collector<WebServiceResult<City>>()
    for _ in 0..<100 {
      bench.service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    }
    bench.clock.advance(by: 1)
    await results.waitForElements(100)
    #expect(results.elements.allSatisfy { $0.error?.kind == .token })
    let underlying = try #require(results.elements.first?.error?.underlying as? WebServiceError)
    #expect(underlying.kind == .statusCode(403))
    #expect(bench.session.requests.count == 1)
    #expect(manager.apiToken == "old")
    bench.expectNothingLeft()
  }

  @Test func requestAfterPauseRenewsAgain() async {
    let (manager, bench) = bench(secondsRemaining: 10)
    bench.session.script(.post, "/renew", .response(status: 500))
    bench.session.script(.post, "/renew", .json(Self.renewed))
    bench.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    #expect(await bench.result(of: request).error?.kind == .token)
    #expect(await bench.result(of: request).model == City(name: "Bath"))
    #expect(bench.session.requests.map { $0.url?.path } == ["/renew", "/cities"])
    bench.clock.advance(by: 1)
    #expect(await bench.result(of: request).model == City(name: "Bath"))
    #expect(bench.session.requests.map { $0.url?.path } == ["/renew", "/cities", "/renew", "/cities"])
    #expect(manager.apiToken == "new")
    bench.expectNothingLeft()
  }

  @Test(arguments: ["", "{}"])
  func renewalWithoutTokenFails(body: String) async {
    let (_, bench) = bench(secondsRemaining: 10)
    bench.session.script(.post, "/renew", .json(body))
    #expect(await bench.result(of: request).error?.kind == .token)
    bench.expectNothingLeft()
  }

  @Test func tokenWithoutRenewalIsUsedUntilItExpires() async {
    let (_, bench) = bench(secondsRemaining: 10, renewal: nil)
    bench.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    #expect(await bench.result(of: request).model != nil)
    bench.clock.advance(by: 11)
    let error = await bench.result(of: request).error
    #expect(error?.kind == .token)
    #expect(error?.underlying as? TokenError == .expired)
  }

  @Test func signInDuringRenewalServesWaiters() async {
    let (manager, bench) = bench(secondsRemaining: 10)
    let renewals = HeldService()
    manager.renewTokens(through: renewals) { RequestDataForRenewToken(apiToken: $0) }
    bench.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let results = Collector<WebServiceResult<City>>()
    bench.service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    manager.update(apiToken: "signed in", secondsRemaining: 600)
    await results.waitForElements(1)
    #expect(bench.session.requests.map { $0.value(forHTTPHeaderField: "api-token") } == ["signed in"])
    renewals.answerAll(Self.renewed)
    #expect(manager.apiToken == "signed in")
  }

  @Test func signOutDuringRenewalFailsWaiters() async {
    let (manager, bench) = bench(secondsRemaining: 10)
    let renewals = HeldService()
    manager.renewTokens(through: renewals) { RequestDataForRenewToken(apiToken: $0) }
    let results = Collector<WebServiceResult<City>>()
    bench.service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    manager.clear()
    await results.waitForElements(1)
    #expect(results.elements.first?.error?.kind == .token)
    renewals.answerAll(Self.renewed)
    #expect(manager.apiToken == nil)
    #expect(manager.isSessionExpired)
    #expect(bench.session.requests.isEmpty)
  }

  @Test func cancelledWaiterLeavesRenewalToOthers() async {
    let (_, bench) = bench(secondsRemaining: 10)
    bench.session.script(.post, "/renew", .json(Self.renewed).delayed(by: 1))
    bench.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let results = Collector<WebServiceResult<City>>()
    let first = bench.service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    bench.service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    first.cancel()
    await results.waitForElements(1)
    bench.clock.advance(by: 1)
    await results.waitForElements(2)
    #expect(results.elements.map { $0.error?.kind } == [.cancelled, nil])
    #expect(bench.session.requests.map { $0.url?.path } == ["/renew", "/cities"])
    bench.expectNothingLeft()
  }

  @Test func renewalThatMayHaveReachedServerIsNotSentAgain() async {
    let (manager, former) = bench(secondsRemaining: 10)
    former.session.script(.post, "/renew", .never)
    let (next, results) = await replace(former, of: manager)
    #expect(former.session.requests.map { $0.url?.path } == ["/renew"])
    #expect(next.session.requests.isEmpty)
    let waiter = results.compactMap(\.error).first { $0.kind == .token }
    #expect(waiter?.underlying(as: WebServiceError.self)?.kind == .cancelled)
    #expect(await next.result(of: request).model == City(name: "Bath"))
    #expect(next.session.requests.map { $0.url?.path } == ["/renew", "/cities"])
  }

  @Test func renewalThatWasNotSentGoesOnThroughNextService() async {
    let (manager, former) = bench(secondsRemaining: 10, configure: { $0.connectivity = .wait(upTo: 60) })
    former.reachability.set(isConnected: false)
    former.session.script(.post, "/renew", .json(Self.renewed))
    let (next, results) = await replace(former, of: manager)
    #expect(results.compactMap(\.error?.kind) == [.cancelled])
    #expect(results.compactMap(\.model) == [City(name: "Bath")])
    #expect(former.session.requests.isEmpty)
    #expect(next.session.requests.map { $0.url?.path } == ["/renew", "/cities"])
  }

  /// Shuts a service down while it renews a token that a request of another service waits for.
  private func replace(
    _ former: Bench, of manager: BasicAuthManager
  ) async -> (next: Bench, results: [WebServiceResult<City>]) {
    let results = Collector<WebServiceResult<City>>()
    former.service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    let next = Bench(tokenManager: manager) { $0.baseURL = URL(string: "https://api.example.com") }
    next.session.script(.post, "/renew", .json(Self.renewed))
    next.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    next.service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    former.service.invalidateAndCancel()
    await results.waitForElements(2)
    return (next, results.elements)
  }

  @Test func storageRestoresTheToken() {
    let storage = InMemoryTokenStorage()
    let manager = BasicAuthManager(storage: storage)
    #expect(manager.apiToken == nil)
    #expect(manager.update(apiToken: "abc", secondsRemaining: 600))
    let next = BasicAuthManager(storage: storage)
    #expect(next.apiToken == "abc")
    #expect(!next.isSessionExpired)
    #expect(next.clear())
    #expect(BasicAuthManager(storage: storage).apiToken == nil)
  }
}
