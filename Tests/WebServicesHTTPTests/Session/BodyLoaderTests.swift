@testable import WebServicesTestSupport

@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct BodyLoaderTests {
  private func load(_ body: TransportBody, with loader: BodyLoader) async -> Result<TransportBody, TransportError> {
    await withCheckedContinuation { continuation in
      loader.load(TransportRequest(method: .put, url: testURL("http://a.example"), body: body)) { loaded in
        continuation.resume(returning: loaded.map(\.body))
      }
    }
  }

  @Test func fileIsSentFromItsPlaceIfTheSessionSendsFiles() async throws {
    let file = try TemporaryFile(Data("abc".utf8))
    expectEqual(try await load(.file(file.url), with: BodyLoader()).get().data, Data("abc".utf8))
    let loader = BodyLoader(sendsFiles: true)
    expectEqual(try await load(.file(file.url), with: loader).get().file, file.url)
    #expect(loader.fileSize == 3 && loader.fileFailure == nil)
    try Data("abcd".utf8).write(to: file.url)
    #expect(loader.fileFailure?.kind == .file && loader.fileFailure?.mayHaveReachedServer == true)
    let missing = await load(.file(file.url.appendingPathExtension("gone")), with: BodyLoader(sendsFiles: true))
    #expect(missing.failure?.kind == .file && missing.failure?.mayHaveReachedServer == false)
  }

  @Test(arguments: [true, false])
  func longStreamIsWrittenToAFileThatNobodyElseReads(hasLength: Bool) async throws {
    let limit = BodyLoader.memoryLimit
    for count in [limit - 1, limit, 3 * limit, 3 * limit + 1] {
      let stream = PieceStream(count: count, length: hasLength ? Int64(count) : nil)
      var loader: BodyLoader? = BodyLoader(sendsFiles: true)
      let body = try await load(.stream(stream), with: try #require(loader)).get()
      expectEqual(stream.closed.count, 1)
      guard let file = body.file else {
        expectEqual(body.data, pattern(count))
        #expect(count < limit)
        continue
      }
      #expect(count >= limit && loader?.fileSize == Int64(count))
      expectEqual(try Data(contentsOf: file), pattern(count))
      let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
      expectEqual(rights, 0o600)
      loader = nil
      // The loader's queue may be about to release the loader.
      while FileManager.default.fileExists(atPath: file.path) { await Task.yield() }
    }
    let inMemory = await load(.stream(PieceStream(count: limit, length: nil)), with: BodyLoader())
    expectEqual(try inMemory.get().data?.count, limit)
  }

  @Test func failedOrCancelledStreamLeavesNoFile() async throws {
    let piece = String(repeating: "a", count: 128 * 1024)
    let loader = BodyLoader(sendsFiles: true)
    for (isCancelled, kind) in [(false, TransportError.Kind.file), (true, .cancelled)] {
      let stream = PieceStream(Array(repeating: piece, count: 20)) { index in
        guard index == 18 else { return }
        if isCancelled { loader.endWait() } else { throw POSIXError(.EIO) }
      }
      expectEqual(await load(.stream(stream), with: loader).failure?.kind, kind)
      expectEqual(loader.fileSize, nil)
    }
  }
}

extension TransportBody {
  fileprivate var file: URL? { if case .file(let url) = self { url } else { nil } }
}
