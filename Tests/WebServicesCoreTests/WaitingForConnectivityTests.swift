@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite(.leavesNothing) struct WaitingForConnectivityTests {
  /// The wait is an option of the request.
  @Test func waitingRequestIsSentOnceOnline() async {
    let harness = VirtualHarness.held()
    harness.reachability.set(isConnected: false)
    let wait = RequestOptions { $0.connectivity = .wait(upTo: 10, interval: 1) }
    let (_, results) = harness.send(authorization: .bearer, options: wait)
    harness.clock.advance(by: 5)
    harness.reachability.set(isConnected: true)
    #expect(harness.session.transfers.isEmpty)
    harness.clock.advance(by: 1)
    await harness.settleUserCallbacks()
    await harness.expectCity(results)
    expectEqual(harness.story().filter { $0 == "waiting(connectivity)" }.count, 1)
  }

  @Test func waitIsLimitedWhateverTheClockRounds() {
    let policy = ConnectivityPolicy.wait(upTo: 6, interval: 9)
    expectEqual(policy.delayBeforeNextCheck(waited: 0), 5)
    expectEqual(policy.delayBeforeNextCheck(waited: 4), 2)
    expectEqual(policy.delayBeforeNextCheck(waited: 5.999_999_9), nil)
    expectEqual(ConnectivityPolicy.wait(upTo: 6, interval: .nan).delayBeforeNextCheck(waited: 0), 0.5)
    expectEqual(ConnectivityPolicy.failAtOnce.delayBeforeNextCheck(waited: 0), nil)
  }
}
