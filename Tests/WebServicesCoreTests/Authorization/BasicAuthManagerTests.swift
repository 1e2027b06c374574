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
