@testable import WebServicesTestSupport
#if os(Linux)
  @testable import WebServicesTransport

  /// The bytes of a body between its reader and libcurl.
  @Suite(.timeLimit(.minutes(5)), .leavesNothing)
  struct CurlBodySourceTests {
    private func bytes(_ step: CurlBodySource.Step) -> Int { if case .bytes(let count) = step { count } else { 0 } }

    /// The driving thread copies the bytes, so every transfer waits meanwhile.
    @Test func manySmallPiecesAreCopiedAtOnce() async throws {
      let count = 2 * CurlBodySource.pieceSize
      let lastPiece = Collector<Void>()
      let stream = PieceStream(Array(repeating: "abcd", count: count / 4)) { index in
        if index == count / 4 - 1 { lastPiece.add() }
      }
      let source = try #require(try CurlBodySource(.stream(stream)) {})
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * count, alignment: 1)
      defer { room.deallocate() }
      // The first call makes the source read.
      var copied = bytes(source.copyBytes(into: room))
      await lastPiece.waitForElements(1)
      let start = MonotonicTime.seconds
      while copied < count {
        copied += bytes(source.copyBytes(into: UnsafeMutableRawBufferPointer(rebasing: room[copied...])))
        if MonotonicTime.seconds > start + 20 { break }
      }
      expectEqual(copied, count)
      #expect(MonotonicTime.seconds < start + 1)
      expectEqual(Data(room[..<count]), Data(String(repeating: "abcd", count: count / 4).utf8))
      source.stop()
      await stream.closed.waitForElements(1)
    }

    @Test func bodyIsNotReadAheadOfAStalledServer() async throws {
      let (pieces, read) = (2 * CurlBodySource.pieceSize / 1024, Collector<Int>())
      let stream = PieceStream(Array(repeating: String(repeating: "a", count: 1024), count: 2 * pieces)) { index in
        if index >= pieces - 1 { read.append(index) }
      }
      let source = try #require(try CurlBodySource(.stream(stream)) {})
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
      defer { room.deallocate() }
      _ = source.copyBytes(into: room)
      await read.waitForElements(1)
      source.stop()
      await stream.closed.waitForElements(1)
      expectEqual(read.elements, [pieces - 1])
    }

    /// libcurl ends no transfer whose upload is paused, even if the server wants nothing more of the body. libcurl 8.18
    /// sends nothing of the next transfer of its handle.
    @Test(arguments: ["keep-alive", "close"], [0, 1])
    func responseIsDeliveredWhileTheSourceWaits(_ connection: String, _ waiting: Int) async throws {
      let harness = try SocketHarness(session: CurlSession.forTest())
      let goOn = DispatchSemaphore(value: 0)
      let stream = PieceStream(["abc"]) { index in if index == waiting { goOn.wait() } }
      let fields: HTTPHeaders = ["Connection": connection, "Transfer-Encoding": "chunked"]
      let steps: [LoopbackServer.Step] = [
        .head(status: 413, headers: fields), .delay(0.1), .chunk(Data("no".utf8)), .delay(0.1), .lastChunk(), .never,
      ]
      harness.server.route(.post, "/", .init(steps).beforeBody())
      let request = TransportRequest(method: .post, url: harness.server.url("/"), body: .stream(stream))
      expectEqual(await harness.transfer(request).text, "no")
      goOn.signal()
      await stream.closed.waitForElements(1)
      harness.server.route(.post, "/", .text("ok"))
      expectEqual(await harness.transfer(.post, body: .data(Data("ab".utf8))).text, "ok")
    }

    /// libcurl also reads when a timer of its own fires, such as the one for the time in which it has to connect. No
    /// event of the socket tells the end of the response then.
    @Test func responseThatLibcurlReadsByItselfIsDelivered() async throws {
      let harness = try SocketHarness(session: CurlSession.forTest())
      let start = MonotonicTime.seconds
      let (goOn, isDue) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let stream = PieceStream(["abc"]) { _ in goOn.wait() }
      let (isRead, isSent) = (LoopbackServer.Gate(), LoopbackServer.Gate())
      let steps: [LoopbackServer.Step] = [
        .head(status: 413, headers: ["Connection": "close", "Transfer-Encoding": "chunked"]), .chunk(Data("no".utf8)),
        .wait(isRead), .lastChunk(), .wait(isSent), .never,
      ]
      harness.server.route(.post, "/", .init(steps).beforeBody())
      harness.server.route(.get, "/other", .text("other"))
      var upload = TransportRequest(method: .post, url: harness.server.url("/"), body: .stream(stream))
      // libcurl gets a second more, and looks at the transfer then.
      upload.timeouts.connect = 0.1
      var other = TransportRequest(url: harness.server.url("/other"))
      let (received, blocked, results) = (Collector<Void>(), Collector<Void>(), Collector<String?>())
      upload.onProgress = { if $0.received > 0 { received.add() } }
      let isFirst = Once()
      other.onProgress = {
        // The session's thread calls this while it handles the event of the other transfer.
        guard $0.received > 0, isFirst() else { return }
        blocked.add()
        isDue.wait()
      }
      harness.session.transferTask(with: upload) { results.append($0.text) }.resume()
      await received.waitForElements(1)
      harness.session.transferTask(with: other) { _ in }.resume()
      await blocked.waitForElements(1)
      isRead.open()
      await isSent.waitUntilReached()
      while MonotonicTime.seconds < start + 1.3 { await Task.yield() }
      isDue.signal()
      expectEqual(await results.elements(1), ["no"])
      goOn.signal()
      await stream.closed.waitForElements(1)
    }
  }
#endif
