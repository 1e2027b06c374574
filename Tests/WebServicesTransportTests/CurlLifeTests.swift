@testable import WebServicesTestSupport
#if os(Linux)
  import CurlShim
  @testable import WebServicesTransport

  /// Checks that a session releases everything.
  @Suite(.serialized, .timeLimit(.minutes(5)), .leavesNothing)
  struct CurlLifeTests {
    @Test(arguments: [true, false])
    func invalidatedSessionLeavesNothing(_ cancels: Bool) async throws {
      let server = try LoopbackServer.forTest()
      server.route(.get, "/", .text("ok"))
      let session = try CurlSession.forTest()
      expectEqual(await session.send(TransportRequest(url: server.url("/"))).text, "ok")
      expectEqual(server.openConnections, 1)
      if cancels { session.invalidateAndCancel() } else { session.driver.endWithLastTask() }
      await session.driver.ended()
      #expect(await server.waitForOpenConnections(count: 0))
      // A task of a session that was released meanwhile is sent.
      let later = await session.send(TransportRequest(url: server.url("/")))
      expectEqual(later.error?.kind, cancels ? .invalidated : nil)
      await session.driver.ended()
    }

    /// Nothing tells an idle session that a server has closed its connections.
    @Test func unusedSessionClosesItsConnections() async throws {
      let server = try LoopbackServer.forTest()
      server.route(.get, "/", .text("ok"))
      let session = try CurlSession.forTest { $0.idleConnectionLifetime = 1 }
      defer { session.invalidateAndCancel() }
      expectEqual(await session.send(TransportRequest(url: server.url("/"))).text, "ok")
      #expect(await server.waitForOpenConnections(count: 0, timeout: 10))
      expectEqual(await session.send(TransportRequest(url: server.url("/"))).text, "ok")
    }

    /// A process that a completion starts inherits its blocked signals: one that blocks SIGTERM couldn't be terminated.
    @Test func completionBlocksNoMoreSignalsThanTheCaller() async throws {
      let server = try LoopbackServer.forTest()
      server.route(.get, "/", .text("ok"))
      let session = try CurlSession.forTest()
      defer { session.invalidateAndCancel() }
      await withCheckedContinuation { continuation in
        let expected = blockedSignals().union(CurlLibrary.raisesPipeSignal ? [SIGPIPE] : [])
        session.transferTask(with: TransportRequest(url: server.url("/"))) { _ in
          expectEqual(
            try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8), CurlDriver.threadName + "\n")
          expectEqual(blockedSignals(), expected)
          continuation.resume()
        }.resume()
      }
    }

    /// The session's thread must see the new request before it sleeps.
    @Test(arguments: [true, false])
    func requestOfACompletionIsSent(closes: Bool) async throws {
      let server = try LoopbackServer.forTest()
      server.route(.get, "/", .text("ok"))
      server.route(.put, "/", .text("put"))
      let session = try CurlSession.forTest()
      let put = TransportRequest(method: .put, url: server.url("/"), body: .data(Data(count: 200_000)))
      let text = await withCheckedContinuation { continuation in
        session.transferTask(with: TransportRequest(url: server.url("/"))) { _ in
          session.transferTask(with: put) { continuation.resume(returning: $0.text) }.resume()
          if closes { session.driver.endWithLastTask() }
        }.resume()
      }
      expectEqual(text, "put")
      session.driver.endWithLastTask()
      await session.driver.ended()
    }

    @Test func connectionEndedInPlaceLeavesOneDescriptor() throws {
      var pair: [Int32] = [-1, -1]
      expectEqual(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair), 0)
      defer { pair.forEach { _ = close($0) } }
      #expect(curlShimSocketEndInPlace(pair[0]))
      let folder = "/proc/self/fd/"
      func target(_ name: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: folder + name)
      }
      let socket = try #require(target("\(pair[0])"))
      expectEqual(try FileManager.default.contentsOfDirectory(atPath: folder).filter { target($0) == socket }.count, 1)
    }

    /// The system waits for a second, and then for two, before it tries again.
    @Test func unansweredConnectionIsFound() async throws {
      let listener = try FullListener()
      defer { listener.close() }
      func isUnanswered() -> Bool { listener.descriptors.contains { curlShimSocketUnansweredPort($0) > 0 } }
      #expect(!isUnanswered())
      while !isUnanswered() { try await Task.sleep(nanoseconds: 50_000_000) }
    }

    /// A withdrawn task counts as unsent. The thread that drives may come to it before it comes to the cancel.
    @Test func withdrawnTaskDoesNotBeginToSend() throws {
      let task = CurlTransfer(TransportRequest(url: cityURL), session: try CurlSession.forTest()) { _ in }
      #expect(task.withdraw() != nil)
      #expect(!task.beginSending())
    }

    /// A task that couldn't connect, for example, has said so itself.
    @Test func endedTaskIsNotWithdrawn() throws {
      let task = CurlTransfer(TransportRequest(url: cityURL), session: try CurlSession.forTest()) { _ in }
      task.complete(.failure(.cancelledUnsent))
      expectEqual(task.withdraw(), nil)
    }

    @Test func forgottenSessionEndsWithItsLastTask() async throws {
      let server = try LoopbackServer.forTest()
      let gate = LoopbackServer.Gate()
      server.route(.get, "/", [.wait(gate), .head(status: 200, headers: ["Content-Length": "2"]), "ok"])
      weak var weakSession: CurlSession?
      weak var weakTexts: Collector<String?>?
      func start() throws -> CurlTransfer {
        let (session, texts) = (try CurlSession.forTest(), Collector<String?>())
        (weakSession, weakTexts) = (session, texts)
        let task = CurlTransfer(TransportRequest(url: server.url("/")), session: session) { texts.append($0.text) }
        task.resume()
        return task
      }
      let task = try start()
      await gate.waitUntilReached()
      expectEqual(weakTexts?.elements, [])
      gate.open()
      await task.driver.ended()
      // The task retains nothing after its end.
      #expect(weakSession == nil && weakTexts == nil)
      #expect(await server.waitForOpenConnections(count: 0))
    }

    @Test(arguments: [true, false])
    func bodyOpenedTooLateIsClosed(invalidates: Bool) async throws {
      let server = try LoopbackServer.forTest()
      let body = LateStream()
      let session = try CurlSession.forTest()
      let tally = Collector<Void>()
      let request = TransportRequest(method: .put, url: server.url("/"), body: .stream(body))
      let task = session.transferTask(with: request) { result in
        expectEqual(result.error?.kind, .cancelled)
        tally.add()
      }
      task.resume()
      await body.opening.waitForElements(1)
      if invalidates { session.invalidateAndCancel() } else { task.cancel() }
      await tally.waitForElements(1)
      if invalidates { await session.driver.ended() }
      body.proceed.signal()
      await body.closing.waitForElements(1)
      session.invalidateAndCancel()
    }

    @Test func bodiesThatOpenSlowlyHoldNoOtherUp() async throws {
      let server = try LoopbackServer.forTest()
      server.route(.put, "/", .text("ok"))
      let session = try CurlSession.forTest()
      defer { session.invalidateAndCancel() }
      func put(_ body: any TransportBody.Stream) -> TransportRequest {
        TransportRequest(method: .put, url: server.url("/"), body: .stream(body))
      }
      let (bodies, tally) = ((0..<20).map { _ in LateStream() }, Collector<Void>())
      for body in bodies { session.transferTask(with: put(body)) { _ in tally.add() }.resume() }
      let (result, seconds) = await session.timed(put(PieceStream(["abc"])))
      #expect(result.text == "ok" && seconds < 10)
      bodies.forEach { $0.proceed.signal() }
      await tally.waitForElements(20)
    }
  }

  /// A body that takes a while to open.
  private final class LateStream: TransportBody.Stream, TransportBody.Reader, Sendable {
    let opening = Collector<Void>()
    let closing = Collector<Void>()
    let proceed = DispatchSemaphore(value: 0)
    var length: Int64? { nil }
    var isReplayable: Bool { true }

    func makeReader() throws -> any TransportBody.Reader {
      opening.add()
      proceed.wait()
      return self
    }

    func read(upTo count: Int) throws -> Data { Data() }

    func close() { closing.add() }
  }

  /// The signals that this thread blocks.
  private func blockedSignals() -> Set<Int32> {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return Set((1...31).filter { sigismember(&mask, $0) == 1 })
  }
#endif
