import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore
@testable import WebServicesResilience

@Suite(.leavesNothing) struct ConnectivitySessionTests {
  private struct Layer: SessionLayer {
    func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
      ConnectivitySession(next: next, service: service)
    }
  }

  private let harness = VirtualHarness.held { $0.layers = [Layer()] }

  private func send(_ policy: ConnectivityPolicy? = nil) -> SentTransfer {
    harness.reachability.set(isConnected: false)
    return harness.transfer { request in
      request.context.isOffline = true
      request.options.connectivity = policy
    }
  }

  @Test func admittedRequestIsSentWhateverTheNetworkDoes() {
    harness.reachability.set(isConnected: false)
    harness.transfer()
    #expect(harness.session.open.count == 1)
    harness.session.respondToAll()
  }

  @Test func offlineRequestFailsAtOnceByDefault() {
    let sent = send()
    #expect(sent.outcomes == ["notConnected"])
    #expect(sent.error?.mayHaveReachedServer == false)
    #expect(sent.error?.isOfAttempt == false)
    #expect(sent.notes.isEmpty)
  }

  @Test func waitingRequestIsSentWhenTheNetworkReturns() {
    let (sent, refused) = (send(.wait(upTo: 10, interval: 1)), send(.wait(upTo: 10, interval: 1)))
    refused.observer.mayBeSent.withLock { $0 = false }
    harness.reachability.set(isConnected: true)
    harness.clock.advance(by: 1)
    #expect(sent.notes == ["waiting(connectivity)", "starts", "sent"])
    #expect(refused.outcomes == ["cancelled"])
    #expect(harness.session.open.count == 1)
    harness.session.respondToAll()
  }

  @Test func waitingRequestCanBeCancelledWithoutLeftovers() {
    let (cancelled, withdrawn) = (send(.wait(upTo: 10)), send(.wait(upTo: 10)))
    cancelled.task.cancel()
    #expect(withdrawn.task.withdrawIfUnsent() == .network)
    #expect([cancelled, withdrawn].map(\.outcomes) == [["cancelled"], ["cancelled"]])
    #expect(harness.clock.pendingTimerCount == 0)
  }
}
