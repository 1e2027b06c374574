@testable import WebServicesTestSupport
#if os(Linux)
  /// An HTTP/2 server over TLS in a helper process. It uses node's own module if the machine has node.
  private final class HTTP2Server: Sendable {
    let port: UInt16
    let authorityFile: URL
    private let directory: URL
    private let helper: HelperProcess

    static let isAvailable: Bool = {
      let probe = try? HelperProcess("node", ["-e", "require('http2'); console.log('yes')"])
      return probe?.firstLine(timeout: 30) == "yes"
    }()

    /// Routes: `/gate/N` responds once N streams wait there. `/slow` reads slowly, and responds with the
    /// number of received bytes. `/leave` ends the connection after its response. `/drip` sends single
    /// bytes without end, `/zeros` sends 16 MB of compressed zeros, and `/stall` sends nothing. `/work` takes a moment. Each response names its connection.
    private static let script = """
      const http2 = require("http2"), fs = require("fs"), net = require("net");
      const pem = fs.readFileSync(process.argv[1]);
      const maxConcurrentStreams = Number(process.argv[2]), hangs = process.argv[3] === "hangs";
      const settings = { maxConcurrentStreams };
      const server = http2.createSecureServer({ cert: pem, key: pem, allowHTTP1: false, settings });
      let swallowed = !hangs;
      const front = net.createServer(socket => {
        socket.on("error", () => {});
        if (!swallowed) { swallowed = true; return; }
        const back = net.connect(server.address().port, "127.0.0.1");
        back.on("error", () => {});
        socket.pipe(back).pipe(socket);
      });
      let connections = 0, waiting = [];
      server.on("session", session => { session.number = ++connections; session.on("error", () => {}); });
      server.on("stream", (stream, headers) => {
        stream.on("error", () => {});
        const session = stream.session, path = headers[":path"];
        const respond = body => {
          if (stream.destroyed) return;
          stream.respond({ ":status": 200, "content-type": "application/json" });
          stream.end(JSON.stringify({ connection: session.number, ...body }));
        };
        if (path.startsWith("/gate/")) {
          waiting.push(respond);
          stream.on("close", () => { waiting = waiting.filter(other => other !== respond); });
          if (waiting.length >= Number(path.slice(6))) { waiting.splice(0).forEach(open => open({})); }
        } else if (path === "/slow") {
          let count = 0;
          stream.on("data", piece => {
            count += piece.length;
            stream.pause();
            setTimeout(() => stream.resume(), 20);
          });
          stream.on("end", () => respond({ count }));
        } else if (path === "/drip") {
          stream.respond({ ":status": 200 });
          const timer = setInterval(() => stream.write("x"), 20);
          stream.on("close", () => clearInterval(timer));
        } else if (path === "/work") {
          setTimeout(() => respond({}), 100);
        } else if (path === "/zeros") {
          stream.respond({ ":status": 200, "content-encoding": "gzip" });
          stream.end(require("zlib").gzipSync(Buffer.alloc(16e6)));
        } else if (path === "/stall") {
          return;
        } else if (path === "/leave") {
          respond({});
          session.close();
        } else {
          respond({});
        }
      });
      process.stdin.on("end", () => process.exit(0)).resume();
      server.listen(0, "127.0.0.1", () => {
        if (!hangs) return console.log(server.address().port);
        front.listen(0, "127.0.0.1", () => console.log(front.address().port));
      });
      """

    /// - Parameters:
    ///   - streams: the most streams of a connection.
    ///   - hangs: whether the first connection is accepted but never used.
    init(streams: Int, hangs: Bool) throws {
      directory = FileManager.default.temporaryDirectory.appendingPathComponent("http2-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      let identity = directory.appendingPathComponent("server.pem")
      authorityFile = directory.appendingPathComponent("authority.pem")
      try Data((TLSFixtures.server + "\n" + TLSFixtures.serverKey + "\n").utf8).write(to: identity)
      try Data((TLSFixtures.authority + "\n").utf8).write(to: authorityFile)
      helper = try HelperProcess("node", ["-e", Self.script, identity.path, String(streams), hangs ? "hangs" : ""])
      port = try #require(helper.firstLine(timeout: 30).flatMap(UInt16.init))
    }

    func stop() {
      helper.stop()
      try? FileManager.default.removeItem(at: directory)
    }
  }

  @Suite(
    .serialized, .timeLimit(.minutes(1)), .leavesNothing,
    .enabled(if: HTTP2Server.isAvailable, "the server of these tests needs node, which this machine hasn't"))
  struct CurlHTTP2Tests {
    private struct Report: Decodable {
      var connection: Int
      var count: Int?
    }

    private func withSession(
      connections: Int = 2, streams: Int = 100, hangs: Bool = false, _ body: (CurlSession, URL) async throws -> Void
    ) async throws {
      let server = try HTTP2Server(streams: streams, hangs: hangs)
      defer { server.stop() }
      let session = try CurlSession.forTest {
        $0.trust = .file(server.authorityFile.path)
        $0.connectionsPerHost = connections
      }
      defer { session.invalidateAndCancel() }
      try await body(session, try #require(URL(string: "https://127.0.0.1:\(server.port)")))
    }

    private func withService(
      connections: Int = 2, streams: Int = 100, _ body: (JsonWebService, CurlSession) async throws -> Void
    ) async throws {
      try await withSession(connections: connections, streams: streams) { session, url in
        let service = JsonWebService(
          session: session, tokenManager: FakeTokenManager(),
          configuration: WebServiceConfiguration(baseURL: url, timeout: 30))
        try await body(service, session)
      }
    }

    private func ask(
      _ service: JsonWebService, _ path: String, method: HTTPMethod = .get, body: RequestBody? = nil
    ) async throws -> (report: Report, version: String?) {
      let request = TestRequest(path: path, method: method, body: body)
      let (response, report) = try await service.sendRequest(
        request, parser: ResponseParser.json(Report.self).withResponse)
      return (report, response.metrics?.httpVersion)
    }

    @Test func requestsShareOneConnection() async throws {
      try await withService(streams: 1000) { service, _ in
        let first = try await ask(service, "/first")
        expectEqual(first.version, "HTTP/2")
        // The server responds once all requests wait. Two connections with a part of the requests each would wait for
        // ever.
        let connections = try await withThrowingTaskGroup(of: Int.self) { group in
          // More than the 100 that libcurl would put on a connection by itself.
          for _ in 0..<120 { group.addTask { try await self.ask(service, "/gate/120").report.connection } }
          return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        expectEqual(connections, [first.report.connection])
      }
    }

    @Test func cancelEndsOneStreamOnly() async throws {
      try await withService { service, _ in
        _ = try await ask(service, "/first")
        let cancelled = Collector<WebServiceError.Kind?>()
        let tasks = (0..<10).map { _ in
          service.sendRequest(
            TestRequest(path: "/gate/1000"), parser: .data, callbackQueue: .global()
          ) { result in
            if case .failure(let error) = result { cancelled.append(error.kind) } else { cancelled.append(nil) }
          }
        }
        tasks.forEach { $0.cancel() }
        await cancelled.waitForElements(10)
        expectEqual(cancelled.elements, Array(repeating: .cancelled, count: 10))
        let second = try await ask(service, "/second")
        expectEqual(second.report.connection, 1)
      }
    }

    @Test func busyStreamDoesNotExtendAnIdleTimeout() async throws {
      try await withSession { session, base in
        _ = await session.send(TransportRequest(url: base.appendingPathComponent("first")))
        let dripping = session.transferTask(with: TransportRequest(url: base.appendingPathComponent("drip"))) { _ in }
        dripping.resume()
        for _ in 0..<3 {
          let request = TransportRequest(
            url: base.appendingPathComponent("stall"), timeouts: .init(idle: 0.3, whole: 20))
          let (result, seconds) = await session.timed(request)
          expectEqual(result.error?.kind, .timedOut(.idle))
          #expect(seconds >= 0.3)
        }
        dripping.cancel()
      }
    }

    @Test func refusedContentThatHasArrivedFailsAtOnce() async throws {
      try await withSession { session, base in
        _ = await session.send(TransportRequest(url: base.appendingPathComponent("first")))
        var request = TransportRequest(url: base.appendingPathComponent("zeros"), timeouts: .init(idle: 5))
        request.responseLimit = 1_000_000
        let (result, seconds) = await session.timed(request)
        expectEqual(result.error?.kind, .tooLarge)
        #expect(seconds < 5)
      }
    }

    @Test func slowUploadIsNotIdle() async throws {
      try await withSession { session, base in
        _ = await session.send(TransportRequest(url: base.appendingPathComponent("first")))
        let request = TransportRequest(
          method: .put, url: base.appendingPathComponent("slow"), body: .data(Data(count: 1_000_000)),
          timeouts: .init(idle: 0.5))
        let (result, seconds) = await session.timed(request)
        expectEqual(result.response?.statusCode, 200)
        expectEqual(result.text?.contains("1000000"), true)
        #expect(seconds > 0.5)
      }
    }

    /// A burst of requests on a cold session, and one on a warm session whose server limits streams.
    @Test(arguments: [(100, 0, 300, 3), (10, 10, 60, 7)])
    func burstOpensFewConnections(streams: Int, earlier: Int, burst: Int, most: Int) async throws {
      try await withService(connections: 64, streams: streams) { service, _ in
        _ = try await connections(of: earlier, service)
        let count = try await connections(of: burst, service)
        #expect(count <= most)
      }
    }

    @Test func hungConnectionDelaysOtherRequestsBriefly() async throws {
      try await withSession(connections: 64, hangs: true) { session, url in
        let request = TransportRequest(url: url.appendingPathComponent("work"), timeouts: .init(whole: 30))
        let first = session.transferTask(with: request) { _ in }
        first.resume()
        let seconds = await withTaskGroup(of: TimeInterval.self) { group in
          for _ in 0..<9 {
            group.addTask {
              let (result, seconds) = await session.timed(request)
              expectEqual(result.response?.statusCode, 200)
              return seconds
            }
          }
          return await group.reduce(0) { max($0, $1) }
        }
        #expect(seconds < 15)
        first.cancel()
      }
    }

    /// The number of connections for this many simultaneous requests.
    private func connections(of count: Int, _ service: JsonWebService) async throws -> Int {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<count { group.addTask { try await ask(service, "/work").report.connection } }
        return try await group.reduce(into: Set<Int>()) { $0.insert($1) }.count
      }
    }

    @Test func orderlyClosedConnectionIsReplaced() async throws {
      try await withService { service, _ in
        for connection in 1...3 {
          let report = try await ask(service, "/leave").report
          expectEqual(report.connection, connection)
        }
      }
    }
  }
#endif
