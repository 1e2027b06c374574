#if os(Linux)
  import CurlShim
  @testable import WebServicesTestSupport
  @testable import WebServicesTransport

  /// Steps of the loop in moments that only chance brings about.
  @Suite(.timeLimit(.minutes(5)), .leavesNothing)
  struct CurlLoopTests {
    /// Makes a loop without a thread, which has begun one transfer.
    private func withLoop<Output>(
      _ url: URL? = nil, cacheLifetime: Int = 60, _ body: (CurlLoop, CurlTransfer) throws -> Output
    ) throws -> Output {
      let session = try CurlSession.forTest {
        $0.connectionsPerHost = 1
        $0.cacheLifetime = cacheLifetime
      }
      let poller = try #require(CurlPoller())
      let proxy = CurlProxySettings(.none, environment: [:])
      let loop = try #require(
        CurlLoop(
          session.configuration, hasPrerequest: false, proxy: proxy, trust: nil, driver: session.driver, poller: poller)
      )
      defer { loop.tearDown() }
      let server = try LoopbackServer.forTest()
      server.route(.get, "/", .never)
      let request = TransportRequest(url: url ?? server.url("/"))
      let transfer = CurlTransfer(request, session: session) { _ in }
      loop.execute(.start(transfer))
      loop.turn()
      defer { loop.end(transfer, .cancelledUnsent) }
      return try body(loop, transfer)
    }

    /// Turns the loop after its poller has reported something, or after a second.
    private func turn(_ loop: CurlLoop) {
      var ready = [CurlShimReady](repeating: CurlShimReady(), count: CurlPoller.batch)
      let count = loop.poller.wait(&ready, until: min(loop.due, CurlLoop.readClock() + 1_000_000_000))
      loop.turn(ready[..<count])
    }

    /// libcurl would wait for the look-up if the handle were removed. A look-up may end within the turn, but not
    /// always. A request that waits in libcurl for the same host has no look-up.
    @Test func handleStaysUntilItsLookupEnds() throws {
      let keepsHandle = try (0..<20).contains { _ in
        try withLoop(testURL("http://feather-\(UUID().uuidString).invalid/")) { loop, transfer in
          loop.end(transfer, .cancelledUnsent)
          guard loop.orphans.count == 1 else { return false }
          let next = CurlTransfer(transfer.request, session: try CurlSession.forTest()) { _ in }
          loop.execute(.start(next))
          loop.turn()
          loop.end(next, .cancelledUnsent)
          #expect(loop.orphans.count <= 1)
          while !loop.orphans.isEmpty { turn(loop) }
          return true
        }
      }
      #expect(keepsHandle)
    }

    /// Otherwise the loop would turn without end while a request takes longer than connections are kept.
    @Test func runningTransferKeepsTheLoopInUse() throws {
      try withLoop { loop, transfer in
        expectEqual(loop.unusedEnd, .max)
        loop.end(transfer, .cancelledUnsent)
        #expect(loop.unusedEnd < .max)
      }
    }

    /// A host may have moved to another address since the last look-up.
    @Test func hostIsLookedUpForANewConnection() throws {
      let server = try LoopbackServer.forTest()
      server.route(.get, "/", .text("ok"))
      try withLoop(cacheLifetime: 0) { loop, _ in
        for _ in 0..<2 {
          var request = TransportRequest(url: testURL("http://localhost:\(server.port)/"))
          request.needsNewConnection = true
          loop.execute(.start(CurlTransfer(request, session: try CurlSession.forTest()) { _ in }))
          loop.turn()
          while loop.endings.isEmpty { turn(loop) }
          expectEqual(loop.endings.removeFirst().result.text, "ok")
          expectEqual(loop.unusedHandles.last?.hasBegunLookup, true)
        }
      }
    }

    @Test func idleTimeBeginsAnewAfterAPause() throws {
      try withLoop { loop, transfer in
        (transfer.lastActivity, transfer.paused) = (0, curlPauseSending)
        loop.execute(.resume(transfer, curlPauseSending))
        #expect(transfer.lastActivity > 0)
      }
    }

    /// A server may respond before the end of an upload, and close the connection. libcurl would send before it reads.
    @Test func bodyWaitsWhileTheLastBytesOfTheServerAreUnread() throws {
      try withLoop { loop, transfer in
        var pair: [Int32] = [-1, -1]
        expectEqual(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair), 0)
        defer { _ = close(pair[0]) }
        let handle = try #require(transfer.handle)
        var bytes = [UInt8](repeating: 0, count: 2)
        func read() -> Int { bytes.withUnsafeMutableBytes { handle.read(into: $0) } }
        for descriptor in [-1, pair[0]] {
          handle.watched = (descriptor, 0)
          expectEqual(read(), 0)
        }
        expectEqual(write(pair[1], "ab", 2), 2)
        // The server may read on.
        expectEqual(read(), 0)
        expectEqual(transfer.paused, 0)
        _ = close(pair[1])
        expectEqual(read(), Int(curlPause))
        expectEqual(transfer.paused, curlPauseSending)
        let source = try #require(try CurlBodySource(.stream(PieceStream(["xyz"])), wake: {}))
        defer { source.stop() }
        transfer.source = source
        while bytes != Array("xy".utf8) { expectEqual(read(), Int(curlPause)) }
        expectEqual(recv(pair[0], &bytes, 2, 0), 2)
        expectEqual(read(), 2)
        expectEqual(String(decoding: bytes, as: UTF8.self), "xy")
      }
    }

    /// libcurl may give a connection to the next transfer before the loop knows that the last one has ended. libcurl
    /// names no descriptor for a response that the receiver pauses at once.
    @Test(arguments: [("HTTP/1.1 200 OK\r\n", 1), ("HTTP/2 200 \r\n", 2)])
    func connectionOfAPausedResponseIsNotSpoiled(line: String, version: Int) throws {
      try withLoop { loop, transfer in
        for isUsed in [true, false] {
          let handle = try #require(transfer.handle)
          let descriptor = try #require((0..<Int32(loop.sockets.count)).first { loop.sockets[Int($0)].connection != 0 })
          handle.watched = isUsed ? (-1, 0) : (.max, 0)
          if isUsed { _ = Array(line.utf8).withUnsafeBytes { handle.didReceive(line: $0) } }
          (loop.sockets[Int(descriptor)].wanted, loop.sockets[Int(descriptor)].keptHTTP) = (0, version)
          loop.handle(Int32(curlSelectIn), on: descriptor)
          #expect(loop.sockets[Int(descriptor)].keptHTTP == 0)
          var name = sockaddr()
          var length = socklen_t(MemoryLayout<sockaddr>.size)
          getsockname(descriptor, &name, &length)
          expectEqual(Int32(name.sa_family), isUsed ? AF_INET : AF_UNIX)
        }
      }
    }

    /// Nothing tells when libcurl closes a descriptor of its own, such as the pipe of a look-up.
    @Test func numberOfAClosedDescriptorIsWatchedAnew() throws {
      try withLoop { loop, transfer in
        let easy = try #require(transfer.handle?.easy)
        let descriptor = curlShimEventMake()
        defer { close(descriptor) }
        for what in [curlPollIn, curlPollRemove, curlPollIn] {
          loop.watchChanged()
          loop.watch(descriptor, for: what, easy: easy)
        }
        expectEqual(loop.changed, [descriptor])
        loop.watch(descriptor, for: curlPollRemove, easy: easy)
      }
    }

    /// The system gives a closed descriptor's number to another connection, possibly in the same turn.
    @Test func connectionWithTheNumberOfAClosedOneIsAnother() throws {
      try withLoop { loop, transfer in
        let handle = try #require(transfer.handle)
        let address = CurlShimAddress(family: AF_INET, type: Int32(SOCK_STREAM.rawValue), protocol: 0)
        let descriptor = loop.openSocket(address, for: handle)
        loop.watch(descriptor, for: curlPollIn, easy: handle.easy)
        expectEqual(loop.closeSocket(descriptor), 0)
        loop.sockets[Int(descriptor)].connection = loop.lastConnection + 1
        loop.noteKeptConnection(of: handle)
        #expect(handle.descriptor == nil && loop.sockets[Int(descriptor)].keptHTTP == 0)
        loop.sockets[Int(descriptor)] = CurlSocket()
      }
    }

    /// The bytes come after the poller was asked, and before the thread takes the command.
    @Test func bytesBeforeARequestAreNotItsResponse() throws {
      let server = try LoopbackServer.forTest()
      let (isKept, isPushed) = (LoopbackServer.Gate(), LoopbackServer.Gate())
      let push = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
      server.route(.get, "/first", .text("ok").then(.wait(isKept), .text(push), .wait(isPushed)))
      server.route(.get, "/second", .text("second"))
      try withLoop { loop, transfer in
        for (path, text) in [("/first", "ok"), ("/second", "second")] {
          let request = TransportRequest(url: server.url(path))
          loop.execute(.start(CurlTransfer(request, session: try CurlSession.forTest()) { _ in }))
          loop.turn()
          while loop.endings.isEmpty { turn(loop) }
          expectEqual(loop.endings.removeFirst().result.text, text)
          isKept.open()
          while isPushed.arrivals == 0 { sched_yield() }
        }
      }
    }

    /// A thread that stood still doesn't know what has come meanwhile.
    @Test func bytesThatCameDuringAStallAreActivity() throws {
      let server = try LoopbackServer.forTest()
      let (isAsked, isSent) = (LoopbackServer.Gate(), LoopbackServer.Gate())
      let head = LoopbackServer.Step.head(status: 200, headers: ["Content-Length": "2"])
      server.route(.get, "/late", [.wait(isAsked), head, "ok", .wait(isSent)])
      try withLoop { loop, _ in
        let request = TransportRequest(url: server.url("/late"))
        let transfer = CurlTransfer(request, session: try CurlSession.forTest()) { _ in }
        loop.execute(.start(transfer))
        while isAsked.arrivals == 0 { turn(loop) }
        isAsked.open()
        while isSent.arrivals == 0 { sched_yield() }
        (transfer.lastActivity, loop.nextLook) = (0, 0)
        loop.turn()
        expectEqual(loop.endings.map(\.result.text), ["ok"])
        isSent.open()
      }
    }

    /// A process that another thread is just starting has copies of all descriptors. The poller alone forgets a
    /// connection only when no copy is left.
    @Test(arguments: [false, true])
    func connectionThatEndsIsNotWatchedThroughACopy(isKept: Bool) throws {
      let server = try LoopbackServer.forTest()
      let (isAsked, isPushing, isPushed) = (LoopbackServer.Gate(), LoopbackServer.Gate(), LoopbackServer.Gate())
      let head = LoopbackServer.Step.head(status: 200, headers: ["Content-Length": "2"])
      server.route(.get, "/first", [.wait(isAsked), head, "ok", .wait(isPushing), "more", .wait(isPushed)])
      try withLoop { loop, _ in
        let request = TransportRequest(url: server.url("/first"))
        let transfer = CurlTransfer(request, session: try CurlSession.forTest()) { _ in }
        loop.execute(.start(transfer))
        while isAsked.arrivals == 0 { turn(loop) }
        let descriptor = try #require(transfer.handle?.watched.descriptor)
        let copy = dup(descriptor)
        defer { close(copy) }
        if isKept {
          isAsked.open()
          while loop.endings.isEmpty { turn(loop) }
          isPushing.open()
          while loop.sockets[Int(descriptor)].keptHTTP != 0 { turn(loop) }
        } else {
          loop.end(transfer, .cancelledUnsent)
          shutdown(copy, Int32(SHUT_RDWR))
        }
        var ready = [CurlShimReady](repeating: CurlShimReady(), count: CurlPoller.batch)
        let count = loop.poller.wait(&ready, until: 0)
        #expect(!ready[..<count].contains { $0.descriptor == descriptor })
        for gate in [isAsked, isPushing, isPushed] { gate.open() }
      }
    }

    /// libcurl doesn't ask why no socket was opened.
    @Test func reasonWhyNoSocketWasOpenedIsNamed() throws {
      try withLoop { loop, transfer in
        let handle = try #require(transfer.handle)
        expectEqual(loop.openSocket(CurlShimAddress(family: -1, type: 0, protocol: 0), for: handle), -1)
        let error = transfer.result(code: 7).error
        expectEqual(error?.kind, .cannotConnect)
        expectEqual(error?.message, "no socket can be opened: Address family not supported by protocol")
      }
    }

    @Test func longHeadIsNotKeptForItsOrigin() async throws {
      let harness = try SocketHarness(session: CurlSession.forTest())
      for length in [10, 20_000] {
        let long = LoopbackServer.Response.text("ok", headers: ["X-Long": String(repeating: "a", count: length)])
        expectEqual(await harness.transfer(serving: long).text, "ok")
        let loop = try #require((harness.session as? CurlSession)?.driver.loop)
        expectEqual(loop.origins.values.map(\.fields.isEmpty), [length > 10])
      }
    }
  }
#endif
