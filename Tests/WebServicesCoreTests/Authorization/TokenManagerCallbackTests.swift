@testable import WebServicesTestSupport

@Suite(.leavesNothing) struct TokenManagerCallbackTests {
  /// Calls back within its call, on the caller's thread or on another one. Notes the end of the call.
  private struct NotingTokenManager: WebServiceTokenManageable {
    let notes: Collector<String>
    let usesOtherThread: Bool

    func ensureValidToken(
      ofType type: WebServiceAuthorizationType, completion: @escaping @Sendable (Result<AccessToken, any Error>) -> Void
    ) {
      if usesOtherThread {
        let hasCalled = DispatchSemaphore(value: 0)
        Thread {
          completion(.success(AccessToken(value: "token")))
          hasCalled.signal()
        }.start()
        hasCalled.wait()
      } else {
        completion(.success(AccessToken(value: "token")))
      }
      notes.append("call returned")
    }
  }

  private struct SentMonitor: RequestMonitor {
    let notes: Collector<String>

    func record(_ event: RequestEvent) {
      if case .sent = event.kind { notes.append("sent") }
    }
  }

  @Test(arguments: [false, true])
  func onlyCallbackOnTheCallersThreadWaitsForTheEndOfTheCall(usesOtherThread: Bool) async {
    let notes = Collector<String>()
    let manager = NotingTokenManager(notes: notes, usesOtherThread: usesOtherThread)
    let harness = VirtualHarness.held(tokenManager: manager) { $0.monitors = [SentMonitor(notes: notes)] }
    let (_, results) = harness.send(authorization: .bearer)
    harness.session.open.first?.respond()
    await harness.settle()
    expectEqual(notes.elements, (usesOtherThread ? ["sent", "call returned"] : ["call returned", "sent"]))
    expectEqual(results.elements.map(\.model), [City(name: "Bath")])
  }
}
