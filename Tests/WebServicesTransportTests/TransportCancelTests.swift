@testable import WebServicesTestSupport

/// A cancel in every phase, and the end of a session.
@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct TransportCancelTests {
  private func cancelled(
    _ harness: SocketHarness, _ request: TransportRequest, when: () async -> Void
  ) async -> Result<WebServiceResponse, TransportError>? {
    let tally = Collector<Void>()
    let outcome = Locked<Result<WebServiceResponse, TransportError>?>(nil)
    let task = harness.session.transferTask(with: request) { result in
      outcome.withLock { $0 = result }
      tally.add()
    }
    task.resume()
    await when()
    task.cancel()
    task.cancel()
    await tally.waitForElements(1)
    task.cancel()
    task.resume()
    try? await Task.sleep(nanoseconds: 20_000_000)
    expectEqual(tally.count, 1)
    return outcome.withLock { $0 }
  }

  @Test(arguments: TransportKind.own)
  func cancelBeforeTheHeadMayHaveReachedTheServer(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/", .never)
    let request = TransportRequest(url: harness.server.url("/"))
    let result = await cancelled(harness, request) { await harness.server.waitForRequests() }
    expectEqual(result?.error?.kind, .cancelled)
    expectEqual(result?.error?.mayHaveReachedServer, true)
  }

  @Test(arguments: TransportKind.own)
  func cancelWithinTheBodyKeepsReceivedBytes(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let gate = LoopbackServer.Gate()
    harness.server.route(
      .get, "/", [.head(status: 200, headers: ["Content-Length": "9"]), .body(Data("abc".utf8)), .wait(gate)])
    let arrived = Collector<Void>()
    var request = TransportRequest(url: harness.server.url("/"))
    request.onProgress = { if $0.received == 3 { arrived.add() } }
    let result = await cancelled(harness, request) { await arrived.waitForElements(1) }
    expectEqual(result?.error?.kind, .cancelled)
    expectEqual(result?.error?.response?.body, Data("abc".utf8))
  }

  @Test(arguments: TransportKind.own)
  func cancelBeforeTheStartSendsNothing(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let tally = Collector<Void>()
    let task = harness.session.transferTask(with: TransportRequest(url: harness.server.url("/"))) { result in
      expectEqual(result.error?.kind, .cancelled)
      tally.add()
    }
    task.cancel()
    task.resume()
    await tally.waitForElements(1)
    expectEqual(harness.server.connectionsAccepted, 0)
    let result = await cancelled(harness, TransportRequest(url: harness.server.url("/"))) {}
    #expect(result != nil)
  }

  @Test(arguments: TransportKind.own)
  func cancelDuringUploadClosesTheReaderOnce(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.post, "/", .text("ok"))
    let reached = Collector<Void>()
    let goOn = DispatchSemaphore(value: 0)
    let stream = PieceStream(["abc", "def"]) { index in
      guard index == 1 else { return }
      reached.add()
      goOn.wait()
    }
    let request = TransportRequest(method: .post, url: harness.server.url("/"), body: .stream(stream))
    let result = await cancelled(harness, request) { await reached.waitForElements(1) }
    expectEqual(result?.error?.kind, .cancelled)
    goOn.signal()
    await stream.closed.waitForElements(1)
    expectEqual(stream.opened.count, 1)
    expectEqual(stream.closed.count, 1)
  }

  @Test(arguments: TransportKind.own)
  func invalidationEndsEveryTaskOnce(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/", .never)
    let tally = Collector<Void>()
    let count = 200
    for _ in 0..<count {
      harness.session.transferTask(with: TransportRequest(url: harness.server.url("/"))) { result in
        expectEqual(result.error?.kind, .cancelled)
        tally.add()
      }.resume()
    }
    #expect(await harness.server.waitForRequests(count: 10).count >= 10)
    harness.session.invalidateAndCancel()
    harness.session.invalidateAndCancel()
    await tally.waitForElements(count)
    #expect(await harness.server.waitForOpenConnections(count: 0))
    expectEqual(tally.count, count)
  }
}
