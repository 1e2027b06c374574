@testable import WebServicesTestSupport
#if os(Linux)
  import CurlShim
  @testable import WebServicesTransport

  /// Whether the machine has node, whose own module the server uses.
  private let hasNode: Bool = {
    let probe = try? HelperProcess("node", ["-e", "require('http2'); console.log('yes')"])
    return probe?.firstLine(timeout: 30) == "yes"
  }()

  /// Whether libcurl holds any amount of content that waits for a receiver, and receives other responses meanwhile.
  private let holdsContent =
    (try? CurlLibrary.found.get()) != nil
    && curlShimVersion().map { (0x07_58_00..<0x08_02_00).contains($0.pointee.number) } == true

  @Suite(
    .serialized, .timeLimit(.minutes(5)), .leavesNothing,
    .enabled(if: hasNode, "the server of these tests needs node, which this machine hasn't"))
  struct CurlHTTP2Tests {
    /// A session with a server in a helper process.
    private struct Client {
      let session: CurlSession
      let base: URL
      let server: HelperProcess

      func request(
        _ path: String, method: HTTPMethod = .get, body: TransportBody = .none, idle: TimeInterval? = nil
      ) -> TransportRequest {
        TransportRequest(
          method: method, url: base.appendingPathComponent(path), body: body, timeouts: .init(idle: idle))
      }

      /// The number of the connection over which the server responds, or another number of the response.
      func connection(_ path: String, _ name: String = "connection") async throws -> Int {
        let response = try await session.send(request(path)).get()
        expectEqual(response.metrics?.httpVersion, "HTTP/2")
        return try JSONDecoder().decode([String: Int].self, from: response.body)[name] ?? 0
      }

      /// The connections of this many simultaneous requests.
      func connections(of count: Int, _ path: String) async throws -> Set<Int> {
        try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<count { group.addTask { try await connection(path) } }
          return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
      }
    }

    /// - Parameters:
    ///   - streams: the most streams of a connection.
    ///   - hangs: whether the first connection is accepted but never used.
    private func withClient(
      connections: Int = 2, streams: Int = 100, hangs: Bool = false, _ body: (Client) async throws -> Void
    ) async throws {
      let arguments = [TLSFixtures.path("server.pem"), String(streams), hangs ? "hangs" : ""]
      let server = try HelperProcess("node", [TLSFixtures.path("http2.js")] + arguments)
      defer { server.stop() }
      let session = try CurlSession.forTest {
        $0.trust = .file(TLSFixtures.authority)
        $0.connectionsPerHost = connections
      }
      defer { session.invalidateAndCancel() }
      try await body(Client(session: session, base: testURL("https://127.0.0.1:\(try server.port())"), server: server))
    }

    /// The server responds once all requests wait. Two connections with a part of the requests each would wait for
    /// ever.
    @Test func requestsShareOneConnection() async throws {
      try await withClient(streams: 1000) { client in
        let first = try await client.connection("first")
        // More than the 100 that libcurl would put on a connection by itself.
        expectEqual(try await client.connections(of: 120, "gate/120"), [first])
      }
    }

    @Test func cancelEndsOneStreamOnly() async throws {
      try await withClient { client in
        _ = try await client.connection("first")
        let kinds = Collector<TransportError.Kind?>()
        let tasks = (0..<10).map { _ in
          client.session.transferTask(with: client.request("gate/1000")) { kinds.append($0.error?.kind) }
        }
        tasks.forEach { $0.resume() }
        tasks.forEach { $0.cancel() }
        expectEqual(await kinds.elements(10), Array(repeating: .cancelled, count: 10))
        expectEqual(try await client.connection("second"), 1)
        // The server learns of each cancel.
        var waiting = 10
        for _ in 0..<100 where waiting > 0 { waiting = try await client.connection("second", "waiting") }
        expectEqual(waiting, 0)
      }
    }

    @Test func busyStreamDoesNotExtendAnIdleTimeout() async throws {
      try await withClient { client in
        _ = try await client.connection("first")
        let dripping = client.session.transferTask(with: client.request("drip")) { _ in }
        dripping.resume()
        for _ in 0..<3 {
          let (result, seconds) = await client.session.timed(client.request("stall", idle: 0.3))
          #expect(result.error?.kind == .timedOut(.idle) && seconds >= 0.3)
        }
        dripping.cancel()
      }
    }

    @Test func refusedContentFailsAtOnceAndASlowUploadIsNotIdle() async throws {
      try await withClient { client in
        _ = try await client.connection("first")
        var request = client.request("zeros", idle: 5)
        request.responseLimit = 1_000_000
        let refused = await client.session.timed(request)
        #expect(refused.result.error?.kind == .tooLarge && refused.seconds < 5)
        let upload = client.request("slow", method: .put, body: .data(Data(count: 2_000_000)), idle: 2)
        let sent = await client.session.timed(upload)
        #expect(sent.result.text?.contains("2000000") == true && sent.seconds > 2)
      }
    }

    /// A burst of requests on a cold session, and one on a warm session whose server limits streams.
    @Test(arguments: [(100, 0, 300, 3), (10, 10, 60, 7)])
    func burstOpensFewConnections(streams: Int, earlier: Int, burst: Int, most: Int) async throws {
      try await withClient(connections: 64, streams: streams) { client in
        _ = try await client.connections(of: earlier, "work")
        let count = try await client.connections(of: burst, "work").count
        #expect(count <= most)
      }
    }

    @Test func hungConnectionDelaysOtherRequestsBriefly() async throws {
      try await withClient(connections: 64, hangs: true) { client in
        let first = client.session.transferTask(with: client.request("work")) { _ in }
        first.resume()
        let start = MonotonicTime.seconds
        _ = try await client.connections(of: 9, "work")
        #expect(MonotonicTime.seconds < start + 15)
        first.cancel()
      }
    }

    /// libcurl (until 8.1) keeps the content that waits for the receiver of a cancelled transfer, if others share the
    /// connection.
    @Test func contentOfACancelledTransferIsNotGivenToTheNext() async throws {
      try await withClient { client in
        _ = try await client.connection("first")
        let other = client.session.transferTask(with: client.request("drip")) { _ in }
        other.resume()
        var request = client.request("drip")
        request.receiver = SlowReceiver()
        let (isWaiting, kinds) = (Collector<Void>(), Collector<TransportError.Kind?>())
        request.onProgress = { if $0.received > 1 { isWaiting.add() } }
        let cancelled = client.session.transferTask(with: request) { kinds.append($0.error?.kind) }
        cancelled.resume()
        await isWaiting.waitForElements(1)
        cancelled.cancel()
        expectEqual(await kinds.elements(1), [.cancelled])
        let upload = client.request("slow", method: .put, body: .stream(PieceStream(["abc"])))
        #expect(await client.session.send(upload).text?.hasPrefix("{") == true)
        other.cancel()
      }
    }

    @Test(.enabled(if: holdsContent && !UsedMemory.includesFreed))
    func contentOfACancelledTransferIsFreed() async throws {
      try await withClient { client in
        _ = try await client.connection("first")
        let other = client.session.transferTask(with: client.request("drip")) { _ in }
        other.resume()
        let before = try UsedMemory.pages()
        for _ in 0..<40 {
          var request = client.request("flood")
          let (receiver, ends) = (SlowReceiver(), Collector<Void>())
          request.receiver = receiver
          let cancelled = client.session.transferTask(with: request) { _ in ends.add() }
          cancelled.resume()
          await receiver.pieces.waitForElements(1)
          // The response comes behind the content.
          _ = try await client.connection("flooded")
          cancelled.cancel()
          await ends.waitForElements(1)
        }
        // The content has 80,000 pages. Other tests allocate meanwhile.
        #expect(try UsedMemory.pages() < before + 40_000)
        other.cancel()
      }
    }

    /// Another connection wouldn't help, and the server may want fewer requests.
    @Test func streamThatTheServerResetsIsNotStale() async throws {
      try await withClient { client in
        _ = try await client.connection("first")
        let error = await client.session.send(client.request("reset")).error
        #expect(error?.kind == .connectionLost && error?.isStaleConnection == false)
      }
    }

    /// The server takes 64 KB of the body. Then libcurl 7.88 asked all the time to send more.
    @Test func uploadThatTheServerHoldsUpCostsNoTime() async throws {
      try await withClient { client in
        _ = try await client.connection("first")
        let upload = client.request("stall", method: .put, body: .data(Data(count: 1_000_000)), idle: 1)
        let seconds = await withCheckedContinuation { continuation in
          client.session.transferTask(with: upload) { result in
            expectEqual(result.error?.kind, .timedOut(.idle))
            // The session's thread calls this.
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            continuation.resume(returning: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
          }.resume()
        }
        #expect(seconds < 0.2)
      }
    }

    /// The server says nothing while the pieces of the second body come, one after the other.
    @Test func uploadGoesOnBesideOneThatTheServerHoldsUp() async throws {
      try await withClient { client in
        _ = try await client.connection("first")
        let held = client.request("stall", method: .put, body: .data(Data(count: 1_000_000)))
        let task = client.session.transferTask(with: held) { _ in }
        task.resume()
        let other = try CurlSession.forTest { $0.trust = .file(TLSFixtures.authority) }
        defer { other.invalidateAndCancel() }
        let proceed = DispatchSemaphore(value: 0)
        let body = PieceStream(Array(repeating: "x", count: 20)) { _ in proceed.wait() }
        let results = Collector<Result<WebServiceResponse, TransportError>>()
        client.session.transferTask(with: client.request("slow", method: .put, body: .stream(body), idle: 5)) {
          results.append($0)
        }.resume()
        for _ in 0...20 {
          // Meanwhile libcurl 7.88 asks more than 32 times to send more of the first body.
          for _ in 0..<5 { _ = try await other.send(client.request("first")).get() }
          proceed.signal()
        }
        let response = try #require(await results.elements(1).first).get()
        expectEqual(try JSONDecoder().decode([String: Int].self, from: response.body)["count"], 20)
        task.cancel()
      }
    }

    /// The system of the server still acknowledges what arrives.
    @Test func timeoutLeavesAConnectionThatHangs() async throws {
      try await withClient { client in
        expectEqual(try await client.connection("first"), 1)
        let configuration = WebServiceConfiguration(timeout: 1.5)
        let service = JsonWebService(
          session: client.session, reachability: FakeReachability(), configuration: configuration)
        let request = Request(client.base.appendingPathComponent("hang").absoluteString)
        await #expect(throws: WebServiceError.self) { try await service.sendRequest(request, parser: .nothing) }
        expectEqual(try await client.connection("second"), 2)
      }
    }

    @Test func orderlyClosedConnectionIsReplaced() async throws {
      try await withClient { client in
        for connection in 1...3 { expectEqual(try await client.connection("leave"), connection) }
      }
    }

    /// Before it sends a request, libcurl reads no more than the first frames that stand on a kept connection.
    @Test func connectionThatIsClosedBehindFramesIsReplaced() async throws {
      try await withClient { client in
        for connection in 1...3 {
          expectEqual(try await client.connection("quit"), connection)
          expectEqual(client.server.firstLine(timeout: 30), "gone")
        }
      }
    }
  }
#endif
