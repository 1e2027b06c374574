@testable import WebServicesTestSupport
@testable import WebServicesCore

@Suite struct GuardedSessionTests {
  /// A session that runs an action while it is asked for a task.
  private final class AskedSession: URLSessionProtocol {
    let calls = Collector<String>()
    let whileAsked = Locked<(@Sendable () -> Void)?>(nil)

    func dataTask(
      with request: URLRequest, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> FinishedTask {
      whileAsked.withLock { $0.take() }?()
      calls.append("made")
      return FinishedTask()
    }

    func invalidateAndCancel() { calls.append("invalidated") }
  }

  @Test(arguments: [TransportBody.none, .stream(PieceStream(["body"], isReplayable: false))])
  func sessionIsInvalidatedAfterTheLastTaskIsMade(body: TransportBody) async {
    let session = AskedSession()
    let guarded = GuardedSession(next: session)
    guarded.transferTask(with: TransportRequest(url: testURL("https://example.com/"))) { _ in }.resume()
    expectEqual(session.calls.elements, ["made"])
    session.whileAsked.withLock {
      $0 = {
        guarded.invalidateAndCancel()
        guarded.transferTask(with: TransportRequest(url: testURL("https://example.com/"))) { _ in }.resume()
      }
    }
    let request = TransportRequest(url: testURL("https://example.com/"), body: body)
    guarded.transferTask(with: request) { _ in }.resume()
    expectEqual(await session.calls.elements(3), ["made", "made", "invalidated"])
    let results = Collector<TransferResult>()
    guarded.transferTask(with: TransportRequest(url: testURL("https://example.com/"))) { results.append($0) }.resume()
    guard case .failure(let error)? = results.elements.first else { return #expect(Bool(false), "nothing failed") }
    expectEqual(error.kind, .invalidated)
    #expect(!session.calls.elements.dropFirst(3).contains("made"))
  }

  @Test func onlyTheSessionOfFoundationIsGuarded() {
    func session(_ injected: (any URLSessionProtocol)?) -> any URLSessionProtocol {
      JsonWebService(session: injected, tokenManager: BasicAuthManager()).engine.session
    }
    #expect(session(URLSession.shared) is GuardedSession)
    #expect(session(AskedSession()) is AskedSession)
  }
}
