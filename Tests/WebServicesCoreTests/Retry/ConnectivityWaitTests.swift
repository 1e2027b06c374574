import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore

@Suite struct ConnectivityWaitTests {
  private let clock = VirtualClock()
  private let outcomes = Collector<Bool>()

  private func wait(_ policy: ConnectivityPolicy, _ network: FakeReachability) -> ConnectivityWait {
    ConnectivityWait(policy, reachability: network, clock: clock) { [outcomes] in outcomes.append($0) }
  }

  @Test func onlineRequestOrZeroLimitDoesNotWait() {
    _ = wait(.wait(upTo: 10), FakeReachability())
    _ = wait(.failAtOnce, FakeReachability())
    _ = wait(.failAtOnce, FakeReachability(isConnected: false))
    _ = wait(.wait(upTo: 0), FakeReachability(isConnected: false))
    _ = wait(.wait(upTo: .nan), FakeReachability(isConnected: false))
    #expect(outcomes.elements == [true, true, false, false, false])
    #expect(clock.pendingTimerCount == 0)
  }

  @Test func waitEndsWhenTheNetworkReturns() {
    let network = FakeReachability(isConnected: false)
    _ = wait(.wait(upTo: 10, interval: 0.5), network)
    clock.advance(by: 3.2)
    #expect(outcomes.elements.isEmpty)
    network.set(isConnected: true)
    clock.advance(by: 0.29)
    #expect(outcomes.elements.isEmpty)
    clock.advance(by: 0.02)
    #expect(outcomes.elements == [true])
    #expect(clock.pendingTimerCount == 0)
  }

  @Test func waitEndsAtItsLimit() {
    _ = wait(.wait(upTo: 1.2, interval: 0.5), FakeReachability(isConnected: false))
    clock.advance(by: 1.199)
    #expect(outcomes.elements.isEmpty)
    clock.advance(by: 0.002)
    #expect(outcomes.elements == [false])
    #expect(clock.pendingTimerCount == 0)
  }

  @Test func cancelledWaitLeavesNothing() {
    let network = FakeReachability(isConnected: false)
    let wait = wait(.wait(upTo: 10), network)
    wait.cancel()
    wait.cancel()
    #expect(clock.pendingTimerCount == 0)
    network.set(isConnected: true)
    clock.advance(by: 20)
    #expect(outcomes.elements.isEmpty)
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e-9, 1e9] as [Double])
  func pollingIntervalIsBounded(interval: Double) {
    let delay = ConnectivityPolicy.wait(upTo: 100, interval: interval).delayBeforeNextCheck(waited: 0)
    #expect(delay.map { $0 >= 0.05 && $0 <= 5 } == true)
  }

  @Test func waitWithoutLimitContinues() {
    #expect(ConnectivityPolicy.wait(upTo: .infinity).delayBeforeNextCheck(waited: 1e9) == 0.5)
  }
}
