@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct WaitingForConnectivityTests {
  @Test func waitIsLimitedWhateverTheClockRounds() {
    let policy = ConnectivityPolicy.wait(upTo: 6, interval: 9)
    expectEqual(policy.delayBeforeNextCheck(waited: 0), 5)
    expectEqual(policy.delayBeforeNextCheck(waited: 4), 2)
    expectEqual(policy.delayBeforeNextCheck(waited: 5.999_999_9), nil)
    expectEqual(ConnectivityPolicy.wait(upTo: 6, interval: .nan).delayBeforeNextCheck(waited: 0), 0.5)
    expectEqual(ConnectivityPolicy.wait(upTo: 6, interval: 0).delayBeforeNextCheck(waited: 0), 0.05)
    expectEqual(ConnectivityPolicy.failAtOnce.delayBeforeNextCheck(waited: 0), nil)
  }
}
