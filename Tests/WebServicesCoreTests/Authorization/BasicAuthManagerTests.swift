@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite(.leavesNothing) struct BasicAuthManagerTests {
  private static let renewed = #"{"apiToken": "new", "secondsRemaining": 600}"#

  /// A harness whose manager is signed in with a token that lasts this long.
  private func harness(
    secondsRemaining: Int, renewal: BasicAuthManager.Renewal? = { RequestDataForRenewToken(apiToken: $0) },
    configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) -> (BasicAuthManager, VirtualHarness<MockURLSession>) {
    let clock = VirtualClock()
    let manager = BasicAuthManager(clock: clock, renewal: renewal)
    let harness = VirtualHarness.scripted(tokenManager: manager, clock: clock) {
      $0.baseURL = URL(string: "https://api.example.com")
      configure(&$0)
    }
    manager.update(apiToken: "old", secondsRemaining: secondsRemaining)
    return (manager, harness)
  }

  private let request = TestRequest(authorization: .apiToken)

  @Test func cancelledWaiterLeavesRenewalToOthers() async {
    let (_, harness) = harness(secondsRemaining: 10)
    harness.session.script(.post, "/renew", .json(Self.renewed).delayed(by: 1))
    harness.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let results = Collector<WebServiceResult<City>>()
    let first = harness.service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    harness.service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    first.cancel()
    await results.waitForElements(1)
    harness.clock.advance(by: 1)
    await results.waitForElements(2)
    expectEqual(results.elements.map { $0.error?.kind }, [.cancelled, nil])
    expectEqual(harness.session.requests.map { $0.url?.path }, ["/renew", "/cities"])
  }

  @Test func renewalEndsWithItsService() async {
    let (manager, former) = harness(secondsRemaining: 10)
    former.session.script(.post, "/renew", .never)
    let results = Collector<WebServiceResult<City>>()
    former.service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    let next = VirtualHarness.scripted(tokenManager: manager) { $0.baseURL = URL(string: "https://api.example.com") }
    next.session.script(.post, "/renew", .json(Self.renewed))
    next.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    next.service.sendRequest(request, callbackQueue: .global()) { results.append($0) }
    former.service.invalidateAndCancel()
    await results.waitForElements(2)
    expectEqual(former.session.requests.map { $0.url?.path }, ["/renew"])
    // The token is still good.
    expectEqual(results.elements.compactMap(\.model), [City(name: "Bath")])
    expectEqual((manager.renewalError as? WebServiceError)?.kind, .cancelled)
    expectEqual(await next.result(of: request).model, City(name: "Bath"))
    expectEqual(next.session.requests.map { $0.url?.path }, ["/cities", "/renew", "/cities"])
  }

  @Test func storageRestoresTheToken() {
    let storage = InMemoryTokenStorage()
    let manager = BasicAuthManager(storage: storage)
    expectEqual(manager.apiToken, nil)
    #expect(manager.update(apiToken: "abc", secondsRemaining: 600))
    let next = BasicAuthManager(storage: storage)
    expectEqual(next.apiToken, "abc")
    #expect(!next.isSessionExpired)
    #expect(next.clear())
    expectEqual(BasicAuthManager(storage: storage).apiToken, nil)
  }

  @Test func storageMayUseServiceOfAnotherManager() async {
    let (other, inner) = harness(secondsRemaining: 10)
    inner.session.script(.post, "/renew", .json(Self.renewed))
    inner.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let storage = SendingStorage(service: inner.service)
    let manager = BasicAuthManager(storage: storage, clock: inner.clock) { RequestDataForRenewToken(apiToken: $0) }
    let outer = VirtualHarness.scripted(tokenManager: manager) { $0.baseURL = URL(string: "https://api.example.com") }
    manager.update(apiToken: "old", secondsRemaining: 600)
    outer.session.script(.get, "/cities", .status(401))
    outer.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    outer.session.script(.post, "/renew", .json(Self.renewed))
    storage.isSending.withLock { $0 = true }
    expectEqual(await outer.result(of: request).model, City(name: "Bath"))
    expectEqual(storage.cities.elements, [City(name: "Bath")])
    expectEqual(other.apiToken, "new")
  }

  @Test func dumpShowsNoToken() {
    let manager = BasicAuthManager(storage: InMemoryTokenStorage(), clock: VirtualClock())
    manager.update(apiToken: "zqToken", secondsRemaining: 600, refreshToken: "zqRefresh")
    let harness = VirtualHarness.held(tokenManager: manager) { $0.headers["X-Api-Key"] = "zqKey" }
    harness.send(authorization: .bearer)
    for value: Any in [manager, harness.service] {
      var text = ""
      dump(value, to: &text)
      #expect(!(text + String(describing: value) + String(reflecting: value)).contains("zq"))
    }
    harness.session.respondToAll()
  }
}

/// Sends a request with a service when a token is saved, and waits for its response.
private struct SendingStorage: TokenStorage {
  let service: JsonWebService
  let isSending = Locked(false)
  let cities = Collector<City?>()

  func load() -> StoredToken? { nil }
  func clear() {}

  func save(_ token: StoredToken) {
    guard isSending.withLock({ $0 }) else { return }
    let done = DispatchSemaphore(value: 0)
    service.sendRequest(TestRequest(authorization: .apiToken), callbackQueue: .global()) {
      (result: WebServiceResult<City>) in
      cities.append(result.model)
      done.signal()
    }
    _ = done.wait(timeout: .now() + 5)
  }
}
