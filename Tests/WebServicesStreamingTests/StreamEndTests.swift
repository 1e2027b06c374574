@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct StreamEndTests {
  private let request = TestRequest(path: "stream")
  private let gate = LoopbackServer.Gate()

  /// Sends some letters, and the rest once the gate is open.
  private func route(_ harness: SocketHarness) { harness.server.route(.get, "/stream", .letters(between: [gate])) }

  @Test(arguments: TransportKind.own)
  func cancelledTaskSendsNothing(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let error = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await thrown { try await harness.service.stream(request, as: .letters) }
    }.value
    expectEqual(error?.kind, .cancelled)
    expectEqual(harness.server.connectionsAccepted, 0)
  }

  @Test func cancelledTaskStartsNoDownload() async {
    let harness = VirtualHarness.held()
    let target = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let error = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await thrown { try await harness.service.download(TestRequest(), to: target) }
    }.value
    expectEqual(error?.kind, .cancelled)
    expectEqual(error?.attemptCount, 0)
    expectEqual(harness.session.transfers.count, 0)
  }

  @Test(arguments: TransportKind.own)
  func unreadStreamAndLeftLoopEndTheirTransfers(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    route(harness)
    do { _ = try await harness.service.stream(request, as: .letters) }
    #expect(await harness.server.waitForOpenConnections(count: 0))
    let stream = try await harness.service.stream(request, as: .letters)
    for try await letter in stream {
      expectEqual(letter, "a")
      break
    }
    withExtendedLifetime(stream) {}
  }

  @Test func monitorsSeeWhyAStreamEndedThatItsReaderCancels() async throws {
    let metrics = RequestMetrics()
    let harness = try SocketHarness(.own[0]) { $0.monitors.append(metrics) }
    harness.server.route(
      .get, "/stream", [.head(status: 200, headers: ["Content-Length": "9"]), .body(Data("!".utf8)), .wait(gate)])
    let error = await thrown { for try await _ in try await harness.service.stream(request, as: .letters) {} }
    expectEqual(error?.kind, .undecodableBody)
    expectEqual(metrics.snapshot().failures, ["undecodableBody": 1])
  }

  @Test(arguments: TransportKind.own)
  func resetPreventsLateElements(_ kind: TransportKind) async throws {
    for (readBefore, isWhole) in [(0, false), (1, false), (0, true), (1, true)] {
      let harness = try SocketHarness(kind)
      route(harness)
      if isWhole { harness.server.route(.get, "/stream", .text("abc")) }
      var iterator = try await harness.service.stream(request, as: .letters).makeAsyncIterator()
      for _ in 0..<readBefore { expectEqual(try await iterator.next(), "a") }
      harness.service.invalidateAndCancel()
      let error = await thrown { try await iterator.next() }
      expectEqual(error?.kind, .cancelled)
      expectEqual(try await iterator.next(), nil)
    }
  }

  @Test(arguments: TransportKind.own)
  func requestTimeoutCountsUpToTheHead(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/stream", .never)
    let task = Task { await thrown { try await harness.service.stream(request, as: .letters) } }
    await harness.server.waitForRequests()
    harness.clock.advance(by: 29.999)
    expectEqual(harness.service.requestCount, 1)
    harness.clock.advance(by: 0.001)
    let error = await task.value
    #expect(error?.kind == .timedOut && error?.phase == .send)
    route(harness)
    var iterator = try await harness.service.stream(request, as: .letters).makeAsyncIterator()
    harness.clock.advance(by: 1_000)
    expectEqual(try await iterator.next(), "a")
  }

  @Test(arguments: TransportKind.own)
  func idleTimeoutCountsAfterTheHead(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    route(harness)
    var quick = request
    quick.options.timeout = 0.2
    let taken = Collector<Character>()
    let error = await thrown {
      for try await letter in try await harness.service.stream(quick, as: .letters) { taken.append(letter) }
    }
    #expect(error?.kind == .timedOut && error?.statusCode == 200)
    expectEqual(error?.underlying(as: TransportError.self)?.kind, .timedOut(.idle))
    // On a busy machine the reader may not have read all letters.
    #expect("abc".hasPrefix(String(taken.elements)))
  }

  @Test(arguments: TransportKind.tellingBreaks)
  func brokenConnectionFailsAfterItsElements(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(
      .get, "/stream",
      [.head(status: 200, headers: ["Content-Length": "9"]), .body(Data("abc".utf8)), .wait(gate), .close])
    var iterator = try await harness.service.stream(request, as: .letters).makeAsyncIterator()
    for letter in "abc" { expectEqual(try await iterator.next(), letter) }
    gate.open()
    let error = await thrown { try await iterator.next() }
    expectEqual(error?.kind, .sessionFailure)
    expectEqual(error?.underlying(as: TransportError.self)?.kind, .truncated)
  }

  @Test(arguments: TransportKind.own)
  func refusedStreamKeepsItsReasonWhileItEnds(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/stream", .chunked(["!"]))
    var strict = request
    strict.options.validators = [ResponseValidator { _ in throw LetterError() }]
    // Past the time limit of the suite, each request would be cancelled.
    for _ in 0..<500 where !Task.isCancelled {
      let bad = await thrown {
        for try await _ in try await harness.service.stream(request, as: .letters) {}
      }
      expectEqual(bad?.kind, .undecodableBody)
      let refused = await thrown { try await harness.service.stream(strict, as: .letters) }
      expectEqual(refused?.kind, .invalidResponse)
    }
  }
}
