@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite(.leavesNothing) struct WaitingForConnectivityTests {
  private func harness(_ policy: ConnectivityPolicy = .wait(upTo: 10, interval: 1)) -> VirtualHarness<HeldSession> {
    let harness = VirtualHarness.held { configuration in
      configuration.connectivity = policy
      configuration.retry = .standard
    }
    harness.reachability.set(isConnected: false)
    return harness
  }

  @Test func waitingRequestIsSentOnceOnline() async {
    let harness = harness()
    let (_, results) = harness.send(authorization: .bearer)
    harness.clock.advance(by: 5)
    harness.reachability.set(isConnected: true)
    #expect(harness.session.transfers.isEmpty)
    harness.clock.advance(by: 1)
    await harness.settleUserCallbacks()
    await harness.expectCity(results)
    expectEqual(harness.story().filter { $0 == "waiting(connectivity)" }.count, 1)
  }

  @Test func roundingErrorDoesNotProlongTheWait() async {
    let clock = VirtualClock(now: 1e9 + 0.1)
    let harness = VirtualHarness.held(clock: clock) { $0.connectivity = .wait(upTo: 6.000_000_02, interval: 0.1) }
    harness.reachability.set(isConnected: false)
    let (_, results) = harness.send()
    clock.advance(by: 7)
    await harness.settle()
    expectEqual(results.elements.map(\.error?.kind), [.noConnection])
  }

  @Test func requestMayOverrideTheConnectivityPolicy() async {
    let harness = harness(.failAtOnce)
    let (_, results) = harness.send(options: RequestOptions { $0.connectivity = .wait(upTo: 5) })
    harness.reachability.set(isConnected: true)
    harness.clock.advance(by: 1)
    await harness.expectCity(results)
  }

  @Test func eachAttemptWaitsForTheNetwork() async {
    let harness = harness()
    harness.reachability.set(isConnected: true)
    let (_, results) = harness.send()
    harness.reachability.set(isConnected: false)
    harness.session.open.first?.fail(URLError(.networkConnectionLost))
    harness.clock.advance(by: 4)
    expectEqual(harness.session.transfers.count, 1)
    harness.reachability.set(isConnected: true)
    harness.clock.advance(by: 1)
    await harness.expectCity(results)
  }
}
