@testable import WebServicesTestSupport

@Suite struct LoopbackServerLifeTests {
  @Test func stopEndsConnectionsAndRefusesNewOnes() throws {
    let server = try LoopbackServer()
    server.route(.get, "/", .never)
    let idle = try RawClient(server)
    let stalled = try RawClient(server)
    stalled.get("/")
    server.stop()
    server.stop()
    #expect(throws: Never.self) { try idle.readToEndOrReset() }
    #expect(throws: Never.self) { try stalled.readToEndOrReset() }
    expectEqual(server.openConnections, 0)
    #expect(throws: RawClient.Failure.self) { try RawClient(server) }
  }

  @Test func releasedServerStops() throws {
    var server: LoopbackServer? = try LoopbackServer()
    let client = try RawClient(#require(server))
    server = nil
    #expect(throws: Never.self) { try client.readToEndOrReset() }
  }

  @Test func stopFromManyThreadsIsHarmless() throws {
    let server = try LoopbackServer()
    server.route(.get, "/") { [weak server] _ in
      server?.stop()
      return .text("too late")
    }
    let client = try RawClient(server)
    client.get("/")
    DispatchQueue.concurrentPerform(iterations: 8) { _ in server.stop() }
    #expect(throws: Never.self) { try client.readToEndOrReset() }
    expectEqual(server.openConnections, 0)
  }

  @Test func objectOfAHandlerMayStopItsServer() throws {
    final class Backend: Sendable {
      let server: LoopbackServer
      init(_ server: LoopbackServer) { self.server = server }
      deinit { server.stop() }
    }
    let server = try LoopbackServer()
    weak var released: Backend?
    do {
      let backend = Backend(server)
      released = backend
      server.route(.get, "/") { _ in .text("\(backend.server.port)") }
    }
    server.stop()
    #expect(released == nil)
  }

  @Test func portInUseIsAnError() throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    /// The lowest number that no descriptor has.
    func lowestFree() -> Int32 {
      let descriptor = dup(STDERR_FILENO)
      defer { close(descriptor) }
      return descriptor
    }
    let before = lowestFree()
    for _ in 0..<500 {
      #expect { try LoopbackServer(port: server.port) } throws: { error in
        "\(error)".hasPrefix("LoopbackServer can't listen at ipv4, port \(server.port): bind: ")
      }
    }
    // Other tests open descriptors meanwhile, but not so many.
    #expect(lowestFree() < before + 500)
    expectEqual(server.url("/a?b=c").absoluteString, "http://127.0.0.1:\(server.port)/a?b=c")
  }

  /// The system keeps the port of a connection that the server has closed first.
  @Test func portIsFreeAfterTheStopThoughAConnectionWasClosed() throws {
    let server = try LoopbackServer()
    server.route(.get, "/", .untilClose(Data("end".utf8)))
    let client = try RawClient(server)
    client.get("/")
    #expect(try client.readToEnd().hasSuffix("end"))
    server.stop()
    try LoopbackServer(port: server.port).stop()
  }

  #if os(Linux)
    /// Copies of the server's sockets. A process that another thread is just starting has copies of all descriptors.
    private func copies(of server: LoopbackServer) -> [Int32] {
      let descriptors: [Int32] = (0..<4096).filter { descriptor in
        var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let result = withUnsafeMutablePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return result == 0 && address.sin_family == AF_INET && address.sin_port == server.port.bigEndian
      }
      return descriptors.map { dup($0) }
    }

    @Test(arguments: [LoopbackServer.Step.close, .reset])
    func endReachesTheClientThoughACopyIsOpen(_ end: LoopbackServer.Step) async throws {
      let server = try LoopbackServer()
      defer { server.stop() }
      let gate = LoopbackServer.Gate()
      server.route(.get, "/", [.wait(gate), end])
      let client = try RawClient(server)
      client.get("/")
      await gate.waitUntilReached()
      let copies = copies(of: server)
      expectEqual(copies.count, 2)
      defer { copies.forEach { close($0) } }
      gate.open()
      if case .close = end {
        expectEqual(try client.readToEnd(), "")
      } else {
        let failure = #expect(throws: RawClient.Failure.self) { try client.readToEnd() }
        expectEqual(failure?.code, ECONNRESET)
      }
    }

    @Test func portIsFreeAfterTheStopThoughACopyIsOpen() throws {
      let server = try LoopbackServer()
      let copies = copies(of: server)
      expectEqual(copies.count, 1)
      defer { copies.forEach { close($0) } }
      server.stop()
      try LoopbackServer(port: server.port).stop()
    }
  #endif

  @Test func stopRemovesItsOwnUnixSocket() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("socket").path
    var former: LoopbackServer? = try LoopbackServer(.unixSocket(path))
    #expect(FileManager.default.fileExists(atPath: path))
    former?.stop()
    #expect(!FileManager.default.fileExists(atPath: path))
    let successor = try LoopbackServer(.unixSocket(path))
    defer { successor.stop() }
    former?.stop()
    former = nil
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(throws: LoopbackServer.StartError.self) {
      try LoopbackServer(.unixSocket(String(repeating: "x", count: 300)))
    }
  }

  @Test func garbageGets400AndEndsTheConnection() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    server.route(.get, "/", .text("fine"))
    let client = try RawClient(server)
    client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\nHost: h\n\n and more that nobody reads")
    let text = try client.readToEnd()
    #expect(text.hasPrefix("HTTP/1.1 200 OK") && text.contains("fineHTTP/1.1 400 Status"))
    #expect(text.contains("Connection: close\r\n"))
    expectEqual(server.refusals, ["400: a line ends in LF alone"])
    expectEqual(server.requestCount, 1)
    // The client doesn't close its end, so the server does after a second.
    #expect(await server.waitForOpenConnections(count: 0))
    withExtendedLifetime(client) {}
  }

  @Test func lateResponseIsDroppedWhenTheClientHasGone() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let (held, gate) = (Collector<LoopbackServer.Responder>(), LoopbackServer.Gate())
    server.route(.get, "/held") { _, responder in held.append(responder) }
    server.route(.get, "/gate", LoopbackServer.Response.text("late").beforeHead(.wait(gate)))
    do {
      let clients = try [RawClient(server), RawClient(server)]
      clients[0].get("/held")
      clients[1].get("/gate")
      await server.waitForRequests(count: 2)
      #expect(await gate.waitUntilReached())
    }
    #expect(await server.waitForOpenConnections(count: 0))
    await held.waitForElements(1)
    expectEqual(held.elements.first?.send(.text("late")), true)
    gate.open()
    server.route(.get, "/", .text("well!"))
    let client = try RawClient(server)
    client.get("/")
    #expect(try client.read(through: "!").hasSuffix("\r\n\r\nwell!"))
  }

  @Test func limitsBoundBodiesAndRecords() async throws {
    var limits = LoopbackServer.Limits()
    limits.bodyBytes = 10
    limits.recordedRequests = 2
    let server = try LoopbackServer(limits: limits)
    defer { server.stop() }
    server.route(nil, "*", .text("ok!"))
    let client = try RawClient(server)
    for _ in 1...3 {
      client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n0123456789")
      #expect(try client.read(through: "!").hasPrefix("HTTP/1.1 200"))
      let other = try RawClient(server)
      other.send("garbage\r\n\r\n")
      #expect(try other.readToEnd().hasPrefix("HTTP/1.1 400"))
    }
    expectEqual([server.requests.count, server.requestCount, server.refusals.count], [2, 3, 2])
    expectEqual(await server.waitForRequests(count: 3, timeout: 3600).map(\.order), [1, 2])
    server.route(.put, "/", LoopbackServer.Response.text("early!").beforeBody())
    client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n")
    _ = try client.read(through: "early!")
    client.send("x")
    client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n6\r\n")
    #expect(try client.readToEnd().hasPrefix("HTTP/1.1 413"))
  }

  @Test func waitingEndsWithTheConditionTimeoutOrServer() async throws {
    let server = try LoopbackServer()
    server.route(.get, "*", .text("ok!"))
    let client = try RawClient(server)
    async let both = server.waitForRequests(.get, "/a", count: 2)
    for path in ["/a", "/b", "/a"] {
      client.get(path)
      #expect(try client.read(through: "!").hasSuffix("ok!"))
    }
    expectEqual(await both.map(\.path), ["/a", "/a"])
    expectEqual(await server.waitForRequests(count: 4, timeout: 0.01).count, 3)
    expectEqual(server.requests(.get, "/b").count, 1)
    #expect(await server.waitForOpenConnections(count: 1))
    #expect(await !server.waitForOpenConnections(count: 2, timeout: 0.01))
    async let never = server.waitForRequests(.get, count: 5, timeout: 3600)
    async let connections = server.waitForOpenConnections(count: 2, timeout: 3600)
    server.stop()
    expectEqual(await never.count, 3)
    #expect(await !connections)
    #expect(await server.waitForOpenConnections(count: 0))
  }

  #if os(Linux)
    /// A profiler sends a signal every few milliseconds.
    @Test(.timeLimit(.minutes(5))) func signalsHoldNoStepUp() throws {
      // A signal that is ignored ends no wait.
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in }
      sigaction(SIGUSR2, &action, nil)
      // The server's thread inherits the signals that this thread blocks. A thread of Dispatch blocks all.
      var (signals, former) = (sigset_t(), sigset_t())
      sigaddset(&signals, SIGUSR2)
      pthread_sigmask(SIG_UNBLOCK, &signals, &former)
      let server = try LoopbackServer()
      pthread_sigmask(SIG_SETMASK, &former, nil)
      defer { server.stop() }
      server.route(.get, "/", [.delay(0.1), .head(status: 200, headers: ["Content-Length": "0"])])
      // Glibc's module lacks the function.
      typealias Signaling = @convention(c) (pid_t, pid_t, Int32) -> Int32
      let signal = unsafeBitCast(try #require(dlsym(nil, "tgkill")), to: Signaling.self)
      let isOver = Locked(false)
      Thread.detachNewThread {
        while !isOver.withLock({ $0 }) {
          for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [] {
            let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
            if name == "LoopbackServer\n", let thread = pid_t(thread) { _ = signal(getpid(), thread, SIGUSR2) }
          }
          usleep(1000)
        }
      }
      defer { isOver.withLock { $0 = true } }
      let client = try RawClient(server)
      client.get("/")
      #expect(try client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
    }
  #endif

  @Test func idleClientThatLeavesIsForgotten() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    var client: RawClient? = try RawClient(server)
    #expect(await server.waitForOpenConnections(count: 1))
    withExtendedLifetime(client) {}
    client = nil
    #expect(await server.waitForOpenConnections(count: 0))
    expectEqual(server.connectionsAccepted, 1)
  }
}

extension RawClient {
  /// Reads until the connection ends or is reset.
  func readToEndOrReset() throws {
    do {
      _ = try readToEnd()
    } catch let failure as Failure where failure.code == ECONNRESET {
    }
  }
}
