@testable import WebServicesTestSupport
@testable import WebServicesDoubles

/// Short timeouts of each transport, measured in real time with generous upper bounds.
@Suite(.timeLimit(.minutes(5)), .leavesNothing)
struct TransportTimeoutTests {
  @Test("fact 14: the idle timeout counts from the last byte", arguments: TransportKind.own)
  func idleTimeoutCountsFromTheLastByte(_ kind: TransportKind) async throws {
    let dripping: LoopbackServer.Response = [.head(status: 200), .delay(0.3), .body(Data("a".utf8)), .never]
    let cases: [(LoopbackServer.Response, idle: TimeInterval, after: TimeInterval)] = [
      (.never, 0.1, 0.1), (dripping, 0.5, 0.8),
    ]
    for (response, idle, seconds) in cases.prefix(kind.isFoundationOnLinux ? 1 : 2) {
      let harness = try SocketHarness(kind)
      harness.server.route(.get, "/", response)
      let request = TransportRequest(url: harness.server.url("/"), timeouts: .init(idle: idle))
      let (result, time) = await harness.session.timed(request)
      expectEqual(result.error?.kind, .timedOut(.idle))
      // Foundation on Linux has one queue for all sessions of the process, so other tests may delay the request's
      // start.
      #expect(kind.isFoundationOnLinux || result.error?.mayHaveReachedServer == true)
      #expect(time >= seconds - 0.001 && time < seconds + 4, "\(time)")
    }
  }

  // Foundation on Linux is excluded: it doesn't report the bytes of a head, and crashes if a head breaks off.
  @Test(
    "fact 14: a head that arrives byte by byte isn't idle",
    arguments: TransportKind.own.filter { !$0.isFoundationOnLinux })
  func drippingHeadIsNotIdle(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    var steps: [LoopbackServer.Step] = []
    for byte in Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) {
      steps += [.bytes(Data([byte])), .delay(0.02)]
    }
    let result = await harness.transfer(serving: .init(steps)) { $0.timeouts = .init(idle: 0.6) }
    expectEqual(result.text, "ok")
  }

  @Test(arguments: TransportKind.own)
  func slowSourceOfABodyIsNotIdle(_ kind: TransportKind) async throws {
    let harness = try SocketHarness(kind)
    harness.server.route(.put, "/", .text("ok"))
    let stream = PieceStream(["abc", "def"]) { index in if index == 1 { Thread.sleep(forTimeInterval: 2.5) } }
    let request = TransportRequest(
      method: .put, url: harness.server.url("/"), body: .stream(stream), timeouts: .init(idle: 2))
    expectEqual(await harness.transfer(request).text, "ok")
  }

  #if os(Linux)
    @Test("fact 14: waiting for a connection isn't idle")
    func waitingForAConnectionIsNotIdle() async throws {
      let harness = try SocketHarness(session: CurlSession.forTest { $0.connectionsPerHost = 1 })
      let gate = LoopbackServer.Gate()
      harness.server.route(.get, "/slow", [.wait(gate), .head(status: 200, headers: ["Content-Length": "0"])])
      harness.server.route(.get, "/", .text("ok"))
      let (slow, quick) = (harness.server.url("/slow"), harness.server.url("/"))
      async let first = harness.transfer(TransportRequest(url: slow))
      await harness.server.waitForRequests()
      async let second = harness.transfer(TransportRequest(url: quick, timeouts: .init(connect: 0.5, idle: 0.6)))
      try await Task.sleep(nanoseconds: 800_000_000)
      gate.open()
      expectEqual(await first.response?.statusCode, 200)
      expectEqual(await second.text, "ok")
      expectEqual(harness.server.connectionsAccepted, 1)
    }
  #endif
}

#if os(Linux)
  /// A port that neither accepts nor refuses connections.
  struct FullListener {
    let port: UInt16
    let descriptors: [Int32]

    init() throws {
      let listener: Int32
      (listener, port) = try System.listen(at: .ipv4, isListening: false)
      guard listen(listener, 0) == 0 else { throw POSIXError(.EIO) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      (address.sin_addr.s_addr, address.sin_port) = (UInt32(0x7F00_0001).bigEndian, port.bigEndian)
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let clients = (0..<4).map { _ in
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        withUnsafePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, length) }
        }
        return client
      }
      descriptors = [listener] + clients
    }

    func close() { descriptors.forEach { _ = Foundation.close($0) } }
  }
#endif
