@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite(.leavesNothing) struct BasicAuthManagerTests {
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

  /// A harness whose manager is signed in, and renews its token.
  private func harness(
    storage: any TokenStorage = InMemoryTokenStorage(), secondsRemaining: Int
  ) -> (BasicAuthManager, VirtualHarness<MockURLSession>) {
    let clock = VirtualClock()
    let manager = BasicAuthManager(storage: storage, clock: clock) { RequestDataForRenewToken(apiToken: $0) }
    let harness = VirtualHarness.scripted(tokenManager: manager, clock: clock) {
      $0.baseURL = URL(string: "https://api.example.com")
    }
    manager.update(apiToken: "old", secondsRemaining: secondsRemaining)
    harness.session.script(.post, "/renew", .json(#"{"apiToken": "new", "secondsRemaining": 600}"#))
    return (manager, harness)
  }

  @Test func storageMayUseServiceOfAnotherManager() async {
    let (other, inner) = harness(secondsRemaining: 10)
    inner.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    let storage = SendingStorage(service: inner.service)
    let (_, outer) = harness(storage: storage, secondsRemaining: 600)
    outer.session.script(.get, "/cities", .status(401))
    outer.session.script(.get, "/cities", .json(#"{"name": "Bath"}"#))
    storage.isSending.withLock { $0 = true }
    expectEqual(await outer.result(of: TestRequest(authorization: .apiToken)).model, City(name: "Bath"))
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
