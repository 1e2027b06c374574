@testable import WebServicesTestSupport

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
    #expect(!(printedTexts(of: manager) + printedTexts(of: harness.service)).contains("zq"))
    harness.session.respondToAll()
  }
}
