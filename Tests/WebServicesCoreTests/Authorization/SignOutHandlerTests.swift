@testable import WebServicesTestSupport

@Suite struct SignOutHandlerTests {
  private let queue = DispatchQueue(label: "sign-out")
  private let reasons = Collector<WebServiceError.Kind?>()
  private let storage = InMemoryTokenStorage()

  /// A manager with a token that has expired, or lasts this long.
  private func manager(
    _ source: ClosureSource = ClosureSource(isStrict: true), secondsRemaining: Int = 0
  ) -> (manager: BasicAuthManager, backend: HeldService, clock: VirtualClock) {
    let made = renewingManager(source, storage: storage)
    made.manager.onSignOut(callbackQueue: queue) { [reasons] in reasons.append(($0 as? WebServiceError)?.kind) }
    made.manager.update(apiToken: "a", secondsRemaining: secondsRemaining, refreshToken: "r")
    return made
  }

  @Test func signOutByAppHasNoReason() {
    let (manager, _, _) = manager(secondsRemaining: 600)
    expectEqual(manager.authenticationInfo, AuthenticationInfo(apiToken: "a", secondsRemaining: 600, refreshToken: "r"))
    manager.clear()
    manager.clear()
    queue.sync {}
    expectEqual(reasons.elements, [nil])
    expectEqual(manager.authenticationInfo, nil)
  }

  @Test func rejectedRenewalSignsOut() {
    let (manager, backend, _) = manager()
    let waiting = (0..<3).map { _ in manager.requestToken() }
    let response = WebServiceResponse(
      statusCode: 400, url: testURL("https://api.example.com/token"), body: Data("expired".utf8))
    backend.fail(WebServiceError(.statusCode(400), response: response))
    queue.sync {}
    expectEqual(waiting.map(\.elements), Array(repeating: [.failed(.statusCode(400))], count: 3))
    expectEqual(reasons.elements, [.statusCode(400)])
    expectEqual(backend.signOutCount, 1)
    expectEqual(manager.apiToken, nil)
    expectEqual(storage.load(), nil)
    expectEqual((manager.renewalError as? WebServiceError)?.response?.body, Data("expired".utf8))
    expectEqual(manager.requestToken().elements, [.refused(.notSignedIn)])
    expectEqual(backend.sent.count, 1)
    manager.update(apiToken: "b", secondsRemaining: 600)
    #expect(manager.renewalError == nil)
    expectEqual(manager.requestToken().elements, [.token("b", generation: 2)])
  }

  @Test func failedRenewalKeepsUser() {
    let (manager, backend, clock) = manager()
    let outcomes = manager.requestToken()
    backend.fail()
    queue.sync {}
    expectEqual(outcomes.elements, [.failed(.statusCode(503))])
    #expect(reasons.elements.isEmpty)
    expectEqual((manager.renewalError as? WebServiceError)?.kind, .statusCode(503))
    clock.advance(by: 1)
    let later = manager.requestToken()
    backend.renew(to: "b")
    expectEqual(later.elements, [.token("b", generation: 2)])
    #expect(manager.renewalError == nil)
  }

  @Test
  @MainActor
  func mainQueueClosureRunsOnTheMainActor() async {
    let manager = manager().manager
    await withCheckedContinuation { continuation in
      manager.onSignOut { _ in
        MainActor.assertIsolated()
        continuation.resume()
      }
      manager.clear()
    }
  }
}
