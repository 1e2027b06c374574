@testable import WebServicesTestSupport
@testable import WebServicesResilience

@Suite(.leavesNothing) struct ConnectivitySessionTests {
  @Test func onlyARequestThatWasAdmittedOfflineFailsAtOnce() {
    let layer = SendingLayer { ConnectivitySession(next: $1.next).transferTask(with: $0, completion: $2) }
    let harness = VirtualHarness.held { $0.layers = [layer] }
    harness.reachability.set(isConnected: false)
    harness.transfer()
    expectEqual(harness.session.open.count, 1)
    let offline = harness.transfer { $0.context.isOffline = true }
    #expect(offline.outcomes == ["notConnected"] && offline.notes.isEmpty)
    #expect(offline.error?.mayHaveReachedServer == false && offline.error?.isOfAttempt == false)
    harness.session.respondToAll()
  }
}
