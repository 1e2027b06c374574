@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct RetryingOnTransportsTests {
  private func harness(_ kind: TransportKind) throws -> SocketHarness {
    try SocketHarness(kind) { configuration in
      configuration.retry = RetryPolicy(attemptLimit: 3, backoff: RetryPolicy.Backoff(base: 5, factor: 1))
      configuration.retryBudget = .unlimited
      configuration.random = .fixed(1)
    }
  }

  private func pause(_ harness: SocketHarness) async {
    await harness.clock.waitForTimer(after: 5)
    harness.clock.advance(by: 5)
  }

  @Test(arguments: TransportKind.own)
  func streamIsRetriedBeforeItBegins(_ kind: TransportKind) async throws {
    let harness = try harness(kind)
    harness.server.script(.get, "/stream", [.status(503), .text("abc")])
    async let stream = harness.service.stream(TestRequest(path: "stream"), as: .data)
    await pause(harness)
    var text = ""
    for try await piece in try await stream { text += String(decoding: piece, as: UTF8.self) }
    expectEqual(text, "abc")
    expectEqual(harness.server.requests.count, 2)
  }
}
