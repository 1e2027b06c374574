import Testing
@testable import WebServicesTestSupport
import WebServicesTesting

import WebServices
@testable import WebServicesCore
@testable import WebServicesResilience

@Suite struct ConnectivitySessionTests {
  private struct Layer: SessionLayer {
    func wrap(_ next: any URLSessionProtocol, for service: LayerContext) -> any URLSessionProtocol {
      ConnectivitySession(next: next, service: service)
    }
  }

  private let bench = LayerBench([Layer()])

  private func send(_ policy: ConnectivityPolicy? = nil) -> LayerBench.Sent {
    bench.reachability.set(isConnected: false)
    return bench.send { request in
      request.context.isOffline = true
      request.options.connectivity = policy
    }
  }

  @Test func admittedRequestIsSentWhateverTheNetworkDoes() {
    bench.reachability.set(isConnected: false)
    bench.send()
    #expect(bench.session.open.count == 1)
  }

  @Test func offlineRequestFailsAtOnceByDefault() {
    let sent = send()
    #expect(sent.ends == ["notConnected"])
    #expect(sent.error?.mayHaveReachedServer == false)
    #expect(sent.error?.isOfAttempt == false)
    #expect(sent.notes.isEmpty)
  }

  @Test func waitingRequestIsSentWhenTheNetworkReturns() {
    let (sent, refused) = (send(.wait(upTo: 10, interval: 1)), send(.wait(upTo: 10, interval: 1)))
    refused.observer.mayBeSent.withLock { $0 = false }
    bench.reachability.set(isConnected: true)
    bench.clock.advance(by: 1)
    #expect(sent.notes == ["waiting(connectivity)", "starts", "sent"])
    #expect(refused.ends == ["cancelled"])
    #expect(bench.session.open.count == 1)
  }

  @Test func waitingRequestCanBeCancelledWithoutLeftovers() {
    let (cancelled, withdrawn) = (send(.wait(upTo: 10)), send(.wait(upTo: 10)))
    cancelled.task.cancel()
    #expect(withdrawn.task.withdrawIfUnsent() == .network)
    #expect([cancelled, withdrawn].map(\.ends) == [["cancelled"], ["cancelled"]])
    #expect(bench.clock.pendingTimerCount == 0)
  }
}
