@testable import WebServicesTestSupport
@testable import WebServicesCore
@testable import WebServicesResilience

@Suite(.leavesNothing) struct ConnectivitySessionTests {
  private struct Layer: SessionLayer {
    func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
      ConnectivitySession(next: next)
    }
  }

  @Test func onlyARequestThatWasAdmittedOfflineFailsAtOnce() {
    let harness = VirtualHarness.held { $0.layers = [Layer()] }
    harness.reachability.set(isConnected: false)
    harness.transfer()
    expectEqual(harness.session.open.count, 1)
    let offline = harness.transfer { $0.context.isOffline = true }
    #expect(offline.outcomes == ["notConnected"] && offline.notes.isEmpty)
    #expect(offline.error?.mayHaveReachedServer == false && offline.error?.isOfAttempt == false)
    harness.session.respondToAll()
  }
}
