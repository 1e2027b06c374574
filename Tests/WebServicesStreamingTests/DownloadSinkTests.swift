import WebServicesFiles
@testable import WebServicesStreaming
@testable import WebServicesTestSupport

/// Calls of a sink in orders that only threads bring about.
struct DownloadSinkTests {
  private let folder: TemporaryFolder
  private let file: DownloadFile
  private let request = TransportRequest(url: testURL("https://example.com/file"))

  init() throws {
    folder = try TemporaryFolder()
    file = DownloadFile(
      beside: folder.url.appendingPathComponent("target"), kept: .deleted, credentials: nil, redaction: .standard)
  }

  @Test func transferThatIsSentLateTakesNoBytesFromANewerOne() async throws {
    let (sink, reported, sizes) = (DownloadSink(to: file), Collector<Int64>(), Collector<Int64>())
    var request = request
    request.onProgress = { reported.append($0.received) }
    var late = request
    try sink.prepare(request)
    sink.willSend(&request, transfer: 2)
    sink.willSend(&late, transfer: 1)
    var head = WebServiceResponse(statusCode: 200, headers: ["Content-Length": "2"], url: request.url)
    let lateEnd = TransferResult.success(head)
    head.headers.contentLength = 3
    sink.begin(head, transfer: 2) { _ in }
    if case .success(let head) = lateEnd { sink.begin(head, transfer: 1) { _ in } }
    expectEqual(await end(sink, lateEnd, transfer: 1).response?.statusCode, 200)
    for (sent, received) in [(late, 1), (request, 2)] as [(TransportRequest, Int64)] {
      sent.onProgress?(.init(sent: 0, expectedToSend: nil, received: received, expectedToReceive: nil))
    }
    expectEqual(reported.elements, [2])
    // The transport goes on once the bytes are in the file.
    sink.receive(Data("abc".utf8), transfer: 2) { [file] in sizes.append(file.size) }
    let result = await end(sink, .success(head), transfer: 2)
    #expect(result.response?.statusCode == 200)
    expectEqual(sizes.elements, [3])
    try file.move()
    expectEqual(try String(contentsOf: folder.url.appendingPathComponent("target"), encoding: .utf8), "abc")
  }

  @Test(arguments: [true, false])
  func lateBytesAreNotWritten(isClosed: Bool) async throws {
    let sink = DownloadSink(to: file)
    var request = request
    try sink.prepare(request)
    sink.willSend(&request, transfer: 1)
    let head = WebServiceResponse(statusCode: 200, url: request.url)
    sink.begin(head, transfer: 1) { _ in }
    sink.receive(Data("abc".utf8), transfer: 1) {}
    await withCheckedContinuation { continuation in
      sink.end(.success(head), transfer: 1) { _ in continuation.resume() }
    }
    if isClosed { await close(sink) } else { sink.willSend(&request, transfer: 2) }
    sink.receive(Data("def".utf8), transfer: 1) {}
    await close(sink)
    expectEqual(file.size, 3)
    file.end(keepingBytes: false)
  }

  private func end(_ sink: DownloadSink, _ result: TransferResult, transfer: Int) async -> TransferResult {
    await withCheckedContinuation { continuation in
      sink.end(result, transfer: transfer) { continuation.resume(returning: $0) }
    }
  }

  private func close(_ sink: DownloadSink) async {
    await withCheckedContinuation { continuation in sink.close { continuation.resume() } }
  }

  #if DEBUG
    /// A power failure could otherwise leave the bytes of an earlier version with the record of the next one.
    @Test func earlierBytesLeaveTheDiskBeforeTheNextVersionIsRecorded() throws {
      let file = DownloadFile(
        beside: folder.url.appendingPathComponent("target"), kept: .kept(), credentials: nil, redaction: .standard)
      var calls: [String] = []
      try DiskFault { call in
        calls.append(call)
        return nil
      }.perform {
        _ = try file.open(for: request)
        for tag in ["\"v1\"", "\"v2\""] {
          let headers: HTTPHeaders = ["ETag": tag, "Content-Length": "3"]
          let head = WebServiceResponse(statusCode: 200, headers: headers, url: request.url)
          try file.begin(after: 0, of: DownloadProgress.Version(of: head))
          try file.write(Data("abc".utf8))
        }
      }
      let record = ["open", "write", "rename", "write"]
      let removal = ["unlink", "unlink", "truncate"]
      expectEqual(calls, ["open", "flock"] + removal + record + removal + ["fsync"] + record)
      file.end(keepingBytes: false)
    }

    @Test func recordThatAKilledProcessHasBegunIsRemoved() throws {
      func open() throws -> DownloadFile {
        let file = DownloadFile(
          beside: folder.url.appendingPathComponent("target"), kept: .kept(), credentials: nil,
          redaction: .standard)
        _ = try file.open(for: request)
        return file
      }
      let headers: HTTPHeaders = ["ETag": "\"v1\"", "Content-Length": "3"]
      let head = WebServiceResponse(statusCode: 200, headers: headers, url: request.url)
      var isKilled = false
      let kill = DiskFault { call in
        isKilled = isKilled || call == "rename"
        return isKilled ? EIO : nil
      }
      #expect(throws: PrivateFileError.self) {
        try kill.perform { try open().begin(after: 0, of: DownloadProgress.Version(of: head)) }
      }
      let next = try open()
      try next.begin(after: 0, of: nil)
      try next.move()
      expectEqual(try FileManager.default.contentsOfDirectory(atPath: folder.url.path), ["target"])
    }

    /// The transfer that a failed write ends may have more pieces. Written after a gap, they would be kept as good
    /// bytes.
    @Test func nothingIsWrittenAfterAFailedWrite() throws {
      let sink = DownloadSink(to: file)
      var request = request
      try sink.prepare(request)
      sink.willSend(&request, transfer: 1)
      let head = WebServiceResponse(statusCode: 200, headers: ["Content-Length": "6"], url: request.url)
      var isFull = true
      let results = Collector<TransferResult>()
      SimulatedThread(enqueue: { $1() }, yield: {}).perform {
        DiskFault { call in isFull && call == "write" ? ENOSPC : nil }.perform {
          sink.begin(head, transfer: 1) { _ in }
          sink.receive(Data("abc".utf8), transfer: 1) {}
          isFull = false
          sink.receive(Data("def".utf8), transfer: 1) {}
          sink.end(.success(head), transfer: 1) { results.append($0) }
        }
      }
      expectEqual(results.elements.map(\.error?.kind), [.file])
      expectEqual(file.size, 0)
      file.end(keepingBytes: false)
    }

    /// A download moves its file after another one has opened the file, and before that one locks it. A third download
    /// has the hidden name then.
    @Test func fileThatIsMovedBeforeItIsLockedIsRefused() throws {
      let target = folder.url.appendingPathComponent("target")
      let files = (0..<3).map { _ in
        DownloadFile(beside: target, kept: .kept(), credentials: nil, redaction: .standard)
      }
      _ = try files[0].open(for: request)
      var isFirst = true
      let moving = DiskFault { [request] call in
        guard call == "flock", isFirst else { return nil }
        isFirst = false
        try? files[0].move()
        _ = try? files[2].open(for: request)
        return nil
      }
      #expect(throws: BodyFailure.self) { try moving.perform { _ = try files[1].open(for: request) } }
      files[2].end(keepingBytes: false)
    }
  #endif

  @Test func cancelDuringThePreparationLeavesNoFile() async throws {
    struct Cancelling: Encodable, Sendable {
      let service: JsonWebService

      func encode(to encoder: any Encoder) throws { service.invalidateAndCancel() }
    }
    let service = JsonWebService(session: MockURLSession(), tokenManager: BasicAuthManager())
    let request = Request("https://example.com/file", .post, body: .json([Cancelling(service: service)]))
    let error = await #expect(throws: WebServiceError.self) {
      try await service.download(request, to: folder.url.appendingPathComponent("target"))
    }
    expectEqual(error?.kind, .cancelled)
    expectEqual(try FileManager.default.contentsOfDirectory(atPath: folder.url.path), [])
  }
}
