@testable import WebServicesTestSupport

/// A deadline that passes in a wait, and the error that names the failure before it.
@Suite(.leavesNothing) struct DeadlineInPhasesTests {
  @Test(arguments: [401, 503])
  func deadlineEndsTheWaitAndNamesTheFormerFailure(status: Int) async {
    let waiting = Collector<ClosureTokenManager.Completion>()
    let manager = ClosureTokenManager {
      $0(.success(AccessToken(value: "a")))
    } replace: {
      waiting.append($0)
    }
    let harness = VirtualHarness.held(tokenManager: manager) { configuration in
      configuration.deadline = 10
      configuration.timeout = 100
      configuration.retry = RetryPolicy(attemptLimit: 9, backoff: RetryPolicy.Backoff(base: 6, factor: 1))
    }
    let (_, results) = harness.send(authorization: .bearer)
    harness.clock.advance(by: 3.9)
    await harness.respond(status, thenPass: 6)
    await harness.settle()
    expectEqual(harness.session.transfers.count, status == 401 ? 1 : 2)
    #expect(results.elements.isEmpty)
    harness.clock.advance(by: 0.1)
    await harness.settle()
    let error = results.elements.first?.error
    expectEqual(error?.kind, .timedOut)
    expectEqual(error?.phase, status == 401 ? .authorize : .send)
    expectEqual(error?.message.contains("statusCode(\(status))"), true)
    expectEqual(error?.response?.statusCode, status)
    waiting.elements.forEach { $0(.success(AccessToken(value: "late"))) }
  }

  @Test(arguments: [(-1, .timedOut), (.nan, nil), (.infinity, nil)] as [(TimeInterval, WebServiceError.Kind?)])
  func deadlineThatIsNoTimeIsNowOrNone(deadline: TimeInterval, kind: WebServiceError.Kind?) async {
    let harness = VirtualHarness.held { $0.deadline = deadline }
    let (_, results) = harness.send()
    harness.clock.advance(by: 1)
    harness.session.respondToAll()
    await harness.settle()
    expectEqual(results.elements.map(\.error?.kind), [kind])
  }

  @Test func redirectSpendsTheTimeThatIsLeft() async {
    let harness = VirtualHarness.held { $0.timeout = 10 }
    let (_, results) = harness.send()
    harness.clock.advance(by: 6)
    harness.session.open.first?.respond(302, ["Location": "/b"])
    harness.clock.advance(by: 4)
    await harness.settle()
    expectEqual(results.elements.first?.error?.kind, .timedOut)
  }

  @Test(arguments: ["token", "replacement", "challenge"])
  func timeoutEndsAWaitForTheAppsCode(code: String) async {
    let (waiting, isOver) = (Collector<ClosureTokenManager.Completion>(), DispatchSemaphore(value: 0))
    var manager = ClosureTokenManager(replace: waiting.append)
    if code == "token" { manager.ensure = waiting.append }
    let signer = RequestSigner(named: "slow", needsToken: false, signing: { _, _ in [:] }) { _, _ in
      isOver.wait()
      return false
    }
    let harness = VirtualHarness.held(tokenManager: manager) { $0.timeout = 100 }
    let (_, results) = harness.send("a b", authorization: code == "challenge" ? .custom(signer) : .bearer)
    harness.session.open.first?.respond(401)
    harness.clock.advance(by: 100)
    isOver.signal()
    await harness.settle()
    let error = results.elements.first?.error
    #expect(error?.kind == .timedOut && error?.phase == .authorize)
    expectEqual(error?.url, "https://api.example.com/a%20b")
    waiting.elements.forEach { $0(.success(AccessToken(value: "late"))) }
  }
}
