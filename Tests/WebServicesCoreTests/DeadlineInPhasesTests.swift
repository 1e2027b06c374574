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
}
