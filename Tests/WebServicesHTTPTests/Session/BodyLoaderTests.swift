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
    let loaded = try #require(try await load(.file(file.url), with: loader).get().loadedFile)
    #expect(loaded.url == file.url && loaded.length == 3 && loaded.failure == nil)
    try Data("abcd".utf8).write(to: file.url)
    #expect(loaded.failure?.kind == .file && loaded.failure?.mayHaveReachedServer == true)
    let missing = await load(.file(file.url.appendingPathExtension("gone")), with: BodyLoader(sendsFiles: true))
    #expect(missing.failure?.kind == .file && missing.failure?.mayHaveReachedServer == false)
  }

  @Test(arguments: [true, false])
  func longStreamIsWrittenToAFileThatNobodyElseReads(hasLength: Bool) async throws {
    let limit = BodyLoader.memoryLimit
    for count in [limit - 1, limit, 3 * limit, 3 * limit + 1] {
      let stream = PieceStream(count: count, length: hasLength ? Int64(count) : nil)
      var body: TransportBody? = try await load(.stream(stream), with: BodyLoader(sendsFiles: true)).get()
      expectEqual(stream.closed.count, 1)
      guard let path = body?.loadedFile?.url.path else {
        expectEqual(body?.data, pattern(count))
        #expect(count < limit)
        continue
      }
      #expect(count >= limit && body?.loadedFile?.length == Int64(count))
      expectEqual(try body?.loadedFile?.content(inPiecesOf: limit), pattern(count))
      let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
      expectEqual(rights, 0o600)
      body = nil
      // The loader's queue may be about to release the result.
      while FileManager.default.fileExists(atPath: path) { await Task.yield() }
    }
    let inMemory = await load(.stream(PieceStream(count: limit, length: nil)), with: BodyLoader())
    expectEqual(try inMemory.get().data?.count, limit)
  }

  @Test func longStreamFailsOrIsCancelled() async throws {
    let piece = String(repeating: "a", count: 128 * 1024)
    let loader = BodyLoader(sendsFiles: true)
    for (isCancelled, kind) in [(false, TransportError.Kind.file), (true, .cancelled)] {
      let stream = PieceStream(Array(repeating: piece, count: 20)) { index in
        guard index == 18 else { return }
        if isCancelled { loader.endWait() } else { throw POSIXError(.EIO) }
      }
      expectEqual(await load(.stream(stream), with: loader).failure?.kind, kind)
    }
  }
}
