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
    #expect(harness.session.open.count == 1)
    harness.session.respondToAll()
  }

  @Test func offlineRequestFailsAtOnce() {
    let sent = harness.transfer { $0.context.isOffline = true }
    #expect(sent.outcomes == ["notConnected"])
    #expect(sent.error?.mayHaveReachedServer == false)
    #expect(sent.error?.isOfAttempt == false)
    #expect(sent.notes.isEmpty)
  }

}
