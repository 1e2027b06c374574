@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(1)), .leavesNothing)
struct DownloadTests {
  private let request = TestRequest(path: "file")
  private let gate = LoopbackServer.Gate()

  private func heldResponse(_ data: Data) -> LoopbackServer.Response {
    [
      .head(status: 200, headers: ["Content-Length": "\(data.count)"]), .body(data.prefix(data.count / 2)),
      .wait(gate),
      .body(data.dropFirst(data.count / 2)),
    ]
  }

  @Test(arguments: TransportKind.allCases)
  func megabytesArriveUnchanged(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let data = pattern(5_000_003)
    try Data("old".utf8).write(to: harness.target)
    harness.server.route(.get, "/file", .data(data, headers: ["ETag": "\"1\""]))
    let head = try await harness.service.download(request, to: harness.target)
    expectEqual(head.statusCode, 200)
    expectEqual(head.headers["ETag"], "\"1\"")
    #expect(head.body.isEmpty)
    expectEqual(harness.content, data)
    expectEqual(harness.names, ["target"])
    expectEqual(harness.server.requests.first?.headers["Range"], nil)
  }

  @Test(
    arguments: TransportKind.own)
  func compressedEmptyAndRedirectedResponsesAreStored(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let data = pattern(100_000)
    harness.server.route(.get, "/file", .gzip(data))
    _ = try await harness.service.download(request, to: harness.target)
    expectEqual(harness.content, data)
    harness.server.route(.get, "/old", .text("elsewhere", status: 302, headers: ["Location": "/file"]))
    harness.server.route(.get, "/file", .status(204))
    _ = try await harness.service.download(TestRequest(path: "old"), to: harness.target)
    expectEqual(harness.content, Data())
    expectEqual(harness.names, ["target"])
  }

  @Test(arguments: TransportKind.own)
  func downloadMayOutlastTheTimeout(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let data = pattern(1_000_000)
    let beginning = LoopbackServer.Gate()
    harness.server.route(.get, "/file", LoopbackServer.Response([.wait(beginning)] + heldResponse(data).steps))
    var watched = request
    let reports = Collector<Int64>()
    watched.options.onProgress = { reports.append($0.received) }
    let (_, results) = harness.download(watched)
    expectEqual(harness.clock.pendingTimerCount, 1)
    beginning.open()
    await reports.waitForElement { $0 >= 100_000 }
    harness.clock.advance(by: 1_000)
    gate.open()
    await results.waitForElements(1)
    expectEqual(results.elements.first?.failure, nil)
    expectEqual(harness.content, data)
    await reports.waitForElement { $0 == 1_000_000 }
  }

  @Test(arguments: TransportKind.own, ["cancel", "reset", "Swift task"])
  func cancelHalfwayLeavesTheTargetUnchanged(_ kind: TransportKind, way: String) async throws {
    let harness = try SocketHarness(kind)
    try Data("old".utf8).write(to: harness.target)
    harness.server.route(.get, "/file", heldResponse(pattern(1_000_000)))
    if way == "Swift task" {
      let task = Task { await harness.error { try await harness.service.download(request, to: harness.target) } }
      await gate.waitUntilReached()
      task.cancel()
      expectEqual(await task.value?.kind, .cancelled)
    } else {
      let (task, results) = harness.download(request)
      await gate.waitUntilReached()
      way == "cancel" ? task.cancel() : harness.service.invalidateAndCancel()
      await results.waitForElements(1)
      expectEqual(results.elements.first?.failure?.kind, .cancelled)
    }
    expectEqual(harness.content, Data("old".utf8))
    expectEqual(harness.names, ["target"])
  }

  @Test(arguments: TransportKind.own)
  func errorStatusHasABoundedBodyAndNoFile(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind) { configuration in
      configuration.responseLimit = 300_000
      configuration.errorBodyLimit = 4
    }
    try Data("old".utf8).write(to: harness.target)
    harness.server.route(.get, "/file", .json("0123456789", status: 404))
    let short = await harness.error { try await harness.service.download(request, to: harness.target) }
    expectEqual(short?.kind, .statusCode(404))
    expectEqual(short?.response?.body, Data("0123".utf8))
    harness.server.route(.get, "/file", .endlessChunks(status: 500))
    let endless = await harness.error { try await harness.service.download(request, to: harness.target) }
    expectEqual(endless?.underlying(as: TransportError.self)?.kind, .tooLarge)
    expectEqual(endless?.statusCode, 500)
    expectEqual(endless?.response?.body, Data("ffff".utf8))
    expectEqual(harness.content, Data("old".utf8))
    expectEqual(harness.names, ["target"])
  }

  @Test(arguments: TransportKind.own)
  func refusedTokenLeavesNothingInTheFile(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind, tokenManager: ReplacingTokenManager())
    harness.server.route(.get, "/file") { request in
      request.headers["api-token"] == "token-1" ? .text("content") : .text("refused", status: 401)
    }
    _ = try await harness.service.download(
      TestRequest(path: "file", authorization: .apiToken), to: harness.target)
    expectEqual(harness.content, Data("content".utf8))
  }

  @Test(arguments: TransportKind.own)
  func impossibleTargetsAreReported(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/file", .text("content"))
    let places = [
      harness.folder.appendingPathComponent("missing/target"), harness.folder, URL(fileURLWithPath: "/dev/null/target"),
      URL(string: "https://example.com/target"),
    ]
    for place in places.compactMap({ $0 }) {
      let error = await harness.error { try await harness.service.download(request, to: place) }
      #expect(error?.kind == .file, "\(place)")
      #expect(error?.underlying != nil)
    }
    #expect(harness.names.isEmpty)
    // The name of an existing folder is noticed only when the download is complete.
    expectEqual(harness.server.requestCount, 1)
    #expect(!FileManager.default.fileExists(atPath: harness.folder.deletingLastPathComponent().path + "/.download"))
  }

  @Test(arguments: TransportKind.own)
  func cancelLeavesTheWholeFileOrNothing(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    let data = pattern(200_000)
    harness.server.route(.get, "/file", .data(data))
    let queue = DispatchQueue(label: "any", attributes: .concurrent)
    let ended = Collector<Int>()
    let stored = Collector<Int>()
    await concurrently(200) { index in
      let target = harness.folder.appendingPathComponent("\(index)")
      let task = harness.service.download(request, to: target, callbackQueue: queue) { result in
        if result.failure == nil { stored.append(index) }
        ended.append(index)
      }
      for _ in 0..<(index * 97 % 20_000) { _ = harness.clock.now }
      if !index.isMultiple(of: 5) { task.cancel() }
    }
    await ended.waitForElements(200)
    expectEqual(ended.elements.sorted(), Array(0..<200))
    #expect(stored.elements.count >= 40)
    // The folder is gone, so a file that the transport opens late can't be created.
    harness.service.invalidateAndCancel()
    #expect(await harness.server.waitForOpenConnections(count: 0, timeout: 20))
    expectEqual(Set(harness.names), Set(stored.elements.map(String.init)))
    #expect(
      stored.elements.allSatisfy {
        (try? Data(contentsOf: harness.folder.appendingPathComponent("\($0)"))) == data
      })
  }
}
