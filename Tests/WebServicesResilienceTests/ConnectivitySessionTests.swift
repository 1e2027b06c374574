@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesResilience

@Suite(.leavesNothing) struct ConnectivitySessionTests {
  private struct Layer: SessionLayer {
    func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
      ConnectivitySession(next: next)
    }
  }

  private let harness = VirtualHarness.held { $0.layers = [Layer()] }

  @Test func admittedRequestIsSentWhateverTheNetworkDoes() {
    harness.reachability.set(isConnected: false)
    harness.transfer()
    expectEqual(harness.session.open.count, 1)
    harness.session.respondToAll()
  }

  @Test func offlineRequestFailsAtOnce() {
    let sent = harness.transfer { $0.context.isOffline = true }
    expectEqual(sent.outcomes, ["notConnected"])
    expectEqual(sent.error?.mayHaveReachedServer, false)
    expectEqual(sent.error?.isOfAttempt, false)
    #expect(sent.notes.isEmpty)
  }
}
