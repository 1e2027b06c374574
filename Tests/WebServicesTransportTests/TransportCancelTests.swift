@testable import WebServicesTestSupport

/// A cancel in every phase, and the end of a session.
@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct TransportCancelTests {
  private func cancelled(
    _ harness: SocketHarness, _ request: TransportRequest, when: () async -> Void
  ) async -> Result<WebServiceResponse, TransportError>? {
    let results = Collector<Result<WebServiceResponse, TransportError>>()
    let task = harness.session.transferTask(with: request) { results.append($0) }
    task.resume()
    await when()
    task.cancel()
    task.cancel()
    await results.waitForElements(1)
    task.cancel()
    task.resume()
    try? await Task.sleep(nanoseconds: 20_000_000)
    expectEqual(results.elements.count, 1)
    return results.elements.first
  }

  @Test(arguments: TransportKind.own)
  func cancelKeepsWhatHasArrived(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    expectEqual(await harness.transfer(serving: .text("ok")).text, "ok")
    harness.server.route(.get, "/", .never)
    let request = TransportRequest(url: harness.server.url("/"))
    let before = await cancelled(harness, request) { await harness.server.waitForRequests(count: 2) }?.error
    #expect(before?.kind == .cancelled && before?.mayHaveReachedServer == true && before?.response == nil)
    #expect(await harness.server.waitForOpenConnections(count: 0))
    let head = LoopbackServer.Step.head(status: 200, headers: ["Content-Length": "9"])
    harness.server.route(.get, "/", [head, .body(Data("abc".utf8)), .wait(LoopbackServer.Gate())])
    let arrived = Collector<Void>()
    var other = request
    other.onProgress = { if $0.received == 3 { arrived.add() } }
    let within = await cancelled(harness, other) { await arrived.waitForElements(1) }?.error
    #expect(within?.kind == .cancelled && within?.response?.body == Data("abc".utf8))
  }

  @Test(arguments: TransportKind.own)
  func cancelBeforeTheStartSendsNothing(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let kinds = Collector<TransportError.Kind?>()
    let request = TransportRequest(url: harness.server.url("/"))
    let task = harness.session.transferTask(with: request) { kinds.append($0.error?.kind) }
    task.cancel()
    task.resume()
    expectEqual(await kinds.elements(1), [.cancelled])
    expectEqual(harness.server.connectionsAccepted, 0)
    #expect(await cancelled(harness, request) {} != nil)
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

  @Test("fact 4: a task after the invalidation fails with an error", arguments: TransportKind.own)
  func invalidationEndsEveryTaskOnce(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/", .never)
    let kinds = Collector<TransportError.Kind?>()
    let request = TransportRequest(url: harness.server.url("/"))
    for _ in 0..<200 { harness.session.transferTask(with: request) { kinds.append($0.error?.kind) }.resume() }
    #expect(await harness.server.waitForRequests(count: 10).count >= 10)
    harness.session.invalidateAndCancel()
    harness.session.invalidateAndCancel()
    await kinds.waitForElements(200)
    #expect(await harness.server.waitForOpenConnections(count: 0))
    expectEqual(kinds.elements, Array(repeating: .cancelled, count: 200))
    let later = await harness.transfer(request).error
    #expect(later?.kind == .invalidated && later?.mayHaveReachedServer == false)
  }
}
