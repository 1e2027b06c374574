import Foundation
import Testing
@testable import WebServicesTestSupport
import WebServices
import WebServicesTesting

@Suite(.timeLimit(.minutes(1)))
struct DownloadTests {
  private let request = TestRequest(path: "file")
  private let gate = LoopbackServer.Gate()

  private func heldAnswer(_ data: Data, status: Int = 200) -> LoopbackServer.Response {
    [
      .head(status: status, headers: ["Content-Length": "\(data.count)"]), .body(data.prefix(data.count / 2)),
      .wait(gate),
      .body(data.dropFirst(data.count / 2)),
    ]
  }

  @Test(arguments: TransportKind.allCases)
  func megabytesArriveUnchanged(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    let data = pattern(5_000_003)
    stage.server.route(.get, "/file", .data(data, headers: ["ETag": "\"1\""]))
    let head = try await stage.service.download(request, to: stage.target)
    #expect(head.statusCode == 200)
    #expect(head.headers["ETag"] == "\"1\"")
    #expect(head.body.isEmpty)
    #expect(stage.content == data)
    #expect(stage.names == ["target"])
    #expect(stage.server.requests.first?.headers["Range"] == nil)
    await stage.expectNothingLeft(open: 1)
  }

  @Test(
    arguments: TransportKind.own)
  func compressedEmptyAndRedirectedResponsesAreStored(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    let data = pattern(100_000)
    stage.server.route(.get, "/file", .gzip(data))
    _ = try await stage.service.download(request, to: stage.target)
    #expect(stage.content == data)
    stage.server.route(.get, "/old", .text("elsewhere", status: 302, headers: ["Location": "/file"]))
    stage.server.route(.get, "/file", .status(204))
    _ = try await stage.service.download(TestRequest(path: "old"), to: stage.target)
    #expect(stage.content == Data())
    #expect(stage.names == ["target"])
    await stage.expectNothingLeft(open: 1)
  }

  @Test(arguments: TransportKind.own)
  func targetIsReplacedAtomically(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    let data = pattern(1_000_000)
    try Data("old".utf8).write(to: stage.target)
    stage.server.route(.get, "/file", heldAnswer(data))
    let (_, results) = stage.download(request)
    await gate.waitUntilReached()
    #expect(stage.content == Data("old".utf8))
    gate.open()
    await results.waitForElements(1)
    #expect(stage.content == data)
    #expect(stage.names == ["target"])
    await stage.expectNothingLeft(open: 1)
  }

  @Test(arguments: TransportKind.own)
  func downloadMayOutlastTheTimeout(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    let data = pattern(1_000_000)
    let beginning = LoopbackServer.Gate()
    stage.server.route(.get, "/file", LoopbackServer.Response([.wait(beginning)] + heldAnswer(data).steps))
    var watched = request
    let reports = Collector<Int64>()
    watched.options.onProgress = { reports.append($0.received) }
    let (_, results) = stage.download(watched)
    #expect(stage.clock.pendingTimerCount == 1)
    beginning.open()
    while (reports.elements.last ?? 0) < 100_000 { await reports.waitForElements(reports.elements.count + 1) }
    stage.clock.advance(by: 1_000)
    gate.open()
    await results.waitForElements(1)
    #expect(results.elements.first?.failure == nil)
    #expect(stage.content == data)
    while reports.elements.last != 1_000_000 { await reports.waitForElements(reports.elements.count + 1) }
    await stage.expectNothingLeft(open: 1)
  }

  @Test(arguments: TransportKind.own)
  func silentServerTimesOut(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    stage.server.route(.get, "/file", .silence)
    let (_, results) = stage.download(request)
    await stage.server.waitForRequests()
    stage.clock.advance(by: 30)
    await results.waitForElements(1)
    #expect(results.elements.first?.failure?.kind == .timedOut)
    #expect(stage.names.isEmpty)
    await stage.expectNothingLeft(open: 0)
  }

  private enum End: String, CaseIterable { case cancel, reset, swiftTask }

  @Test(arguments: TransportKind.own, 0..<3)
  func failureHalfwayLeavesTheTargetUnchanged(_ kind: TransportKind, index: Int) async throws {
    let stage = try ServiceStage(kind)
    try Data("old".utf8).write(to: stage.target)
    stage.server.route(.get, "/file", heldAnswer(pattern(1_000_000)))
    if End.allCases[index] == .swiftTask {
      let task = Task { await stage.error { try await stage.service.download(request, to: stage.target) } }
      await gate.waitUntilReached()
      task.cancel()
      #expect(await task.value?.kind == .cancelled)
    } else {
      let (task, results) = stage.download(request)
      await gate.waitUntilReached()
      index == 0 ? task.cancel() : stage.service.invalidateAndCancel()
      await results.waitForElements(1)
      #expect(results.elements.first?.failure?.kind == .cancelled)
    }
    #expect(stage.content == Data("old".utf8))
    #expect(stage.names == ["target"])
    await stage.expectNothingLeft(open: 0)
  }

  @Test(arguments: TransportKind.own)
  func cancelLeavesTheWholeFileOrNothing(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    let data = pattern(200_000)
    stage.server.route(.get, "/file", .data(data))
    let queue = DispatchQueue(label: "any", attributes: .concurrent)
    let ended = Collector<Int>()
    let stored = Collector<Int>()
    await concurrently(200) { index in
      let target = stage.folder.appendingPathComponent("\(index)")
      let task = stage.service.download(request, to: target, callbackQueue: queue) { result in
        if result.failure == nil { stored.append(index) }
        ended.append(index)
      }
      for _ in 0..<(index * 97 % 20_000) { _ = stage.clock.now }
      if !index.isMultiple(of: 5) { task.cancel() }
    }
    await ended.waitForElements(200)
    #expect(ended.elements.sorted() == Array(0..<200))
    #expect(stored.elements.count >= 40)
    // The folder is gone, so a file that the transport opens late can't be created.
    stage.service.invalidateAndCancel()
    #expect(await stage.server.waitForOpenConnections(count: 0, timeout: 20))
    #expect(Set(stage.names) == Set(stored.elements.map(String.init)))
    #expect(
      stored.elements.allSatisfy {
        (try? Data(contentsOf: stage.folder.appendingPathComponent("\($0)"))) == data
      })
    await stage.expectNothingLeft()
  }

  @Test(arguments: TransportKind.own)
  func errorStatusHasABoundedBodyAndNoFile(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind) { $0.errorBodyLimit = 4 }
    try Data("old".utf8).write(to: stage.target)
    stage.server.route(.get, "/file", .json("0123456789", status: 404))
    let error = await stage.error { try await stage.service.download(request, to: stage.target) }
    #expect(error?.kind == .statusCode(404))
    #expect(error?.response?.body == Data("0123".utf8))
    #expect(stage.content == Data("old".utf8))
    #expect(stage.names == ["target"])
    await stage.expectNothingLeft(open: 1)
  }

  @Test(arguments: TransportKind.own)
  func endlessErrorBodyIsBounded(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind) { configuration in
      configuration.responseLimit = 300_000
      configuration.errorBodyLimit = 4
    }
    stage.server.route(.get, "/file", .endlessChunks(status: 500))
    let error = await stage.error { try await stage.service.download(request, to: stage.target) }
    #expect(error?.underlying(as: TransportError.self)?.kind == .tooLarge)
    #expect(error?.statusCode == 500)
    #expect(error?.response?.body == Data("ffff".utf8))
    #expect(stage.names.isEmpty)
    await stage.expectNothingLeft(open: 0)
  }

  @Test(arguments: TransportKind.own)
  func slowErrorBodyTimesOut(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    stage.server.route(.get, "/file", heldAnswer(pattern(1_000), status: 500))
    let (_, results) = stage.download(request)
    await gate.waitUntilReached()
    stage.clock.advance(by: 30)
    await results.waitForElements(1)
    gate.open()
    #expect(results.elements.first?.failure?.kind == .timedOut)
    #expect(stage.names.isEmpty)
    await stage.expectNothingLeft()
  }

  @Test(arguments: TransportKind.own)
  func refusedTokenLeavesNothingInTheFile(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind, tokenManager: ReplacingTokenManager())
    stage.server.route(.get, "/file") { request in
      request.headers["api-token"] == "token-1" ? .text("content") : .text("refused", status: 401)
    }
    _ = try await stage.service.download(
      TestRequest(path: "file", authorization: .apiToken), to: stage.target)
    #expect(stage.content == Data("content".utf8))
    await stage.expectNothingLeft(open: 1)
  }

  @Test(arguments: TransportKind.own)
  func impossibleTargetsAreReported(_ kind: TransportKind) async throws {
    let stage = try ServiceStage(kind)
    stage.server.route(.get, "/file", .text("content"))
    let places = [
      stage.folder.appendingPathComponent("missing/target"), stage.folder, URL(fileURLWithPath: "/dev/null/target"),
      URL(string: "https://example.com/target"),
    ]
    for place in places.compactMap({ $0 }) {
      let error = await stage.error { try await stage.service.download(request, to: place) }
      #expect(error?.kind == .file, "\(place)")
      #expect(error?.underlying != nil)
    }
    #expect(stage.names.isEmpty)
    // The name of an existing folder is noticed only when the download is complete.
    #expect(stage.server.requestCount == 1)
    #expect(!FileManager.default.fileExists(atPath: stage.folder.deletingLastPathComponent().path + "/.download"))
    await stage.expectNothingLeft()
  }
}
