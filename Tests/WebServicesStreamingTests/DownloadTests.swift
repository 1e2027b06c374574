@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(5)), .leavesNothing) struct DownloadTests {
  private let request = TestRequest(path: "file")
  private let gate = LoopbackServer.Gate()

  /// A harness with a file in the place of the target.
  private func harnessWithOldTarget(
    _ kind: TransportKind, configure: (inout WebServiceConfiguration) -> Void = { _ in }
  ) throws -> SocketHarness {
    let harness = try SocketHarness(kind, configure: configure)
    try Data("old".utf8).write(to: harness.target)
    return harness
  }

  private func expectTargetIsOld(_ harness: SocketHarness, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(harness.content == Data("old".utf8) && harness.names == ["target"], sourceLocation: sourceLocation)
  }

  private func heldResponse(_ data: Data) -> LoopbackServer.Response {
    [
      .head(status: 200, headers: ["Content-Length": "\(data.count)"]), .body(data.prefix(data.count / 2)), .wait(gate),
      .body(data.dropFirst(data.count / 2)),
    ]
  }

  @Test(arguments: TransportKind.allCases)
  func megabytesArriveUnchanged(_ kind: TransportKind) async throws {
    let harness = try harnessWithOldTarget(kind)
    let data = pattern(5_000_003)
    harness.server.route(.get, "/file", .data(data, headers: ["ETag": "\"1\""]))
    let head = try await harness.service.download(request, to: harness.target)
    #expect(head.statusCode == 200 && head.headers["ETag"] == "\"1\"" && head.body.isEmpty)
    #expect(harness.content == data && harness.names == ["target"])
    expectEqual(harness.server.requests.first?.headers["Range"], nil)
  }

  @Test(arguments: TransportKind.own)
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
    expectEqual(await results.elements(1).first?.failure, nil)
    expectEqual(harness.content, data)
    await reports.waitForElement { $0 == 1_000_000 }
  }

  @Test(arguments: TransportKind.own, ["cancel", "reset", "Swift task"])
  func cancelHalfwayLeavesTheTargetUnchanged(_ kind: TransportKind, way: String) async throws {
    let harness = try harnessWithOldTarget(kind)
    harness.server.route(.get, "/file", heldResponse(pattern(1_000_000)))
    if way == "Swift task" {
      let task = Task { await thrown { try await harness.service.download(request, to: harness.target) } }
      await gate.waitUntilReached()
      task.cancel()
      expectEqual(await task.value?.kind, .cancelled)
    } else {
      let (task, results) = harness.download(request)
      await gate.waitUntilReached()
      way == "cancel" ? task.cancel() : harness.service.invalidateAndCancel()
      expectEqual(await results.elements(1).first?.failure?.kind, .cancelled)
    }
    expectTargetIsOld(harness)
  }

  @Test(arguments: TransportKind.own)
  func errorStatusHasABoundedBodyAndNoFile(_ kind: TransportKind) async throws {
    let harness = try harnessWithOldTarget(kind) { configuration in
      configuration.responseLimit = 300_000
      configuration.errorBodyLimit = 4
    }
    harness.server.route(.get, "/file", .json("0123456789", status: 404))
    let short = await thrown { try await harness.service.download(request, to: harness.target) }
    expectEqual(short?.kind, .statusCode(404))
    expectEqual(short?.response?.body, Data("0123".utf8))
    harness.server.route(.get, "/file", .endlessChunks(status: 500))
    let endless = await thrown { try await harness.service.download(request, to: harness.target) }
    expectEqual(endless?.underlying(as: TransportError.self)?.kind, .tooLarge)
    expectEqual(endless?.statusCode, 500)
    expectEqual(endless?.response?.body, Data("ffff".utf8))
    expectTargetIsOld(harness)
  }

  @Test(arguments: TransportKind.tellingBreaks)
  func errorThatTheValidatorsAcceptLeavesTheTargetUnchanged(_ kind: TransportKind) async throws {
    let harness = try harnessWithOldTarget(kind) { configuration in
      configuration.retry.backoff = RetryPolicy.Backoff(base: 0)
      configuration.validators = []
    }
    let broken: LoopbackServer.Response = [
      .head(status: 200, headers: ["ETag": "\"v1\"", "Content-Length": "9"]), .body(Data("half".utf8)), .close,
    ]
    for responses in [[], [broken]] {
      harness.server.script(.get, "/file", responses + [.text("no", status: 502)])
      let error = await thrown { try await harness.service.download(request, to: harness.target) }
      expectEqual(error?.kind, .statusCode(502))
      expectEqual(error?.response?.body, Data("no".utf8))
    }
    expectTargetIsOld(harness)
  }

  @Test(arguments: TransportKind.own)
  func contentTypesRefuseAPage(_ kind: TransportKind) async throws {
    let harness = try harnessWithOldTarget(kind)
    var film = request
    film.options.validators = [.contentTypes("video/*")]
    for type in ["text/html", nil] {
      harness.server.route(.get, "/file", .data(Data("page".utf8), headers: type.map { ["Content-Type": $0] } ?? [:]))
      let download = await thrown { try await harness.service.download(film, to: harness.target) }
      let stream = await thrown { try await harness.service.stream(film, as: .data) }
      expectEqual([download?.kind, stream?.kind], [.invalidResponse, .invalidResponse])
    }
    expectEqual(harness.content, Data("old".utf8))
    for response in [.data(Data("film".utf8), headers: ["Content-Type": "video/mp4"]), .data(Data()), .status(204)]
      as [LoopbackServer.Response]
    {
      harness.server.route(.get, "/file", response)
      try await harness.service.download(film, to: harness.target)
    }
    expectEqual(harness.content, Data())
  }

  @Test(arguments: TransportKind.own)
  func impossibleTargetsAreReported(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/file", .text("content"))
    let places = [
      (harness.folder.appendingPathComponent("missing/target"), "NSPOSIXErrorDomain 2: No such file or directory"),
      (URL(fileURLWithPath: "/dev/null/target"), "NSPOSIXErrorDomain 20: Not a directory"),
      (try #require(URL(string: "https://example.com/target")), "it isn't a file URL"),
    ]
    for (place, words) in places {
      let error = await thrown { try await harness.service.download(request, to: place) }
      #expect(error?.kind == .file, "\(place)")
      #expect(error?.message.hasPrefix("the file for the response can't be created: ") == true)
      #expect(error?.message.hasSuffix(words) == true, "\(place)")
    }
    #expect(harness.names.isEmpty)
    expectEqual(harness.server.requestCount, 0)
  }

  @Test(arguments: TransportKind.own)
  func onlyARegularFileIsReplaced(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/file", .text("content"))
    let file = harness.folder.appendingPathComponent("file")
    try Data("old".utf8).write(to: file)
    let places = ["pipe", "link", "dangling", "folder"].map { harness.folder.appendingPathComponent($0) }
    expectEqual(mkfifo(places[0].path, 0o600), 0)
    try FileManager.default.createSymbolicLink(at: places[1], withDestinationURL: file)
    try FileManager.default.createSymbolicLink(at: places[2], withDestinationURL: harness.target)
    try FileManager.default.createDirectory(at: places[3], withIntermediateDirectories: false)
    let kinds = {
      places.map { try? FileManager.default.attributesOfItem(atPath: $0.path)[.type] as? FileAttributeType }
    }
    let before = kinds()
    let fake = HeldService()
    for place in places {
      let error = await thrown { try await harness.service.download(request, to: place) }
      #expect(error?.kind == .file && error?.description.contains("isn't a regular file") == true, "\(place)")
      let ended = Collector<WebServiceError.Kind?>()
      fake.download(request, to: place, callbackQueue: .global()) { ended.append($0.failure?.kind) }
      fake.respondToAll("content")
      expectEqual(ended.elements, [.file])
    }
    expectEqual(kinds(), before)
    expectEqual(try Data(contentsOf: file), Data("old".utf8))
    expectEqual(harness.names, ["dangling", "file", "folder", "link", "pipe"])
    expectEqual(harness.server.requestCount, 0)
  }

  @Test(arguments: TransportKind.own)
  func pipeThatComesDuringTheDownloadIsKept(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.get, "/file", heldResponse(pattern(1_000)))
    let results = harness.download(request).results
    await gate.waitUntilReached()
    expectEqual(mkfifo(harness.target.path, 0o600), 0)
    gate.open()
    expectEqual(await results.elements(1).first?.failure?.kind, .file)
    expectEqual(harness.names, ["target"])
    #expect(try FileManager.default.attributesOfItem(atPath: harness.target.path)[.size] as? Int == 0)
  }
}
