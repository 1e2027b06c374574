@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct RetryingOnTransportsTests {
  private let data = pattern(100_000)

  private func harness(_ kind: TransportKind) throws -> SocketHarness {
    try SocketHarness(kind) { configuration in
      configuration.retry = RetryPolicy(attemptLimit: 3, backoff: RetryPolicy.Backoff(base: 5, factor: 1))
      configuration.retryBudget = .unlimited
      configuration.random = .fixed(1)
    }
  }

  /// A response that announces the whole length and ends in the middle.
  private var broken: LoopbackServer.Response {
    [.head(status: 200, headers: ["Content-Length": "\(data.count)"]), .body(data.prefix(60_000)), .close]
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

  @Test(arguments: TransportKind.own)
  func begunStreamIsNotRetried(_ kind: TransportKind) async throws {
    let harness = try harness(kind)
    harness.server.script(.get, "/stream", [broken])
    let error = await harness.error {
      for try await _ in try await harness.service.stream(TestRequest(path: "stream"), as: .data) {}
    }
    expectEqual(error?.kind, .sessionFailure)
    expectEqual(harness.server.requests.count, 1)
  }

  @Test(arguments: TransportKind.own)
  func retriedDownloadHoldsOnlyTheGoodResponse(_ kind: TransportKind) async throws {
    let harness = try harness(kind)
    harness.server.script(.get, "/file", [.text("busy", status: 503), broken, .data(data)])
    let (_, results) = harness.download(TestRequest(path: "file"))
    for _ in 0..<2 { await pause(harness) }
    await results.waitForElements(1)
    expectEqual(results.elements[0].failure, nil)
    expectEqual(harness.content, data)
    expectEqual(harness.names, ["target"])
  }
}
